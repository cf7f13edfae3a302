#pragma once
// The finest parts the page shows: ops of one name in one layer and phase. Times, bytes, joules and
// conflicts come from `attrib::explain`, so that they add up to its totals; waiting, repeats and
// row hits are plain sums over the record.

#include "report/model.h"

namespace diffram::report {

/// In program order; shares that no op made come last, with the layer "(none)".
base::Result<std::vector<Leaf>> gather_leaves(const ledger::RunRecord& run);

}  // namespace diffram::report
