#pragma once
// Core energy of DDR4 (all rails but VDDQ) from counters and residencies: energy-and-heat.md 2. The
// model is the exact inverse of JEDEC's current loops, for any ρ and Iβ. Integers go in, one
// multiplication by the period comes at the end, nothing is evaluated per command.

#include <cstdint>

#include "base/counters.h"
#include "spec/memory.h"

namespace diffram::physics {

/// What the formulas need of a rank. Times in cycles.
struct CoreParameters {
  spec::Currents currents;
  std::uint32_t devices = 1;  ///< per rank; currents are per device
  std::uint32_t banks = 1;    ///< per rank
  double period_s = 0;
  double ras = 0, rp = 0, rfc = 0;
  double burst = 0;  ///< burst length ÷ beats per clock, a real number
};

/// False: the spec has no currents, or not all of those that every run needs.
bool has_core_currents(const spec::MemorySpec& memory);
CoreParameters core_parameters(const spec::MemorySpec& memory);

/// A rank's joules per event and watts per state, its devices and rails summed.
struct CorePower {
  double activate = 0, precharge = 0;  ///< J; a precharge counts once per bank that it closes
  double read = 0, write = 0;          ///< J, with and without auto-precharge
  double refresh = 0;                  ///< J per REFab
  double rank_open = 0;                ///< W, shared, while at least one bank is open
  double bank_open = 0;                ///< W more for each open bank
  double rank_closed = 0;              ///< W
  double power_down_active = 0, power_down_precharge = 0, self_refresh = 0;  ///< W
};

CorePower core_power(const CoreParameters& parameters);

/// Counters summed over banks, ranks, channels and records.
struct CoreCounts {
  std::int64_t activates = 0, precharges = 0, reads = 0, writes = 0, refreshes = 0;
  std::int64_t bank_open = 0, rank_open = 0, rank_closed = 0;
  std::int64_t power_down_active = 0, power_down_precharge = 0, self_refresh = 0;  ///< cycles

  void add(const base::ChannelCounters& channel, std::int64_t weight = 1);
  CoreCounts operator-(const CoreCounts& earlier) const;
};

struct CoreEnergy {
  double activate = 0, precharge = 0, read = 0, write = 0, refresh = 0;
  double bank_open = 0, rank_open = 0, rank_closed = 0;
  double power_down_active = 0, power_down_precharge = 0, self_refresh = 0;  ///< J

  double total() const;
};

CoreEnergy core_energy(const CorePower& power, const CoreCounts& counts, double period_s);

}  // namespace diffram::physics
