#include "physics/power_over_time.h"

#include <fmt/format.h>

#include <algorithm>

#include "physics/core_energy.h"

namespace diffram::physics {
namespace {

/// Fewer intervals than this in an epoch, and one more or less is seen as a wave of power: by a
/// tenth of what refresh takes.
constexpr std::int64_t kIntervalsAnEpoch = 10;

double joules_of(const spec::MemorySpec& memory, const ledger::Epoch& epoch,
                 const BurstRates& rates) {
  double joules = 0;
  for (const auto& component : run_of(memory, epoch, rates).energy) joules += component.joules;
  return joules;
}

void warn_of_refresh(const spec::MemorySpec& memory, std::int64_t epoch, ledger::RunRecord& run) {
  const auto found = memory.timings.find(memory.controller.refresh_by_parts ? "nREFIpb" : "nREFI");
  if (found == memory.timings.end() || found->second <= 0) return;
  const std::int64_t interval = found->second;
  const bool shows_each = 2 * epoch <= interval;
  if (shows_each || epoch % interval == 0 || epoch >= kIntervalsAnEpoch * interval) return;
  run.diagnostics.push_back(
      {"power_epoch_beats", base::Severity::warning,
       fmt::format("Power samples beat with refresh: an epoch of {} cycles has {} or {} refresh "
                   "intervals of {} cycles; a multiple such as --power-epoch {} does not",
                   epoch, epoch / interval, epoch / interval + 1, interval,
                   kIntervalsAnEpoch * interval),
       fmt::format("{:.2f} intervals",
                   static_cast<double>(epoch) / static_cast<double>(interval))});
}

void warn_of_steps(std::int64_t epoch, ledger::RunRecord& run) {
  std::int64_t shortest = 0;
  for (const ledger::StepRecord& record : run.records) {
    const bool repeats = record.weight > 1 || std::ranges::count(run.records, record.step,
                                                                 &ledger::StepRecord::step) > 1;
    if (repeats && (shortest == 0 || record.cycles < shortest)) shortest = record.cycles;
  }
  if (shortest == 0 || 2 * epoch <= shortest) return;
  run.diagnostics.push_back(
      {"power_epoch_hides_steps", base::Severity::warning,
       fmt::format("Power samples beat with the steps: an epoch of {} cycles is longer than half a "
                   "repeated step of {} cycles",
                   epoch, shortest),
       fmt::format("at most --power-epoch {}", shortest / 2)});
}

}  // namespace

void add_power(const spec::MemorySpec& memory, const std::vector<ledger::Epoch>& epochs,
               std::int64_t epoch_cycles, ledger::RunRecord& run) {
  if (run.energy.empty() || epochs.empty()) return;
  const BurstRates rates = mean_rates(run);
  for (const ledger::Epoch& epoch : epochs)
    run.power.push_back({epoch.begin, epoch.cycles, joules_of(memory, epoch, rates)});
  const std::int64_t length = std::max(epoch_cycles, run.power.front().cycles);
  if (length > epoch_cycles) {
    run.diagnostics.push_back({"power_epoch_lengthened", base::Severity::note,
                               "The run has more epochs than are kept: they were joined",
                               fmt::format("{} cycles instead of {}", length, epoch_cycles)});
  }
  warn_of_refresh(memory, length, run);
  warn_of_steps(length, run);
}

}  // namespace diffram::physics
