#pragma once
// Core energy (all rails but VDDQ) from counters and residencies: energy-and-heat.md 2. One model
// for every family: what differs is data of the standard (spec::CurrentLoops) and of the memory.
// It is the exact inverse of JEDEC's current loops, for any ρ and Iβ. Integers go in, one
// multiplication by the period comes at the end, nothing is evaluated per command.

#include <cstdint>
#include <string>
#include <vector>

#include "base/counters.h"
#include "spec/memory.h"

namespace diffram::physics {

/// An event of a current loop, in cycles: how long it lasts, and how long its bank counts as open
/// meanwhile. They differ where a command of several cycles acts in its last one.
struct Lasting {
  double cycles = 0;
  double counted = 0;
};

/// What the formulas need of a rank. Times in cycles.
struct CoreParameters {
  spec::Currents currents;
  spec::CurrentLoops loops;
  std::uint32_t devices = 1;     ///< per rank; currents are per device
  std::uint32_t banks = 1;       ///< per rank
  std::uint32_t part_banks = 1;  ///< that one partial refresh refreshes
  double period_s = 0;
  double rp = 0;
  double refi = 0;             ///< between two REFab
  double burst = 0;            ///< burst length ÷ beats per cycle, a real number
  Lasting row, refresh, part;  ///< tRAS, tRFC, tRFC of a partial refresh
};

/// Currents that every run needs and the memory does not have ("VDD.I5"); empty = energy is known
/// as long as no rank sleeps.
std::vector<std::string> missing_currents(const spec::MemorySpec& memory);
/// False: a partial refresh is taken to cost as much for a bank as REFab does.
bool has_part_current(const CoreParameters& parameters);
CoreParameters core_parameters(const spec::MemorySpec& memory);

/// A rank's joules per event and watts per state, its devices and rails summed.
struct CorePower {
  double activate = 0, precharge = 0;  ///< J; a precharge counts once per bank that it closes
  double read = 0, write = 0;          ///< J, with and without auto-precharge
  double refresh = 0;                  ///< J for each bank of a REFab
  double part_refresh = 0;             ///< J for each bank of a partial refresh
  double rank_open = 0;                ///< W, shared, while at least one bank is open
  double bank_open = 0;                ///< W more for each open bank
  double rank_closed = 0;              ///< W
  double power_down_active = 0, power_down_precharge = 0;  ///< W
  double self_refresh = 0, deep_sleep = 0;                 ///< W
};

CorePower core_power(const CoreParameters& parameters);

/// Counters summed over banks, ranks, channels and records. Refreshes count by bank.
struct CoreCounts {
  std::int64_t activates = 0, precharges = 0, reads = 0, writes = 0;
  std::int64_t refreshes = 0, part_refreshes = 0;
  std::int64_t bank_open = 0, rank_open = 0, rank_closed = 0;    ///< cycles
  std::int64_t power_down_active = 0, power_down_precharge = 0;  ///< cycles
  std::int64_t self_refresh = 0, deep_sleep = 0;                 ///< cycles

  void add(const base::ChannelCounters& channel, std::int64_t weight = 1);
  CoreCounts operator-(const CoreCounts& earlier) const;
};

struct CoreEnergy {
  double activate = 0, precharge = 0, read = 0, write = 0, refresh = 0, part_refresh = 0;
  double bank_open = 0, rank_open = 0, rank_closed = 0;
  double power_down_active = 0, power_down_precharge = 0, self_refresh = 0, deep_sleep = 0;  ///< J

  double total() const;
};

CoreEnergy core_energy(const CorePower& power, const CoreCounts& counts, double period_s);

}  // namespace diffram::physics
