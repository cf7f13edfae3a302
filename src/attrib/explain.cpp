#include "attrib/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "attrib/metrics.h"

namespace diffram::attrib {
namespace {

tl::unexpected<base::Errors> refuse(const std::string& code, const std::string& message,
                                    const std::string& expected) {
  base::Error error;
  error.code = code;
  error.message = message;
  error.field = "by";
  error.expected = expected;
  return base::failure(std::move(error));
}

/// The file holds no dense product of axes: banks are counted without origins, the bill without
/// banks.
base::Result<void> check_held(const ledger::RunRecord& run, const std::vector<Axis>& axes,
                              Metric of) {
  const bool by_place = holds_any(axes, {Axis::rank, Axis::bank});
  const bool by_origin = holds_any(axes, {Axis::layer, Axis::op, Axis::kernel, Axis::tensor_class,
                                          Axis::tensor, Axis::phase, Axis::model});
  if (of == Metric::energy && run.energy.empty())
    return refuse("energy_unknown", "the energy of this run is not known",
                  "a memory with currents; the run's diagnostics say what is missing");
  if (of == Metric::heat && !run.hottest.is_known())
    return refuse("heat_unknown", "the temperatures of this run are not known",
                  run.energy.empty()
                      ? "a memory with currents; the run's diagnostics say what is missing"
                      : "a run with --package NAME (diffram list packages)");
  if (by_place && of == Metric::channel_time)
    return refuse("not_held", "the run holds channel time by channel, not by rank or bank",
                  "a run with --detail bank, or the axis channel");
  if (by_place && by_origin && of != Metric::time)
    return refuse("not_held",
                  "the run holds counters by bank and counters by origin, not their product",
                  "a run with --detail bank, or either kind of axis alone");
  return {};
}

std::string describe_place(const ledger::HottestPlace& place) {
  return fmt::format("{} of {}: {:.1f} °C if this load lasts, the air {:.1f} °C", place.layer,
                     place.package, place.celsius, place.air);
}

}  // namespace

std::optional<Metric> metric_of(const std::string& name) {
  const auto* found = std::ranges::find(kMetricNames, name);
  if (found == kMetricNames.end()) return std::nullopt;
  return static_cast<Metric>(found - kMetricNames.begin());
}

base::Result<Table> explain(const ledger::RunRecord& run, const Query& query) {
  const auto axes = parse_axes(query.by);
  if (!axes) return base::failure(axes.error());
  if (auto held = check_held(run, *axes, query.of); !held) return base::failure(held.error());
  TableBuilder builder(
      run, *axes,
      query.of == Metric::heat ? Naming::accounts_everywhere : Naming::accounts_of_operands);
  Table table;
  table.axes = query.by;
  table.metric = kMetricNames[static_cast<std::size_t>(query.of)];
  double unit_value = 1;
  switch (query.of) {
    case Metric::time:
      table.unit = "s";
      unit_value = run.clock.period_s();
      cut_time(run, *axes, builder);
      break;
    case Metric::channel_time:
      table.unit = "cycles";
      cut_channel_time(run, builder);
      break;
    case Metric::bytes:
      table.unit = "B";
      cut_bytes(run, *axes, builder);
      break;
    case Metric::energy:
      table.unit = "J";
      unit_value = 0;
      cut_energy(run, *axes, builder);
      break;
    case Metric::conflicts:
      table.unit = "1";
      cut_conflicts(run, *axes, builder);
      break;
    case Metric::heat:
      table.unit = "K";
      table.subject = describe_place(run.hottest);
      unit_value = 0;
      cut_heat(run, *axes, builder);
      break;
  }
  builder.finish(table, query.top, unit_value);
  return table;
}

}  // namespace diffram::attrib
