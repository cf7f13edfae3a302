#pragma once
// The run file (`.dfr`, docs/run-file.md): one SQLite file that holds a whole RunRecord and gives
// it back equal, field by field. Same record, same bytes.

#include <string>

#include "base/result.h"
#include "ledger/run_record.h"

namespace diffram::ledger {

inline constexpr int kRunFileVersion = 3;  ///< SQLite's user_version; changes with the schema

/// Written as `path`.partial in the same folder, synced, then renamed: a killed or failed write
/// leaves no half file under `path`. Errors: `disk_full`, `cannot_write`.
base::Result<void> write_run(const RunRecord& run, const std::string& path);

/// Errors: `cannot_open`, `not_a_run_file`, `truncated`, `schema_version`, `corrupt`.
base::Result<RunRecord> read_run(const std::string& path);

}  // namespace diffram::ledger
