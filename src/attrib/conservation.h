#pragma once
// Sums that must agree, each side added up from counters of its own. 0 means that they do.

#include <cstdint>

#include "ledger/run_record.h"

namespace diffram::attrib {

struct Conservation {
  /// Σ bill of a channel against its cycles and the record's, Σ op times against the record's.
  std::int64_t cycles = 0;
  /// Σ flow of requests against (column commands + forwarded reads) × burst bytes, records of
  /// programs only: a replayed trace has no flow.
  std::int64_t bytes = 0;
  /// hits + misses + conflicts against RD + WR by origin, and banks against origins.
  std::int64_t commands = 0;
  /// Σ rows of the energy by everything against Σ components.
  double energy_relative = 0;
};

/// Differences are added without their signs, so that none can hide another.
Conservation check_conservation(const ledger::RunRecord& run);

}  // namespace diffram::attrib
