#pragma once
// What heats the hottest place of a memory, and by how much. The network is linear, so each watt's
// part of a rise is its own, whatever the others do.

#include "ledger/run_record.h"
#include "physics/heat/package_model.h"
#include "physics/heat/solver.h"

namespace diffram::physics::heat {

/// A distinct package of a run, by the first channel and rank in it.
struct PackageOfRun {
  std::uint32_t first_channel = 0, first_rank = 0;
  std::uint32_t channels = 1, ranks = 1;
};

/// Fill `out.of_…` for a node of that package: K above `out.air`, Σ = the node's steady rise.
/// Components that do not heat the node have no entry.
void add_rises(const PackageModel& model, const Solver& solver, const ledger::RunRecord& run,
               const PackageOfRun& package, std::uint32_t node, ledger::HottestPlace& out);

}  // namespace diffram::physics::heat
