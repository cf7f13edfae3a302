#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/diagnostic_json.h"
#include "spec/derived.h"
#include "spec/describe.h"
#include "spec/toml_section.h"

namespace diffram::spec {

namespace {

using Json = nlohmann::ordered_json;

/// Whether the file is TOML that has one of these keys at its root.
bool states_any(const std::string& file, std::initializer_list<const char*> keys) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return false;
  Reading reading;
  reading.file = file;
  const auto tree = parse_toml(std::string(std::istreambuf_iterator<char>(stream), {}), reading);
  return tree && std::any_of(keys.begin(), keys.end(),
                             [&](const char* key) { return tree->contains(key); });
}

Json organisation_of(const Organisation& o) {
  return {{"channels", o.channels},
          {"ranks", o.ranks},
          {"bank_groups", o.bank_groups},
          {"banks_per_group", o.banks_per_group},
          {"rows", o.rows},
          {"columns", o.columns},
          {"device_width_bits", o.device_width},
          {"bus_width_bits", o.bus_width},
          {"burst_length", o.burst_length},
          {"devices_per_rank", o.devices()},
          {"row_bytes", o.row_bytes()},
          {"request_bytes", o.burst_bytes()},
          {"pseudo_channels", o.pseudo_channels},
          {"stack_ids", o.stack_ids}};
}

Json protocol_of(const Protocol& p) {
  return {{"row_and_column_bus", p.split_buses},
          {"cycles_per_clock", p.ticks_per_clock},
          {"part_refresh", p.part_refresh ? Json(name_of(*p.part_refresh)) : Json()},
          {"data_clock_cycles_after_read", p.clock_after_read},
          {"data_clock_cycles_after_write", p.clock_after_write}};
}

Json controller_of(const Controller& c) {
  return {{"scheduler", c.scheduler},
          {"page_policy", name_of(c.page_policy)},
          {"read_queue", c.read_queue},
          {"write_queue", c.write_queue},
          {"write_high", c.write_high},
          {"write_low", c.write_low},
          {"row_hit_cap", c.row_hit_cap},
          {"max_wait_cycles", c.max_wait},
          {"refresh_stagger", c.refresh_stagger},
          {"dispatch_cycles", c.dispatch},
          {"queue_shape", name_of(c.queue_shape)},
          {"bank_queue", c.bank_queue},
          {"strict_bypass", c.strict_bypass},
          {"strict_age_cycles", c.strict_age},
          {"group_high", c.group_high},
          {"group_low", c.group_low},
          {"page_timeout_cycles", c.page_timeout},
          {"refresh_postpone", c.refresh_postpone},
          {"refresh_pull_in", c.refresh_pull_in},
          {"refresh_granularity", c.refresh_granularity},
          {"refresh_by_parts", c.refresh_by_parts},
          {"power_down_after_cycles", c.power_down_after},
          {"self_refresh_after_cycles", c.self_refresh_after}};
}

}  // namespace

std::string describe_json(const MemorySpec& memory) {
  const auto derived = derive(memory);
  Json out = {{"kind", "memory"},
              {"name", memory.name},
              {"title", memory.title},
              {"standard", memory.standard},
              {"capacity_gib", derived.capacity_gib},
              {"capacity_bytes", memory.organisation.capacity_bytes()},
              {"peak_gb_per_s", derived.peak_gb_per_s},
              {"megatransfers_per_s", memory.megatransfers},
              {"clock_period_ns", derived.period_ns},
              {"idle_read_latency_ns",
               {{"open_row", derived.idle_hit_ns},
                {"closed_bank", derived.idle_closed_ns},
                {"other_row", derived.idle_conflict_ns}}},
              {"refresh_share", derived.refresh_share},
              {"organisation", organisation_of(memory.organisation)},
              {"timings_cycles", memory.timings},
              {"protocol", protocol_of(memory.protocol)},
              {"controller", controller_of(memory.controller)},
              {"address_map", {{"text", memory.map.text}, {"bits", bit_map_lines(memory.map)}}},
              {"unverified_values", derived.unverified_values},
              {"currents_estimated", memory.currents && memory.currents->estimated},
              {"diagnostics", memory.diagnostics},
              {"values", memory.provenance}};
  return out.dump(2);
}

std::string describe_json(const MachineSpec& machine) {
  Json peak = Json::object();
  for (const auto& [dtype, rate] : machine.array_rate)
    peak[dtype] = peak_macs_per_s(machine, rate) / 1e12;
  Json out = {{"kind", "machine"},
              {"name", machine.name},
              {"title", machine.title},
              {"memory", machine.memory},
              {"clock_hz", machine.clock.hertz()},
              {"cores", machine.cores},
              {"array", {machine.array_rows, machine.array_columns}},
              {"peak_tmac_per_s", peak},
              {"vector_lanes", machine.vector_lanes},
              {"on_chip_bytes", machine.on_chip_bytes},
              {"line_bytes", machine.line_bytes},
              {"outstanding_bytes", machine.outstanding_bytes},
              {"store_buffer_bytes", machine.store_buffer_bytes},
              {"launch_gap_cycles", machine.launch_gap_cycles},
              {"efficiency", machine.efficiency},
              {"not_modelled", machine.not_modelled},
              {"values", machine.provenance}};
  return out.dump(2);
}

std::string describe_json(const PackageSpec& package) {
  const auto stated = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  Json layers = Json::array();
  for (const auto& layer : package.layers)
    layers.push_back({{"name", layer.name},
                      {"role", name_of(layer.role)},
                      {"thickness_um", 1e6 * layer.thickness},
                      {"conductivity_w_per_mk", layer.k_through},
                      {"conductivity_in_plane_w_per_mk", layer.k_in_plane},
                      {"heat_capacity_mj_per_m3k", 1e-6 * layer.heat_capacity}});
  Json out = {{"kind", "package"},
              {"name", package.name},
              {"title", package.title},
              {"package_kind", name_of(package.kind)},
              {"holds", {{"channels", package.channels}, {"ranks", package.ranks}}},
              {"width_mm", 1e3 * package.width},
              {"height_mm", 1e3 * package.height},
              {"layers_from_the_board", layers},
              {"theta_k_per_w",
               {{"junction_to_case", package.junction_to_case},
                {"junction_to_board", package.junction_to_board},
                {"case_to_air", stated(package.case_to_air)},
                {"board_to_air", stated(package.board_to_air)}}},
              {"air_c", stated(package.air)},
              {"board_c", stated(package.board)},
              {"base_w", package.base_watts},
              {"logic_w", package.logic_watts},
              {"neighbour_w", package.neighbour ? Json(package.neighbour->watts) : Json()},
              {"values", package.provenance}};
  return out.dump(2);
}

std::string describe_json(const WorkloadSpec& workload) {
  Json out = {{"kind", "workload"},           {"name", workload.name},
              {"title", workload.title},      {"images", workload.images},
              {"trace", workload.trace_file}, {"trace_batch", workload.trace_batch},
              {"text", workload.text}};
  return out.dump(2);
}

bool is_machine_file(const std::string& file) {
  return states_any(file, {"clock_mhz", "array_rows"});
}

bool is_package_file(const std::string& file) { return states_any(file, {"theta", "holds"}); }

}  // namespace diffram::spec
