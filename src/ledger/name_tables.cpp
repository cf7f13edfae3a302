// Scalars, names and notes: plain tables.

#include <array>

#include "ledger/run_tables.h"
#include "ledger/sql_rows.h"

namespace diffram::ledger {
namespace {

constexpr std::array<const char*, 12> kDriverNames = {"reads",
                                                      "writes",
                                                      "activation_tickets",
                                                      "bank_open_cycles",
                                                      "rank_open_cycles",
                                                      "rank_closed_cycles",
                                                      "refresh",
                                                      "idle",
                                                      "part_refresh",
                                                      "read_pins",
                                                      "write_pins",
                                                      "clock"};

// One row a scalar. The same list serves both ways, so neither can forget a field.

template <class Run, class Visitor>
void visit_scalars(Run& run, Visitor&& visit) {
  visit("workload", run.workload);
  visit("memory", run.memory);
  visit("machine", run.machine);
  visit("fidelity", run.fidelity);
  visit("version", run.version);
  visit("command_line", run.command_line);
  visit("steps", run.steps);
  visit("batch", run.batch);
  visit("seed", run.seed);
  visit("channels", run.channels);
  visit("ranks", run.ranks);
  visit("bank_groups", run.bank_groups);
  visit("banks_per_group", run.banks_per_group);
  visit("burst_bytes", run.burst_bytes);
  visit("peak_bytes_per_s", run.peak_bytes_per_s);
  visit("peak_live_bytes", run.peak_live_bytes);
  visit("reserved_bytes", run.reserved_bytes);
  visit("capacity_bytes", run.capacity_bytes);
  visit("steady_bound", run.steady_bound);
  visit("spec_text", run.spec_text);
  visit("unnamed_read_ones", run.unnamed_read.ones);
  visit("unnamed_read_toggle", run.unnamed_read.toggle);
  visit("unnamed_write_ones", run.unnamed_write.ones);
  visit("unnamed_write_toggle", run.unnamed_write.toggle);
  visit("unnamed_read_pj", run.unnamed_pins.read_pj);
  visit("unnamed_write_pj", run.unnamed_pins.write_pj);
}

class Scalars {
 public:
  explicit Scalars(SQLite::Database& database)
      : statement_(database, "SELECT value FROM run WHERE key = ?") {}

  void read(const char* key, std::string& value) { value = column(key).getString(); }
  void read(const char* key, double& value) { value = column(key).getDouble(); }
  template <std::integral Number>
  void read(const char* key, Number& value) {
    value = static_cast<Number>(column(key).getInt64());
  }

 private:
  SQLite::Column column(const char* key) {
    statement_.reset();
    statement_.bind(1, key);
    if (!statement_.executeStep()) throw Damaged("run");
    return statement_.getColumn(0);
  }
  SQLite::Statement statement_;
};

}  // namespace

void insert_scalars(SQLite::Database& database, const RunRecord& run) {
  Insert insert(database, "run", 2);
  visit_scalars(run, [&](const char* key, const auto& value) { insert.row(key, value); });
  insert.row("clock_period_numerator_fs", run.clock.numerator_fs());
  insert.row("clock_period_denominator", run.clock.denominator());
}

void select_scalars(SQLite::Database& database, RunRecord& run) {
  Scalars scalars(database);
  visit_scalars(run, [&](const char* key, auto& value) { scalars.read(key, value); });
  std::int64_t numerator = 0, denominator = 0;
  scalars.read("clock_period_numerator_fs", numerator);
  scalars.read("clock_period_denominator", denominator);
  if (numerator <= 0 || denominator <= 0) throw Damaged("run");
  run.clock = base::Clock(numerator, denominator);
}

void insert_names(SQLite::Database& database, const RunRecord& run) {
  std::int64_t id = 0;
  Insert input(database, "input", 3);
  for (const auto& [file, hash] : run.inputs) input.row(id++, file, hash);
  id = 0;
  Insert op(database, "op", 11);
  for (const OpRow& o : run.ops)
    op.row(id++, o.step, o.index, o.name, o.kernel, o.layer, o.phase, o.reason, o.shape, o.macs,
           o.fallback);
  id = 0;
  Insert tensor(database, "tensor", 9);
  for (const TensorRow& t : run.tensors)
    tensor.row(id++, t.name, t.tensor_class, t.bytes, t.dtype, t.data.ones, t.data.toggle,
               t.pins.read_pj, t.pins.write_pj);
  id = 0;
  Insert origin(database, "origin", 5);
  for (const OriginRow& o : run.origins) origin.row(id++, o.op, o.tensor, o.is_write, o.role);
}

void select_names(SQLite::Database& database, RunRecord& run) {
  for (Select row(database, "input"); row.next();)
    run.inputs.emplace_back(row.text(1), row.text(2));
  for (Select row(database, "op"); row.next();)
    run.ops.push_back({row.index(1), row.index(2), row.text(3), row.text(4), row.text(5),
                       row.text(6), row.text(7), row.text(8), row.integer(9), row.flag(10)});
  for (Select row(database, "tensor"); row.next();)
    run.tensors.push_back({row.text(1),
                           row.text(2),
                           row.integer(3),
                           row.text(4),
                           {row.real(5), row.real(6)},
                           {row.integer(7), row.integer(8)}});
  for (Select row(database, "origin"); row.next();)
    run.origins.push_back({row.index(1), row.index(2), row.flag(3), row.text(4)});
}

void insert_notes(SQLite::Database& database, const RunRecord& run) {
  std::int64_t id = 0;
  Insert energy(database, "energy", 7);
  for (const EnergyComponent& e : run.energy)
    energy.row(id++, e.name, kDriverNames[static_cast<std::size_t>(e.driver)], e.joules, e.dynamic,
               e.estimated, e.in_memory);
  id = 0;
  Insert power(database, "power", 4);
  for (const PowerSample& p : run.power) power.row(id++, p.begin, p.cycles, p.joules);
  id = 0;
  Insert assumption(database, "assumption", 4);
  for (const base::Assumption& a : run.assumptions)
    assumption.row(id++, a.field, a.value, a.source);
  id = 0;
  Insert diagnostic(database, "diagnostic", 5);
  for (const base::Diagnostic& d : run.diagnostics)
    diagnostic.row(id++, d.code, base::name_of(d.severity), d.message, d.evidence);
}

void select_notes(SQLite::Database& database, RunRecord& run) {
  for (Select row(database, "energy"); row.next();) {
    std::size_t driver = 0;
    while (driver < kDriverNames.size() && row.text(2) != kDriverNames[driver]) ++driver;
    row.require(driver < kDriverNames.size());
    run.energy.push_back({row.text(1), static_cast<EnergyDriver>(driver), row.real(3), row.flag(4),
                          row.flag(5), row.real(6)});
  }
  for (Select row(database, "power"); row.next();)
    run.power.push_back({row.integer(1), row.integer(2), row.real(3)});
  for (Select row(database, "assumption"); row.next();)
    run.assumptions.push_back({row.text(1), row.text(2), row.text(3)});
  for (Select row(database, "diagnostic"); row.next();) {
    auto severity = base::Severity::note;
    while (row.text(2) != base::name_of(severity)) {
      row.require(severity != base::Severity::error);
      severity = static_cast<base::Severity>(static_cast<int>(severity) + 1);
    }
    run.diagnostics.push_back({row.text(1), severity, row.text(3), row.text(4)});
  }
}

}  // namespace diffram::ledger
