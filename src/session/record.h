#pragma once
// From what was lowered to the rows of the run record: ops, tensors and origins with every axis by
// name.

#include "ledger/run_record.h"
#include "lower/lowering.h"
#include "sim/program.h"
#include "trace/tensor_trace.h"

namespace diffram::session {

/// Fill ops, tensors and origins of `record`.
void name_rows(const trace::TensorTrace& trace, const lower::OriginTable& table,
               ledger::RunRecord& record);

/// Where the ops and origins of each stored step lie in the table.
std::vector<sim::ProgramStep> program_steps(const trace::TensorTrace& trace,
                                            const lower::OriginTable& table);

}  // namespace diffram::session
