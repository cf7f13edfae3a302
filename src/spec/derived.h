#pragma once
// Figures that follow from a spec, once for text and JSON. Internal to spec.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "spec/machine.h"
#include "spec/memory.h"

namespace diffram::spec {

struct DerivedMemory {
  double period_ns = 0;
  double capacity_gib = 0, peak_gb_per_s = 0;
  double idle_hit_ns = 0;       ///< acceptance to last data beat, row open
  double idle_closed_ns = 0;    ///< … bank closed
  double idle_conflict_ns = 0;  ///< … another row open, every other timer expired
  double refresh_share = 0;     ///< of the time a rank is in refresh
  std::int64_t unverified_values = 0;
  std::int64_t values = 0;
};

/// A value that no document backs: "unverified", "assumed", or estimated.
bool is_unverified(const base::Assumption& value);

DerivedMemory derive(const MemorySpec& memory);

/// "channel  bit 0 = a6 ^ a22", one line an output bit.
std::vector<std::string> bit_map_lines(const AddressMap& map);

/// Multiply-accumulates a second of all cores for one dtype's rate.
double peak_macs_per_s(const MachineSpec& machine, double rate);

}  // namespace diffram::spec
