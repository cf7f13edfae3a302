#include <algorithm>
#include <cmath>

#include "report/synthetic_run.h"

namespace diffram::report_test {
namespace {

constexpr double kAir = 40, kSteadyMean = 64;
constexpr std::int64_t kColumns = 16, kRows = 8;

/// A die that is hottest around one bank.
ledger::LayerHeat die(const std::string& package, const std::string& name, double above) {
  ledger::LayerHeat layer{package, name, "memory", 2,        0.42, kSteadyMean + above,
                          0,       50,   51,       kColumns, {}};
  for (std::int64_t row = 0; row < kRows; ++row)
    for (std::int64_t column = 0; column < kColumns; ++column) {
      const double distance =
          std::hypot(static_cast<double>(column - 11), static_cast<double>(row - 2));
      layer.map.push_back(std::llround(1000 * (kSteadyMean + above + 7 / (1 + distance / 3))));
    }
  layer.steady_peak = static_cast<double>(*std::ranges::max_element(layer.map)) / 1000;
  return layer;
}

}  // namespace

void heat_up(ledger::RunRecord& run) {
  const std::string hot = "channel 0, rank 0", cool = "channel 1, rank 0";
  run.heat = {die(cool, "0 die", -9), die(hot, "0 die", 0), die(hot, "2 die", -2)};
  run.heat.push_back({hot, "1 bond", "passive", 2, 0, 60, 61, 49, 49, 0, {}});
  run.heat.push_back({hot, "case", "node", 2, 0, 58, 58, 47, 47, 0, {}});
  run.hottest = {hot, "0 die", 11,  2,    run.heat[1].steady_peak, kAir, "case", 58, 95, {},
                 0,   0.8,     3.2, -0.25};
  // The memory's own power heats it by the rest, in proportion to its energy.
  double joules = 0;
  for (const auto& component : run.energy) joules += component.joules;
  const double rest = run.hottest.rise() - 0.8 - 3.2 + 0.25;
  for (std::uint32_t i = 0; i < run.energy.size(); ++i)
    run.hottest.of_memory.push_back({i, 0, 0, i % 16, rest * run.energy[i].joules / joules});
}

void let_heat_answer(ledger::RunRecord& run) {
  for (int i = 0; i < 40; ++i) {
    const double celsius = 82 + 4 * std::sin(i / 5.0);
    run.heat_epochs.push_back(
        {i * 1'000'000, 1'000'000, celsius, celsius > 85 ? 2.0 : 1.0, i < 4 ? 15.0 / 16 : 1.0});
  }
}

}  // namespace diffram::report_test
