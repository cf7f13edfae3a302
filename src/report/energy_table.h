#pragma once
// Energy component × tensor class. Each component is shared out by its integer driver
// (energy-and-heat.md 7); what no origin made is the shared account, so a row sums to its total.

#include "report/model.h"

namespace diffram::report {

std::vector<EnergyRow> energy_table(const ledger::RunRecord& run);

/// Tensors whose bytes DRAM delivered again without a write in between, most repeated bytes first.
std::vector<RepeatedTensor> repeated_tensors(const ledger::RunRecord& run);

}  // namespace diffram::report
