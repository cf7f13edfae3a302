// The views of a run: run file, page, terminal, JSON, tables.

#include <fmt/format.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "ledger/run_file.h"
#include "report/page.h"
#include "report/run_json.h"
#include "report/tables.h"
#include "report/terminal.h"
#include "session/checkpoints.h"
#include "session/inputs.h"
#include "session/session.h"

namespace diffram::session {

std::vector<std::string> metric_names() {
  return {attrib::kMetricNames.begin(), attrib::kMetricNames.end()};
}

Outcome<void> save_run(const ledger::RunRecord& record, const std::string& file) {
  if (auto written = ledger::write_run(record, file); !written) {
    return not_finished(written.error());
  }
  remove_checkpoints(file);
  return {};
}

Outcome<Run> open_run(const std::string& file) {
  auto record = ledger::read_run(file);
  if (!record) return bad_input(record.error());
  Run run;
  run.record = std::move(*record);
  run.summary = attrib::summarise(run.record);
  run.requests = bursts_of(run.record.records);
  return run;
}

Outcome<void> write_report(const Run& run, const std::string& file) {
  auto model = report::build_model(run.record);
  if (!model) return bad_input(model.error());
  if (auto written = report::write_html(*model, file); !written) {
    return not_finished(written.error());
  }
  return {};
}

Outcome<std::string> terminal_summary(const Run& run, const std::string& run_file) {
  auto model = report::build_model(run.record);
  if (!model) return bad_input(model.error());
  auto options = report::terminal_of(STDOUT_FILENO);
  options.run_file = run_file;
  return report::terminal_summary(*model, options);
}

std::string json_of(const Run& run) {
  report::RunFacts facts;
  if (run.wall.total > 0) facts.wall_s = run.wall.total;
  facts.requests = static_cast<std::int64_t>(run.requests);
  if (run.requests_in_trace && run.requests_completed) {
    facts.requests_in_trace = static_cast<std::int64_t>(*run.requests_in_trace);
    facts.requests_completed = static_cast<std::int64_t>(*run.requests_completed);
  }
  return report::run_json(run.record, run.summary, facts);
}

Outcome<attrib::Table> explain_file(const std::string& file, const std::vector<std::string>& by,
                                    const std::string& of, std::size_t top) {
  auto run = ledger::read_run(file);
  if (!run) return bad_input(run.error());
  const attrib::Query query{by, attrib::metric_of(of).value_or(attrib::Metric::time), top};
  auto table = attrib::explain(*run, query);
  if (!table) return bad_input(table.error());
  return *table;
}

std::string table_text(const attrib::Table& table) {
  return report::table_text(table, report::terminal_of(STDOUT_FILENO).is_utf8);
}
std::string table_json(const attrib::Table& table) { return report::table_json(table); }
std::string table_csv(const attrib::Table& table) { return report::table_csv(table); }

Outcome<void> write_text(const std::string& file, const std::string& text) {
  if (auto written = base::write_whole_file(file, text); !written) {
    return not_finished(written.error());
  }
  return {};
}

}  // namespace diffram::session
