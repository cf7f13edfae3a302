#include "physics/heat/run_heat.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "physics/heat/heat_rises.h"
#include "physics/heat/package_model.h"
#include "physics/heat/power_map.h"
#include "physics/heat/solver.h"

namespace diffram::physics::heat {

namespace {

// Half the step moves no reported temperature by more than this.
constexpr double kStepError = 0.05;  // K
constexpr std::size_t kLeastSteps = 16, kMostSteps = 4096;

/// The run's power over its mean, in `steps` parts of equal length.
std::vector<double> load_over_time(const ledger::RunRecord& run, std::size_t steps) {
  std::vector<double> load(steps, 1.0);
  if (run.power.empty()) return load;
  double cycles = 0, joules = 0;
  for (const auto& sample : run.power) {
    cycles += static_cast<double>(sample.cycles);
    joules += sample.joules;
  }
  if (joules <= 0 || cycles <= 0) return load;
  const double length = cycles / static_cast<double>(steps), mean = joules / cycles;
  std::fill(load.begin(), load.end(), 0.0);
  double begin = 0;
  for (const auto& sample : run.power) {
    const double end = begin + static_cast<double>(sample.cycles);
    const double power = sample.joules / static_cast<double>(sample.cycles) / mean;
    for (auto i = static_cast<std::size_t>(begin / length); i < steps; ++i) {
      const double from = std::max(begin, static_cast<double>(i) * length);
      const double to = std::min(end, static_cast<double>(i + 1) * length);
      if (from >= end) break;
      load[i] += power * (to - from) / length;
    }
    begin = end;
  }
  return load;
}

/// A package with its load. Equal packages share the solver, and so its factors.
class Heating {
 public:
  Heating(Solver& solver, std::vector<double> others, std::vector<double> memory)
      : solver_(solver), others_(std::move(others)), memory_(std::move(memory)) {}

  std::vector<double> watts(double load = 1) const {
    std::vector<double> all = others_;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += load * memory_[i];
    return all;
  }
  std::vector<double> steady() const { return solver_.steady(watts()); }

  /// At the end of the run, with steps so short that half of them change nothing that is shown.
  std::vector<double> at_end(const std::vector<double>& first, const ledger::RunRecord& run,
                             double seconds) {
    std::vector<double> coarse = stepped(first, run, seconds, kLeastSteps);
    for (std::size_t steps = 2 * kLeastSteps; steps <= kMostSteps; steps *= 2) {
      std::vector<double> fine = stepped(first, run, seconds, steps);
      double moved = 0;
      for (std::size_t i = 0; i < fine.size(); ++i)
        moved = std::max(moved, std::abs(fine[i] - coarse[i]));
      coarse = std::move(fine);
      if (moved <= kStepError) break;
    }
    return coarse;
  }

 private:
  std::vector<double> stepped(std::vector<double> celsius, const ledger::RunRecord& run,
                              double seconds, std::size_t steps) {
    for (const double load : load_over_time(run, steps))
      solver_.step(celsius, watts(load), seconds / static_cast<double>(steps));
    return celsius;
  }

