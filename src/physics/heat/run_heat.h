#pragma once
// The heat of a run: its power placed in its packages, the steady state if this load lasts, and the
// temperatures when the run ends.

#include <optional>

#include "ledger/run_record.h"
#include "spec/memory.h"
#include "spec/package.h"

namespace diffram::physics::heat {

struct HeatOptions {
  /// °C of everything when the run begins; empty = the steady state of the mean power. A run is too
  /// short to warm a package (10 s and more), so anything else shows where it came from.
  std::optional<double> initial;
};

/// Fill `run.heat`, after `add_energy` (and `add_power`, whose samples then shape the transient).
/// Nothing without energy: diagnostic `heat_unknown`. Errors are those
/// of `spec::check_package`.
base::Errors add_heat(const spec::PackageSpec& package, const spec::MemorySpec& memory,
                      const HeatOptions& options, ledger::RunRecord& run);

}  // namespace diffram::physics::heat
