#include "ledger/run_tables.h"

namespace diffram::ledger {
namespace {

// Plain tables for what people query (names, steps, energy, diagnostics); packed columns
// (packed_columns.h) for what grows with origins × channels.
constexpr const char* kSchema = R"(
CREATE TABLE run(key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE input(id INTEGER PRIMARY KEY, file TEXT, hash TEXT);
CREATE TABLE op(id INTEGER PRIMARY KEY, step INTEGER, position INTEGER, name TEXT, kernel TEXT,
                layer TEXT, phase TEXT, reason TEXT, shape TEXT, macs INTEGER, fallback INTEGER);
CREATE TABLE tensor(id INTEGER PRIMARY KEY, name TEXT, class TEXT, bytes INTEGER, dtype TEXT,
                    ones REAL, toggle REAL, read_pin_pj INTEGER, write_pin_pj INTEGER);
CREATE TABLE origin(id INTEGER PRIMARY KEY, op INTEGER, tensor INTEGER, is_write INTEGER, role TEXT);
CREATE TABLE record(id INTEGER PRIMARY KEY, step INTEGER, occurrence INTEGER, weight INTEGER,
                    cycles INTEGER, first_op INTEGER, first_origin INTEGER,
                    memory_only_cycles INTEGER, op_times BLOB, flow BLOB);
CREATE TABLE channel(id INTEGER PRIMARY KEY, record INTEGER, channel INTEGER, cycles INTEGER,
                     origins BLOB, unnamed BLOB, banks BLOB, ranks BLOB, shared BLOB,
                     bill BLOB, read_latency BLOB, part_refreshes BLOB);
CREATE TABLE energy(id INTEGER PRIMARY KEY, component TEXT, driver TEXT, joules REAL,
                    dynamic INTEGER, estimated INTEGER, in_memory REAL);
CREATE TABLE power(id INTEGER PRIMARY KEY, begin INTEGER, cycles INTEGER, joules REAL);
CREATE TABLE heat(id INTEGER PRIMARY KEY, package TEXT, layer TEXT, role TEXT, instances INTEGER,
                  watts REAL, steady_mean REAL, steady_peak REAL, end_mean REAL, end_peak REAL,
                  columns INTEGER, map BLOB);
CREATE TABLE hottest(id INTEGER PRIMARY KEY, package TEXT, layer TEXT, map_column INTEGER,
                     map_row INTEGER, celsius REAL, air REAL, measured_at TEXT, measured REAL,
                     upper_limit REAL, of_base REAL, of_logic REAL, of_neighbour REAL,
                     of_board REAL);
CREATE TABLE heat_rise(id INTEGER PRIMARY KEY, component INTEGER, channel INTEGER, rank INTEGER,
                       bank INTEGER, kelvin REAL);
CREATE TABLE heat_epoch(id INTEGER PRIMARY KEY, begin INTEGER, cycles INTEGER, sensed REAL,
                        refresh_rate REAL, column_share REAL);
CREATE TABLE live(id INTEGER PRIMARY KEY, moments BLOB, bytes BLOB);
CREATE TABLE assumption(id INTEGER PRIMARY KEY, field TEXT, value TEXT, source TEXT);
CREATE TABLE diagnostic(id INTEGER PRIMARY KEY, code TEXT, severity TEXT, message TEXT,
                        evidence TEXT);
)";

}  // namespace

void create_tables(SQLite::Database& database) { database.exec(kSchema); }

void insert_run(SQLite::Database& database, const RunRecord& run) {
  insert_scalars(database, run);
  insert_names(database, run);
  insert_records(database, run);
  insert_live(database, run);
  insert_notes(database, run);
  insert_heat(database, run);
}

RunRecord select_run(SQLite::Database& database) {
  RunRecord run;
  select_scalars(database, run);
  select_names(database, run);
  select_records(database, run);
  select_live(database, run);
  select_notes(database, run);
  select_heat(database, run);
  return run;
}

}  // namespace diffram::ledger
