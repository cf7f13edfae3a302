#include "session/dramsim3_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/diagnostic_json.h"
#include "base/percentile.h"

namespace diffram::session {

namespace {

using ctrl::compat::Command;
using ctrl::compat::Counters;
using Json = nlohmann::ordered_json;

constexpr double kSecondsPerNanosecond = 1e-9, kJoulesPerPicojoule = 1e-12;
constexpr double kBytesPerMegabyte = 1 << 20;

/// Sums over the channels, in SI units.
struct Totals {
  std::uint64_t cycles = 0, reads = 0, writes = 0, row_hits = 0, completed = 0;
  double time_s = 0;
  double activate_j = 0, read_j = 0, write_j = 0, refresh_j = 0, refresh_bank_j = 0;
  double active_j = 0, idle_j = 0, asleep_j = 0, total_j = 0;
  std::map<std::uint64_t, std::uint64_t> read_latency;

  double bytes(const spec::Dramsim3Config& config) const {
    return static_cast<double>(reads + writes) * config.request_bytes;
  }
  std::uint64_t latency_of(double share) const { return base::percentile(read_latency, share); }
  double mean_latency() const;
};

Totals totals_of(const spec::Dramsim3Config& config, const std::vector<Counters>& channels) {
  Totals all;
  const double joules = ctrl::compat::picojoules(1, config.tCK_ns) * kJoulesPerPicojoule;
  for (const Counters& counters : channels) {
    all.cycles = counters.cycles;
    all.reads += counters.reads();
    all.writes += counters.writes();
    all.row_hits += counters.read_row_hits + counters.write_row_hits;
    all.completed += counters.reads_done + counters.writes_done;
    for (const auto& [value, count] : counters.read_latency.values())
      all.read_latency[value] += count;
    const auto energies = energies_of(counters, config);
    all.activate_j += energies.activate * joules;
    all.read_j += energies.read * joules;
    all.write_j += energies.write * joules;
    all.refresh_j += energies.refresh * joules;
    all.refresh_bank_j += energies.refresh_bank * joules;
    for (const auto& rank : energies.ranks) {
      all.active_j += rank.active * joules;
      all.idle_j += rank.idle * joules;
      all.asleep_j += rank.asleep * joules;
    }
    all.total_j += energies.total * joules;
  }
  all.time_s = static_cast<double>(all.cycles) * config.tCK_ns * kSecondsPerNanosecond;
  return all;
}

double Totals::mean_latency() const {
  double sum = 0, count = 0;
  for (const auto& [value, times] : read_latency) {
    sum += static_cast<double>(value) * static_cast<double>(times);
    count += static_cast<double>(times);
  }
  return count > 0 ? sum / count : 0;
}

double peak_bytes_per_s(const spec::Dramsim3Config& config) {
  const double burst_ns = config.burst_cycles * config.tCK_ns;
  if (burst_ns <= 0) return 0;
  return config.channels * config.request_bytes / (burst_ns * kSecondsPerNanosecond);
}

}  // namespace

std::string dramsim3_json(const spec::Dramsim3Config& config, const std::vector<Counters>& channels,
                          const Dramsim3Facts& facts) {
  const Totals all = totals_of(config, channels);
  const auto per_second = [&](double value) { return all.time_s > 0 ? value / all.time_s : 0; };
  Json json;
  json["workload"] = facts.trace;
  json["memory"] = facts.config_file;
  json["machine"] = nullptr;
  json["controller"] = "compat";
  json["fidelity"] = "exact";
  json["time_s"] = all.time_s;
  json["cycles"] = all.cycles;
  json["channels"] = config.channels;
  json["bytes_read"] = all.reads * config.request_bytes;
  json["bytes_written"] = all.writes * config.request_bytes;
  json["bandwidth_gb_per_s"] = per_second(all.bytes(config)) / 1e9;
  json["peak_gb_per_s"] = peak_bytes_per_s(config) / 1e9;
  json["column_commands"] = all.reads + all.writes;
  json["row_hits"] = all.row_hits;
  const auto nanoseconds = [&](double cycles) { return cycles * config.tCK_ns; };
  json["read_latency_ns"] = {{"mean", nanoseconds(all.mean_latency())},
                             {"p50", nanoseconds(static_cast<double>(all.latency_of(0.50)))},
                             {"p95", nanoseconds(static_cast<double>(all.latency_of(0.95)))},
                             {"p99", nanoseconds(static_cast<double>(all.latency_of(0.99)))}};
  json["energy_j"] = {{"total", all.total_j},
                      {"activate", all.activate_j},
                      {"read", all.read_j},
                      {"write", all.write_j},
                      {"refresh", all.refresh_j},
                      {"refresh_bank", all.refresh_bank_j},
                      {"active_standby", all.active_j},
                      {"precharge_standby", all.idle_j},
                      {"self_refresh", all.asleep_j}};
  json["power_w"] = per_second(all.total_j);
  json["capacity_bytes"] =
      static_cast<std::uint64_t>(config.channel_megabytes) * (1 << 20) * config.channels;
  json["temperature_c"] = nullptr;
  json["diagnostics"] = facts.diagnostics;
  json["wall_s"] = facts.wall_s;
  json["requests"] = facts.requests_sent;
  json["requests_per_s"] =
      facts.wall_s > 0 ? Json(static_cast<double>(facts.requests_sent) / facts.wall_s) : nullptr;
  json["requests_in_trace"] = facts.requests_in_trace;
  json["requests_completed"] = all.completed;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dramsim3_text(const spec::Dramsim3Config& config, const std::vector<Counters>& channels,
                          const Dramsim3Facts& facts) {
  const Totals all = totals_of(config, channels);
  std::string out = fmt::format("{} on {}, as DRAMsim3 runs it (controller compat)\n", facts.trace,
                                facts.config_file);
  const auto line = [&out](const char* name, const std::string& value) {
    out += fmt::format("  {:<12} {}\n", name, value);
  };
  const double share = all.reads + all.writes > 0 ? 100.0 * static_cast<double>(all.row_hits) /
                                                        static_cast<double>(all.reads + all.writes)
                                                  : 0;
  line("memory",
       fmt::format("{} channels, {} ranks of {} x {} banks, {:.4g} GiB, {:.4g} GB/s peak",
                   config.channels, config.ranks, config.bank_groups, config.banks_per_group,
                   static_cast<double>(config.channel_megabytes) * config.channels *
                       kBytesPerMegabyte / (1 << 30),
                   peak_bytes_per_s(config) / 1e9));
  line("time", fmt::format("{} cycles, {:.4g} us", all.cycles, all.time_s * 1e6));
  line("requests", fmt::format("{} in the trace, {} sent, {} completed", facts.requests_in_trace,
                               facts.requests_sent, all.completed));
  line("traffic", fmt::format("{} RD, {} WR, {:.4g} GB/s, {:.1f} % row hits", all.reads, all.writes,
                              all.time_s > 0 ? all.bytes(config) / all.time_s / 1e9 : 0, share));
  line("latency",
       fmt::format("reads: mean {:.1f} cycles, p50 {}, p95 {}, p99 {}", all.mean_latency(),
                   all.latency_of(0.50), all.latency_of(0.95), all.latency_of(0.99)));
  line("energy", fmt::format("{:.4g} uJ, {:.4g} W", all.total_j * 1e6,
                             all.time_s > 0 ? all.total_j / all.time_s : 0));
  return out;
}

}  // namespace diffram::session