  Solver& solver_;
  std::vector<double> others_, memory_;
};

std::string range(const char* what, std::uint32_t first, std::uint32_t count) {
  return count == 1 ? fmt::format("{} {}", what, first)
                    : fmt::format("{}s {}-{}", what, first, first + count - 1);
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string layer_name(const spec::PackageSpec& package, std::uint32_t layer) {
  return fmt::format("{} {}", layer, package.layers[layer].name);
}

void describe_layers(const PackageModel& model, const spec::PackageSpec& package,
                     const std::vector<double>& watts, const std::vector<double>& steady,
                     const std::vector<double>& end, const std::string& name,
                     std::int64_t instances, ledger::RunRecord& run) {
  const auto row = [&](std::string layer, std::string role, std::uint32_t first,
                       std::uint32_t cells) {
    const auto now = std::span(steady).subspan(first, cells);
    const auto last = std::span(end).subspan(first, cells);
    const auto power = std::span(watts).subspan(first, cells);
    ledger::LayerHeat out;
    out.package = name;
    out.layer = std::move(layer);
    out.role = std::move(role);
    out.instances = instances;
    out.watts = std::accumulate(power.begin(), power.end(), 0.0);
    out.steady_mean = mean_of(now);
    out.steady_peak = std::ranges::max(now);
    out.end_mean = mean_of(last);
    out.end_peak = std::ranges::max(last);
    return out;
  };
  const Block& block = model.block();
  for (std::uint32_t l = 0; l < package.layers.size(); ++l) {
    auto layer = row(layer_name(package, l), spec::name_of(package.layers[l].role),
                     block.node(l, 0, 0), block.cells());
    layer.columns = block.nx;
    for (std::uint32_t c = 0; c < block.cells(); ++c)
      layer.map.push_back(std::llround(1000 * steady[block.node(l, 0, 0) + c]));
    run.heat.push_back(std::move(layer));
  }
  run.heat.push_back(row("case", "node", model.case_node(), 1));
  run.heat.push_back(row("board", "node", model.board_node(), 1));
  if (const auto neighbour = model.neighbour_node())
    run.heat.push_back(row("neighbour", "node", *neighbour, 1));
}

/// Where a steady state is hottest, without the sources of its heat.
ledger::HottestPlace place_of(const PackageModel& model, const spec::PackageSpec& package,
                              const spec::TemperatureLimits& limits,
                              const std::vector<double>& steady, std::uint32_t node,
                              const std::string& name) {
  const Block& block = model.block();
  const std::uint32_t cell = (node - block.node(0, 0, 0)) % block.cells();
  const std::uint32_t layer = (node - block.node(0, 0, 0)) / block.cells();
  ledger::HottestPlace out;
  out.package = name;
  out.layer = layer_name(package, layer);
  out.column = cell % block.nx;
  out.row = cell / block.nx;
  out.celsius = steady[node];
  out.air = package.air.value_or(0);  // `check_package` has asked for it
  out.measured_at = spec::kMeasuredAtNames[static_cast<std::size_t>(limits.measured_at)];
  out.measured = model.measured(steady, limits.measured_at);
  if (!limits.bands.empty()) out.limit = limits.bands.back().up_to;
  return out;
}

}  // namespace

base::Errors add_heat(const spec::PackageSpec& package, const spec::MemorySpec& memory,
                      const HeatOptions& options, ledger::RunRecord& run) {
  if (auto errors = spec::check_package(package, memory); !errors.empty()) return errors;
  const PowerMap map = power_map(run);
  if (run.energy.empty() || map.seconds <= 0) {
    run.diagnostics.push_back({"heat_unknown", base::Severity::warning,
                               "No temperatures: the energy of this run is not known",
                               package.name});
    return {};
  }
  const PackageModel model(package, memory);
  auto solver = Solver::make(model.network());
  if (!solver) return solver.error();
  const auto devices = memory.organisation.devices();
  PackageOfRun hottest_package;
  std::uint32_t hottest_node = 0;
  for (std::uint32_t c = 0; c < run.channels; c += package.channels) {
    for (std::uint32_t r = 0; r < run.ranks; r += package.ranks) {
      Heating heating(*solver, model.other_watts(), model.memory_watts(map, c, r));
      const auto steady = heating.steady();
      const auto first = options.initial ? std::vector(steady.size(), *options.initial) : steady;
      const std::string name =
          range("channel", c, package.channels) + ", " + range("rank", r, package.ranks);
      describe_layers(model, package, heating.watts(), steady,
                      heating.at_end(first, run, map.seconds), name, devices, run);
      const std::uint32_t node = model.hottest_cell(steady);
      if (run.hottest.is_known() && steady[node] <= run.hottest.celsius) continue;
      run.hottest = place_of(model, package, memory.temperature, steady, node, name);
      hottest_package = {c, r, package.channels, package.ranks};
      hottest_node = node;
    }
  }
  add_rises(model, *solver, run, hottest_package, hottest_node, run.hottest);
  run.assumptions.insert(run.assumptions.end(), package.provenance.begin(),
                         package.provenance.end());
  return {};
}

}  // namespace diffram::physics::heat
