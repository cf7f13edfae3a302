#include "report/run_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/diagnostic_json.h"
#include "report/heat_view.h"

namespace diffram::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kGiga = 1e9;

Json known(double value) { return value >= 0 ? Json(value) : Json(nullptr); }
Json known(std::int64_t value) { return value >= 0 ? Json(value) : Json(nullptr); }
Json positive(std::int64_t value) { return value > 0 ? Json(value) : Json(nullptr); }
Json named(const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); }

Json energy_of(const attrib::Summary& summary) {
  if (summary.energy_total_j < 0) return nullptr;
  Json energy;
  energy["total"] = summary.energy_total_j;
  for (const auto& [component, joules] : summary.energy_j) energy[component] = joules;
  return energy;
}

Json flow_of(const ledger::FlowRow& flow) {
  return {{"walk_bytes", flow.walk},
          {"fetch_on_write_bytes", flow.fetch_on_write},
          {"filter_bytes", flow.filter},
          {"dram_bytes", flow.dram}};
}

Json conservation_of(const attrib::Summary& summary) {
  return {{"cycles_residual", summary.cycles_residual},
          {"bytes_residual", summary.bytes_residual},
          {"commands_residual", summary.commands_residual},
          {"energy_residual_relative", summary.energy_residual_relative}};
}

/// Of the simulated time: steps that are accounted from another are not in it.
Json power_of(const ledger::RunRecord& run) {
  Json begin = Json::array(), watts = Json::array();
  for (const ledger::PowerSample& sample : run.power) {
    begin.push_back(static_cast<double>(sample.begin) * run.clock.period_s());
    watts.push_back(sample.watts(run.clock));
  }
  return {{"epoch_cycles", run.power.front().cycles},
          {"begin_s", std::move(begin)},
          {"power_w", std::move(watts)}};
}

/// Over the memory's layers; the mean is of their cells, each package as often as it is there.
Json temperature_of(const ledger::RunRecord& run) {
  double peak = 0, sum = 0, count = 0;
  for (const ledger::LayerHeat& layer : run.heat) {
    if (layer.role != "memory") continue;
    peak = count == 0 ? layer.steady_peak : std::max(peak, layer.steady_peak);
    sum += static_cast<double>(layer.instances) * layer.steady_mean;
    count += static_cast<double>(layer.instances);
  }
  return {{"peak", peak}, {"mean", sum / count}};
}

/// Σ rise_k_by = rise_k.
Json rises_of(const ledger::RunRecord& run) {
  const ledger::HottestPlace& place = run.hottest;
  std::vector<double> of_component(run.energy.size());
  for (const ledger::PlacedRise& rise : place.of_memory)
    of_component[rise.component] += rise.kelvin;
  Json rises = Json::object();
  for (std::size_t i = 0; i < run.energy.size(); ++i) rises[run.energy[i].name] = of_component[i];
  rises["base_dies"] = place.of_base;
  rises["logic_dies"] = place.of_logic;
  rises["neighbour"] = place.of_neighbour;
  rises["board"] = place.of_board;
  return rises;
}

Json hottest_of(const ledger::RunRecord& run) {
  const ledger::HottestPlace& place = run.hottest;
  const auto margin = margin_of(place);
  return {{"package", place.package},
          {"layer", place.layer},
          {"column", place.column},
          {"row", place.row},
          {"steady_c", place.celsius},
          {"air_c", place.air},
          {"rise_k", place.rise()},
          {"rise_k_by", rises_of(run)},
          {"measured_at", place.measured_at},
          {"measured_c", place.measured},
          {"limit_c", margin ? Json(place.limit) : Json(nullptr)},
          {"margin_k", margin ? Json(*margin) : Json(nullptr)}};
}

