#include "ctrl/compat/stats_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace diffram::ctrl::compat {

namespace {

using Json = nlohmann::json;  // sorts its keys, as DRAMsim3's does

/// The bins of a histogram's short form: from 0 to `most` in steps of `width`.
struct Bins {
  const char* name;
  std::uint64_t most, width;
};
constexpr Bins kReadLatency{"read_latency", 200, 20};
constexpr Bins kWriteLatency{"write_latency", 200, 20};
constexpr Bins kInterarrival{"interarrival_latency", 100, 10};

void add_histogram(Json& json, const Bins& bins, const Histogram& histogram) {
  const auto bin_name = [&](std::uint64_t first) {
    return fmt::format("{}[{}-{}]", bins.name, first, first + bins.width - 1);
  };
  const std::string above = fmt::format("{}[{}-]", bins.name, bins.most);
  json[fmt::format("{}[-0]", bins.name)] = 0;
  json[above] = 0;
  for (std::uint64_t first = 0; first < bins.most; first += bins.width) json[bin_name(first)] = 0;
  Json& full = json[bins.name];
  for (const auto& [value, count] : histogram.values()) {
    full[std::to_string(value)] = count;
    Json& bin = json[value < bins.most ? bin_name(value / bins.width * bins.width) : above];
    bin = bin.get<std::uint64_t>() + count;
  }
}

Json channel_json(const spec::Dramsim3Config& config, const Counters& counters,
                  std::size_t channel) {
  const auto energies = energies_of(counters, config);
  Json json;
  json["channel"] = channel;
  json["num_cycles"] = counters.cycles;
  json["epoch_num"] = counters.epochs;
  json["num_reads_done"] = counters.reads_done;
  json["num_writes_done"] = counters.writes_done;
  json["num_read_cmds"] = counters.reads();
  json["num_write_cmds"] = counters.writes();
  json["num_act_cmds"] = counters.of(Command::ACT);
  json["num_pre_cmds"] = counters.of(Command::PRE);
  json["num_ondemand_pres"] = counters.ondemand_precharges;
  json["num_ref_cmds"] = counters.of(Command::REF);
  json["num_refb_cmds"] = counters.of(Command::REFB);
  json["num_srefe_cmds"] = counters.of(Command::SREFE);
  json["num_srefx_cmds"] = counters.of(Command::SREFX);
  json["hbm_dual_cmds"] = counters.dual_commands;
  json["num_read_row_hits"] = counters.read_row_hits;
  json["num_write_row_hits"] = counters.write_row_hits;
  json["num_write_buf_hits"] = 0;  // DRAMsim3 never counts it
  for (std::size_t rank = 0; rank < counters.ranks.size(); ++rank) {
    const auto key = std::to_string(rank);
    json["all_bank_idle_cycles"][key] = counters.ranks[rank].idle;
    json["rank_active_cycles"][key] = counters.ranks[rank].active;
    json["sref_cycles"][key] = counters.ranks[rank].asleep;
  }
  add_histogram(json, kReadLatency, counters.read_latency);
  add_histogram(json, kWriteLatency, counters.write_latency);
  add_histogram(json, kInterarrival, counters.interarrival);
  json["act_energy"] = energies.activate;
  json["read_energy"] = energies.read;
  json["write_energy"] = energies.write;
  json["ref_energy"] = energies.refresh;
  json["refb_energy"] = energies.refresh_bank;
  json["total_energy"] = energies.total;
  json["average_power"] = energies.total / static_cast<double>(counters.cycles);
  json["average_bandwidth"] = bandwidth_of(counters, config);
  json["average_read_latency"] = counters.read_latency.mean();
  json["average_interarrival"] = counters.interarrival.mean();
  return json;
}

}  // namespace

std::string stats_file(const spec::Dramsim3Config& config, const std::vector<Counters>& channels) {
  Json json;
  for (std::size_t i = 0; i < channels.size(); ++i)
    json[std::to_string(i)] = channel_json(config, channels[i], i);
  return json.dump() + "\n";
}

}  // namespace diffram::ctrl::compat
