// When is a repeated step steady? Two successive occurrences agree when total time and activations
// are within 0.1 %, every origin that moves at least 0.1 % of the bytes is billed within 1 %, and
// the differences of all other origins add up to at most 0.5 % of the time (lowering.md 6). Column
// commands, refreshes a cycle and currents being equal, energy differs only by activations and
// time, so these two stand for it.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "sim/program.h"

namespace diffram::sim {

namespace {

constexpr double kTotalLimit = 0.001;
constexpr double kOriginLimit = 0.01;
constexpr double kRestLimit = 0.005;
constexpr double kOriginShare = 0.001;

struct StepSums {
  std::int64_t activations = 0, bursts = 0;
  std::vector<std::int64_t> origin_bursts, origin_cycles;
};

StepSums sums_of(const ledger::StepRecord& record) {
  StepSums sums;
  sums.origin_bursts.resize(record.flow.size());
  sums.origin_cycles.resize(record.flow.size());
  for (const auto& channel : record.channels) {
    for (const auto& bank : channel.banks) sums.activations += bank.act;
    for (std::size_t i = 0; i < channel.origins.size(); ++i) {
      const std::int64_t bursts = channel.origins[i].reads + channel.origins[i].writes;
      sums.bursts += bursts;
      sums.origin_bursts[i] += bursts;
    }
    for (const auto& [key, cycles] : channel.bill) {
      const std::size_t i = key.victim.value - record.first_origin;
      if (key.victim != base::kNoOrigin && i < sums.origin_cycles.size())
        sums.origin_cycles[i] += cycles;
    }
  }
  return sums;
}

double relative(std::int64_t a, std::int64_t b) {
  const double scale = static_cast<double>(std::max(std::abs(a), std::abs(b)));
  return scale > 0 ? static_cast<double>(std::abs(a - b)) / scale : 0;
}

}  // namespace

bool agree(const ledger::StepRecord& before, const ledger::StepRecord& after, double& difference) {
  const StepSums a = sums_of(before), b = sums_of(after);
  const double time = relative(before.cycles, after.cycles);
  const double activations = relative(a.activations, b.activations);
  difference = std::max({difference, time, activations});
  bool same = time <= kTotalLimit && activations <= kTotalLimit;
  std::int64_t rest = 0;
  for (std::size_t i = 0; i < a.origin_bursts.size() && i < b.origin_bursts.size(); ++i) {
    if (static_cast<double>(a.origin_bursts[i]) >= kOriginShare * static_cast<double>(a.bursts)) {
      same = same && relative(a.origin_cycles[i], b.origin_cycles[i]) <= kOriginLimit;
    } else {
      rest += std::abs(a.origin_cycles[i] - b.origin_cycles[i]);
    }
  }
  const auto bus_cycles =
      static_cast<double>(after.cycles) * static_cast<double>(after.channels.size());
  return same && static_cast<double>(rest) <= kRestLimit * bus_cycles;
}

}  // namespace diffram::sim
