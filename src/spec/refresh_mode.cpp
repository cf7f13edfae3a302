#include "spec/refresh_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spec/rounding.h"

namespace diffram::spec {

namespace {

// The bill keeps the last 256 bursts of the bus: what lies between a command and the end of its
// data must fit (docs/bill.md).
constexpr std::int64_t kMostLatency = 255;

std::int64_t cycles_of(const MemorySpec& memory, const char* name) {
  const auto found = memory.timings.find(name);
  return found == memory.timings.end() ? 0 : found->second;
}

/// REFab at this granularity has currents of its own: they take the place of I5.
bool use_fine_current(MemorySpec& memory, std::int64_t granularity) {
  if (!memory.currents) return false;
  const auto fine = granularity == 2 ? &RailCurrents::i5_2x : &RailCurrents::i5_4x;
  auto& rails = memory.currents->rails;
  if (std::any_of(rails.begin(), rails.end(),
                  [&](const RailCurrents& rail) { return std::isnan(rail.*fine); }))
    return false;
  for (RailCurrents& rail : rails) rail.i5 = rail.*fine;
  return true;
}

}  // namespace

void apply_refresh_granularity(const Standard& standard, MemorySpec& memory, Reading& reading) {
  const std::int64_t granularity = memory.controller.refresh_granularity;
  if (granularity == 1) return;
  const auto gigabits = static_cast<std::int64_t>(memory.organisation.device_bits >> 30);
  const auto found = standard.laws.fine_refresh_ns.find({granularity, gigabits});
  if (found == standard.laws.fine_refresh_ns.end()) {
    reading.refuse("no_such_mode", "controller.refresh_granularity", 0,
                   fmt::format("the tRFC of {}x refresh of a {} Gb die is not known for {}",
                               granularity, gigabits, standard.name),
                   "1");
    return;
  }
  memory.timings["nRFC"] = static_cast<std::int32_t>(shortest_time_in_cycles(
      found->second, memory.clock.numerator_fs(), memory.clock.denominator(), standard.rounding));
  memory.timings["nREFI"] = static_cast<std::int32_t>(cycles_of(memory, "nREFI") / granularity);
  if (use_fine_current(memory, granularity)) return;
  memory.diagnostics.push_back(
      {"fine_refresh_current", base::Severity::warning,
       fmt::format("no current of {0}x refresh is stated: I5 is used, and the energy of {0}x "
                   "refresh is an estimate",
                   granularity),
       memory.name});
}

void check_part_refresh(const MemorySpec& memory, Reading& reading) {
  const std::int64_t interval = cycles_of(memory, "nREFIpb");
  if (!memory.controller.refresh_by_parts || interval == 0 || !memory.protocol.part_refresh) return;
  const auto command = *memory.protocol.part_refresh;
  std::int64_t apart = 0;  // two refreshes of different parts
  for (const auto& row : memory.constraints) {
    if (row.before == command && row.after == command && row.scope != Scope::bank)
      apart = std::max<std::int64_t>(apart, row.cycles);
  }
  const auto& o = memory.organisation;
  const std::int64_t parts =
      std::int64_t{o.banks_per_group} * groups_refreshed_apart(o, memory.protocol.refresh_unit);
  // Between two refreshes of a bank one burst of it is served.
  const std::int64_t least = cycles_of(memory, "nRFCpb") + cycles_of(memory, "nRC") +
                             cycles_of(memory, "nCWL") + cycles_of(memory, "nWR");
  if (interval > apart && interval * parts > least) return;
  reading.refuse("no_time_between_refreshes", "timings.tREFIpb", 0,
                 fmt::format("a refresh of a part of the rank every {} cycles leaves no time for a "
                             "burst",
                             interval),
                 fmt::format("more than {} cycles", std::max(apart, least / parts)));
}

void check_limits(const MemorySpec& memory, Reading& reading) {
  const auto n = [&](const char* name) { return cycles_of(memory, name); };
  // From REFab to the next: one row is opened, one burst served, the row closed.
  const std::int64_t one_burst =
      std::max(n("nRC"), n("nRCD") + n("nCWL") + n("nBL") + n("nWR") + n("nRP"));
  const std::int64_t least = n("nRFC") + one_burst;
  if (n("nREFI") > 0 && n("nREFI") <= least)
    reading.refuse("no_time_between_refreshes", "timings.tREFI", 0,
                   fmt::format("a refresh of {} cycles every {} leaves no time for a burst",
                               n("nRFC"), n("nREFI")),
                   fmt::format("more than {} cycles, or 0 for no refresh", least));
  const std::int64_t latency = std::max(n("nCL"), n("nCWL")) + n("nBL");
  if (latency >= kMostLatency)
    reading.refuse("out_of_range", n("nCL") >= n("nCWL") ? "timings.tCL" : "timings.tCWL", 0,
                   fmt::format("the data of a burst end {} cycles after its command", latency),
                   fmt::format("fewer than {} cycles", kMostLatency));
}

}  // namespace diffram::spec
