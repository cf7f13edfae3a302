#pragma once
// What the memory wait would be if the machine computed k times as fast (its stated efficiency ×
// k).
//
// Nothing is simulated again. Of each op we know its compute time C, its wait W and M, the time
// that memory needs for it: the largest, over channels, of the data-bus cycles billed to its
// requests (idle pieces are not among them); where the record's memory-only time was simulated, the
// M of its ops are scaled to add up to that. M is cut to C + W, the time the op really took. What
// the op took beyond the longer of the two, O = C + W − max(C, M), is start-up that no overlap
// hides, and stays.
//
//   time(k) = max(C/k, M) + O        wait(k) = time(k) − C/k
//
// At k = 1 both are what was simulated. wait(k) never falls and time(k) never rises with k, so
// neither does the share of wait in the time fall.

#include "ledger/run_record.h"

namespace diffram::attrib {

/// Σ wait(k) ÷ Σ (time(k) + launch gaps), weights applied; 0 for a run without ops.
double wait_share_at(const ledger::RunRecord& run, double efficiency_factor);

/// Both ends of what `run --json` prints, in one pass over the bill.
struct WaitShares {
  double half_efficiency = 0, double_efficiency = 0;
};
WaitShares estimate_wait_shares(const ledger::RunRecord& run);

}  // namespace diffram::attrib
