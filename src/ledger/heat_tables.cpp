// Temperatures, and what makes the hottest place hot.

#include <utility>

#include "ledger/packed_columns.h"
#include "ledger/run_tables.h"
#include "ledger/sql_rows.h"

namespace diffram::ledger {
namespace {

void insert_hottest(SQLite::Database& database, const HottestPlace& h) {
  if (!h.is_known()) return;
  Insert hottest(database, "hottest", 14);
  hottest.row(0, h.package, h.layer, h.column, h.row, h.celsius, h.air, h.measured_at, h.measured,
              h.limit, h.of_base, h.of_logic, h.of_neighbour, h.of_board);
  std::int64_t id = 0;
  Insert rise(database, "heat_rise", 6);
  for (const PlacedRise& r : h.of_memory)
    rise.row(id++, r.component, r.channel, r.rank, r.bank, r.kelvin);
}

HottestPlace select_hottest(SQLite::Database& database, std::size_t components) {
  HottestPlace h;
  for (Select row(database, "hottest"); row.next();) {
    h = {row.text(1),  row.text(2),  row.integer(3), row.integer(4), row.real(5),
         row.real(6),  row.text(7),  row.real(8),    row.real(9),    {},
         row.real(10), row.real(11), row.real(12),   row.real(13)};
    row.require(h.is_known());
  }
  for (Select row(database, "heat_rise"); row.next();) {
    h.of_memory.push_back({row.index(1), row.index(2), row.index(3), row.index(4), row.real(5)});
    row.require(h.of_memory.back().component < components);
  }
  return h;
}

}  // namespace

void insert_heat(SQLite::Database& database, const RunRecord& run) {
  std::int64_t id = 0;
  Insert heat(database, "heat", 12);
  for (const LayerHeat& h : run.heat)
    heat.row(id++, h.package, h.layer, h.role, h.instances, h.watts, h.steady_mean, h.steady_peak,
             h.end_mean, h.end_peak, h.columns, Blob{pack({h.map})});
  insert_hottest(database, run.hottest);
  id = 0;
  Insert heat_epoch(database, "heat_epoch", 6);
  for (const HeatEpoch& h : run.heat_epochs)
    heat_epoch.row(id++, h.begin, h.cycles, h.sensed, h.refresh_rate, h.column_share);
}

void select_heat(SQLite::Database& database, RunRecord& run) {
  for (Select row(database, "heat"); row.next();) {
    std::vector<Column> map(1);
    row.require(unpack(row.blob(11), map));
    run.heat.push_back({row.text(1), row.text(2), row.text(3), row.integer(4), row.real(5),
                        row.real(6), row.real(7), row.real(8), row.real(9), row.integer(10),
                        std::move(map.front())});
  }
  run.hottest = select_hottest(database, run.energy.size());
  for (Select row(database, "heat_epoch"); row.next();)
    run.heat_epochs.push_back(
        {row.integer(1), row.integer(2), row.real(3), row.real(4), row.real(5)});
}

}  // namespace diffram::ledger
