#pragma once
// A program's state as a file, so that a killed run can go on (docs/decisions/0003).

#include <string>

#include "base/result.h"
#include "sim/program.h"

namespace diffram::sim {

/// Whole or not there. `identity` says what the state belongs to: everything that the result
/// depends on. Errors: `disk_full`, `cannot_write`.
base::Result<void> write_checkpoint(const ProgramState& state, const std::string& identity,
                                    const std::string& path);

/// Errors: `cannot_open`, `corrupt` (damaged, cut off or of another version), `other_run` (its
/// identity differs).
base::Result<ProgramState> read_checkpoint(const std::string& path, const std::string& identity);

}  // namespace diffram::sim