Json heat_of(const ledger::RunRecord& run) {
  Json rows = Json::array();
  for (const ledger::LayerHeat& layer : run.heat) {
    Json row = {{"package", layer.package},
                {"layer", layer.layer},
                {"role", layer.role},
                {"instances", layer.instances},
                {"power_w", layer.watts},
                {"steady_c", {{"peak", layer.steady_peak}, {"mean", layer.steady_mean}}},
                {"end_c", {{"peak", layer.end_peak}, {"mean", layer.end_mean}}}};
    if (layer.columns > 0) {
      Json map = Json::array();
      const auto columns = static_cast<std::size_t>(layer.columns);
      for (std::size_t first = 0; first + columns <= layer.map.size(); first += columns) {
        Json line = Json::array();
        for (std::size_t i = 0; i < columns; ++i)
          line.push_back(static_cast<double>(layer.map[first + i]) / 1000);
        map.push_back(std::move(line));
      }
      row["steady_map_c"] = std::move(map);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Json heat_over_time(const ledger::RunRecord& run) {
  Json begin = Json::array(), sensed = Json::array(), rate = Json::array(), share = Json::array();
  for (const ledger::HeatEpoch& epoch : run.heat_epochs) {
    begin.push_back(static_cast<double>(epoch.begin) * run.clock.period_s());
    sensed.push_back(epoch.sensed);
    rate.push_back(epoch.refresh_rate);
    share.push_back(epoch.column_share);
  }
  return {{"begin_s", std::move(begin)},
          {"sensed_c", std::move(sensed)},
          {"refresh_rate", std::move(rate)},
          {"column_share", std::move(share)}};
}

}  // namespace

std::string run_json(const ledger::RunRecord& run, const attrib::Summary& summary,
                     const RunFacts& facts) {
  const bool has_machine = !run.ops.empty();
  Json json;
  json["workload"] = run.workload;
  json["memory"] = run.memory;
  json["machine"] = named(run.machine);
  json["fidelity"] = run.fidelity;
  json["steps"] = run.steps;
  json["batch"] = run.batch;
  json["simulated_byte_share"] = summary.simulated_byte_share;
  json["time_s"] = summary.time_s;
  json["cycles"] = summary.cycles;
  json["channels"] = run.channels;
  json["memory_wait_share"] = has_machine ? Json(summary.memory_wait_share) : Json(nullptr);
  json["compute_only_s"] = has_machine ? Json(summary.compute_only_s) : Json(nullptr);
  json["memory_only_s"] = known(summary.memory_only_s);
  json["bytes_read"] = summary.bytes_read;
  json["bytes_written"] = summary.bytes_written;
  json["bandwidth_gb_per_s"] = summary.bandwidth_bytes_per_s / kGiga;
  json["peak_gb_per_s"] = summary.peak_bytes_per_s / kGiga;
  json["memory_wait_share_at"] =
      has_machine ? Json{{"half_efficiency", summary.wait_share_half_efficiency},
                         {"double_efficiency", summary.wait_share_double_efficiency}}
                  : Json(nullptr);
  json["column_commands"] = summary.column_commands;
  json["row_hits"] = summary.row_hits;
  json["row_misses"] = summary.row_misses;
  json["row_conflicts"] = summary.row_conflicts;
  json["read_latency_ns"] = {{"mean", summary.latency_mean_ns},
                             {"p50", summary.latency_p50_ns},
                             {"p95", summary.latency_p95_ns},
                             {"p99", summary.latency_p99_ns}};
  json["energy_j"] = energy_of(summary);
  json["power_w"] = known(summary.power_w);
  if (!run.power.empty()) json["power_over_time"] = power_of(run);
  json["activation_repeated_load_share"] = summary.activation_repeated_load_share;
  json["activation_load_energy_share"] = known(summary.activation_load_energy_share);
  json["idle_background_share"] = known(summary.idle_background_share);
  json["fallback_byte_share"] = has_machine ? Json(summary.fallback_byte_share) : Json(nullptr);
  json["flow"] = has_machine ? flow_of(summary.flow) : Json(nullptr);
  json["peak_live_bytes"] = positive(run.peak_live_bytes);
  json["reserved_bytes"] = positive(run.reserved_bytes);
  json["capacity_bytes"] = positive(run.capacity_bytes);
  if (!run.heat_epochs.empty()) json["heat_over_time"] = heat_over_time(run);
  json["temperature_c"] = run.heat.empty() ? Json() : temperature_of(run);
  if (run.hottest.is_known()) json["hottest"] = hottest_of(run);
  if (run.heat.empty()) {
    json["temperature_unknown"] =
        run.energy.empty() ? "the energy of this memory is not known" : "no package was given";
  } else {
    json["heat"] = heat_of(run);
  }
  json["conservation"] = conservation_of(summary);
  json["assumptions"] = run.assumptions;
  json["diagnostics"] = run.diagnostics;
  json["wall_s"] = known(facts.wall_s);
  json["requests"] = known(facts.requests);
  json["requests_per_s"] = facts.wall_s > 0 && facts.requests >= 0
                               ? Json(static_cast<double>(facts.requests) / facts.wall_s)
                               : Json(nullptr);
  if (facts.requests_in_trace >= 0) json["requests_in_trace"] = facts.requests_in_trace;
  if (facts.requests_completed >= 0) json["requests_completed"] = facts.requests_completed;
  return json.dump();
}

}  // namespace diffram::report
