// The module diffram._core: `session` for Python. It converts and does nothing else; names,
// defaults and documents for people are in python/diffram/simulation.py.

#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <exception>
#include <functional>

#include "conversions.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace diffram::python {

namespace {

/// A table by columns: what attrib::Table holds by rows.
struct ColumnTable {
  std::vector<std::string> axes;
  std::string metric, unit;
  double total = 0;
  std::int64_t exact_total = 0;
  std::vector<std::vector<std::string>> keys;  ///< one list an axis
  Column<double> value, share;
  Column<std::int64_t> exact;
};

ColumnTable by_columns(const attrib::Table& table) {
  std::vector<double> value, share;
  std::vector<std::int64_t> exact;
  std::vector<std::vector<std::string>> keys(table.axes.size());
  for (const attrib::Row& row : table.rows) {
    value.push_back(row.value);
    share.push_back(row.share);
    exact.push_back(row.exact);
    for (std::size_t axis = 0; axis < keys.size(); ++axis) keys[axis].push_back(row.keys[axis]);
  }
  return {table.axes,
          table.metric,
          table.unit,
          table.total,
          table.exact_total,
          std::move(keys),
          to_column(std::move(value)),
          to_column(std::move(share)),
          to_column(std::move(exact))};
}

attrib::Metric metric_of(const std::string& name) {
  if (const auto metric = attrib::metric_of(name)) return *metric;
  base::Error error;
  error.code = "unknown_metric";
  error.message = "there is no metric \"" + name + "\"";
  error.field = "of";
  error.expected = "time, channel-time, bytes, energy, conflicts or heat";
  raise_failure({session::kBadInput, {error}, {}});
}

ColumnTable explain(const session::Run& run, std::vector<std::string> by, const std::string& of,
                    std::size_t top) {
  base::Result<attrib::Table> table =
      attrib::explain(run.record, {std::move(by), metric_of(of), top});
  if (!table) raise_failure({session::kBadInput, table.error(), {}});
  return by_columns(*table);
}

using ProgressCall = std::function<void(const std::string&, double)>;

/// Runs without the interpreter's lock. Ctrl-C, and an exception of `progress`, are seen at the
/// next report of progress: the simulation is stopped there and the exception goes on.
session::Run run_workload(session::RunOptions options, const ProgressCall& progress) {
  std::atomic<bool> stop = false;
  std::exception_ptr raised;
  options.stop = &stop;
  options.progress = [&](const session::Progress& report) {
    if (stop) return;
    const nb::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (progress) progress(report.what, report.fraction);
    } catch (const nb::python_error&) {
      raised = std::current_exception();
      stop = true;
    }
  };
  session::Outcome<session::Run> outcome = [&] {
    const nb::gil_scoped_release unlocked;
    return session::run_workload(options);
  }();
  if (raised) std::rethrow_exception(raised);
  return value_or_raise(std::move(outcome));
}

void bind_options(nb::module_& module) {
  nb::class_<session::RunOptions>(module, "RunOptions")
      .def(nb::init<>())
      .def_rw("workload", &session::RunOptions::workload)
      .def_rw("machine", &session::RunOptions::machine)
      .def_rw("memory", &session::RunOptions::memory)
      .def_rw("images", &session::RunOptions::images)
      .def_rw("steps", &session::RunOptions::steps)
      .def_rw("checkpointing", &session::RunOptions::checkpointing)
      .def_rw("exact", &session::RunOptions::exact)
      .def_rw("bounds", &session::RunOptions::bounds, nb::arg().none())
      .def_rw("threads", &session::RunOptions::threads)
      .def_rw("seed", &session::RunOptions::seed)
      .def_rw("package", &session::RunOptions::package)
      .def_rw("initial", &session::RunOptions::initial, nb::arg().none())
      .def_rw("epoch", &session::RunOptions::epoch)
      .def_rw("throttling_threshold", &session::RunOptions::throttling_threshold, nb::arg().none())
      .def_rw("hysteresis", &session::RunOptions::hysteresis)
      .def_rw("heat_stretch", &session::RunOptions::heat_stretch)
      .def_rw("allow_overcommit", &session::RunOptions::allow_overcommit)
      .def_rw("allocator", &session::RunOptions::allocator)
      .def_rw("settings", &session::RunOptions::set)
      .def_rw("command_line", &session::RunOptions::command_line);
}

void bind_table(nb::module_& module) {
  // The number columns own their memory already: automatic hands it on without a copy.
  nb::class_<ColumnTable>(module, "ColumnTable")
      .def_ro("axes", &ColumnTable::axes)
      .def_ro("metric", &ColumnTable::metric)
      .def_ro("unit", &ColumnTable::unit)
      .def_ro("total", &ColumnTable::total)
      .def_ro("exact_total", &ColumnTable::exact_total)
      .def_ro("keys", &ColumnTable::keys)
      .def_ro("value", &ColumnTable::value, nb::rv_policy::automatic)
      .def_ro("share", &ColumnTable::share, nb::rv_policy::automatic)
      .def_ro("exact", &ColumnTable::exact, nb::rv_policy::automatic);
}

void bind_run(nb::module_& module) {
  nb::class_<session::Run>(module, "Run")
      .def("json", &session::json_of)
      .def("explain", &explain, "by"_a, "of"_a, "top"_a)
      .def(
          "save",
          [](const session::Run& run, const std::string& file) {
            value_or_raise(session::save_run(run.record, file));
          },
          "file"_a)
      .def(
          "report",
          [](const session::Run& run, const std::string& file) {
            value_or_raise(session::write_report(run, file));
          },
          "file"_a);
}

}  // namespace

NB_MODULE(_core, module) {
  bind_options(module);
  bind_table(module);
  bind_run(module);
  module.def("run_workload", &run_workload, "options"_a, "progress"_a.none());
  module.def(
      "open_run", [](const std::string& file) { return value_or_raise(session::open_run(file)); },
      "file"_a);
  module.def(
      "names", [](const std::string& what) { return value_or_raise(session::list(what, true)); },
      "what"_a);
  module.def("version", &session::version);
}

}  // namespace diffram::python
