#pragma once
// Who paid, and who is to blame: any metric of a run by any axes it holds. The rows of a table sum
// to its total exactly (integers; joules to 1e-9 relative).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/run_record.h"

namespace diffram::attrib {

enum class Metric : std::uint8_t { time, channel_time, bytes, energy, conflicts, heat };
inline constexpr std::array<const char*, 6> kMetricNames = {"time",   "channel-time", "bytes",
                                                            "energy", "conflicts",    "heat"};
std::optional<Metric> metric_of(const std::string& name);

/// `by`: axis names of explain.md 3: layer op kernel class tensor phase step model channel rank
/// bank cause culprit. An axis that does not apply to a share gives the value "(none)"; of heat,
/// the name of the shared account where there is one.
struct Query {
  std::vector<std::string> by;
  Metric of = Metric::time;
  std::size_t top = 0;  ///< 0 = all; else the rest is one row "(rest)"
};

struct Row {
  std::vector<std::string> keys;  ///< one per axis
  double value = 0;               ///< in `unit`
  std::int64_t exact = 0;  ///< cycles, bytes or conflicts as an integer; 0 for energy and heat
  double share = 0;        ///< of the total
};

struct Table {
  std::vector<std::string> axes;
  std::string metric, unit;  ///< "time", "s" · "channel-time", "cycles" · "bytes", "B" · "energy",
                             ///< "J" · "conflicts", "1" · "heat", "K"
  std::string subject;       ///< of heat: the place whose rise is the total; else ""
  double total = 0;
  std::int64_t exact_total = 0;
  std::vector<Row> rows;  ///< largest first
};

/// Refuses unknown axes (nearest name given) and combinations that the record does not hold (names
/// the
/// --detail that would).
base::Result<Table> explain(const ledger::RunRecord& run, const Query& query);

/// The figures of `run --json` that come from the record, computed once for every view.
struct Summary {
  std::int64_t cycles = 0, column_commands = 0, row_hits = 0, row_misses = 0, row_conflicts = 0;
  std::int64_t bytes_read = 0, bytes_written = 0;
  double time_s = 0, simulated_byte_share = 0, memory_wait_share = 0;
  double compute_only_s = 0, memory_only_s = -1;  ///< −1 = not simulated
  double wait_share_half_efficiency = 0,
         wait_share_double_efficiency = 0;  ///< estimated from the two bounds
  double bandwidth_bytes_per_s = 0, peak_bytes_per_s = 0;
  double latency_mean_ns = 0, latency_p50_ns = 0, latency_p95_ns = 0, latency_p99_ns = 0;
  std::vector<std::pair<std::string, double>> energy_j;  ///< component → joules; empty = unknown
  double energy_total_j = -1, power_w = -1;
  double activation_repeated_load_share = 0, activation_load_energy_share = -1,
         idle_background_share = -1;
  ledger::FlowRow flow;
  std::int64_t cycles_residual = 0, bytes_residual = 0, commands_residual = 0;
  double energy_residual_relative = 0;
  double fallback_byte_share = 0;  ///< DRAM bytes of ops without a kernel model ÷ all DRAM bytes
  double steady_bound = 0;         ///< relative, 0 where all was simulated
};

Summary summarise(const ledger::RunRecord& run);

}  // namespace diffram::attrib
