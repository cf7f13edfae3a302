#pragma once
// The tables of the run file: schema, and the way of a RunRecord into them and back. Throws
// SQLite::Exception, and Damaged (sql_rows.h) when reading.

#include <SQLiteCpp/Database.h>

#include "ledger/run_record.h"

namespace diffram::ledger {

void create_tables(SQLite::Database& database);
void insert_run(SQLite::Database& database, const RunRecord& run);
RunRecord select_run(SQLite::Database& database);

// The groups of tables that make up a run, in the order of the file.
void insert_scalars(SQLite::Database& database, const RunRecord& run);
void insert_names(SQLite::Database& database, const RunRecord& run);
void insert_records(SQLite::Database& database, const RunRecord& run);
void insert_live(SQLite::Database& database, const RunRecord& run);
void insert_heat(SQLite::Database& database, const RunRecord& run);
void insert_notes(SQLite::Database& database, const RunRecord& run);

void select_scalars(SQLite::Database& database, RunRecord& run);
void select_names(SQLite::Database& database, RunRecord& run);
void select_records(SQLite::Database& database, RunRecord& run);
void select_live(SQLite::Database& database, RunRecord& run);
void select_notes(SQLite::Database& database, RunRecord& run);
/// After the notes: rises name energy components.
void select_heat(SQLite::Database& database, RunRecord& run);

}  // namespace diffram::ledger
