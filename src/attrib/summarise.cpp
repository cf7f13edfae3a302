#include <map>

#include "attrib/conservation.h"
#include "attrib/energy_rates.h"
#include "attrib/explain.h"
#include "attrib/wait_estimate.h"
#include "attrib/weighted_counters.h"
#include "base/percentile.h"

namespace diffram::attrib {
namespace {

using ledger::EnergyDriver;

constexpr double kNanosecond = 1e-9;

double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }
double ratio(std::int64_t part, std::int64_t whole) {
  return ratio(static_cast<double>(part), static_cast<double>(whole));
}

/// explain.md 2: the classes that a network's activations travel in.
bool is_activation(const ledger::RunRecord& run, std::uint32_t origin) {
  const ledger::TensorRow* tensor = run.tensor_of(origin);
  return tensor != nullptr &&
         (tensor->tensor_class == "activation" || tensor->tensor_class == "recomputed_activation");
}

void add_times(const ledger::RunRecord& run, Summary& s) {
  const double period = run.clock.period_s();
  std::int64_t wait = 0, compute = 0, memory_only = 0;
  bool has_memory_only = !run.records.empty();
  for (const ledger::StepRecord& record : run.records) {
    s.cycles += record.weight * record.cycles;
    for (const ledger::OpTime& t : record.op_times) {
      wait += record.weight * t.wait;
      compute += record.weight * t.compute;
    }
    has_memory_only = has_memory_only && record.memory_only_cycles >= 0;
    memory_only += record.weight * record.memory_only_cycles;
  }
  s.time_s = static_cast<double>(s.cycles) * period;
  s.memory_wait_share = ratio(wait, s.cycles);
  s.compute_only_s = static_cast<double>(compute) * period;
  if (has_memory_only) s.memory_only_s = static_cast<double>(memory_only) * period;
  const WaitShares shares = estimate_wait_shares(run);
  s.wait_share_half_efficiency = shares.half_efficiency;
  s.wait_share_double_efficiency = shares.double_efficiency;
  s.steady_bound = run.steady_bound;
}

void add_commands(const ledger::RunRecord& run, Summary& s) {
  std::int64_t simulated = 0;
  const std::int64_t burst = run.burst_bytes;
  for (const ledger::StepRecord& record : run.records) {
    for (const base::ChannelCounters& channel : record.channels)
      for (const base::BankCounters& b : channel.banks) {
        simulated += b.rd + b.rda + b.wr + b.wra;
        s.bytes_read += record.weight * (b.rd + b.rda) * burst;
        s.bytes_written += record.weight * (b.wr + b.wra) * burst;
        s.column_commands += record.weight * (b.rd + b.rda + b.wr + b.wra);
      }
    for (const ledger::FlowRow& f : record.flow) {
      s.flow.walk += record.weight * f.walk;
      s.flow.fetch_on_write += record.weight * f.fetch_on_write;
      s.flow.filter += record.weight * f.filter;
      s.flow.dram += record.weight * f.dram;
      s.flow.dram_read_again += record.weight * f.dram_read_again;
    }
  }
  s.simulated_byte_share = s.column_commands == 0 ? 1 : ratio(simulated, s.column_commands);
  s.bandwidth_bytes_per_s = ratio(static_cast<double>(s.bytes_read + s.bytes_written), s.time_s);
  s.peak_bytes_per_s = run.peak_bytes_per_s;
}

void add_latency(const ledger::RunRecord& run, Summary& s) {
  std::map<std::int64_t, std::int64_t> reads;
  std::int64_t count = 0;
  double sum = 0;
  for (const ledger::StepRecord& record : run.records)
    for (const base::ChannelCounters& channel : record.channels)
      for (const auto& [cycles, n] : channel.read_latency) {
        reads[cycles] += n * record.weight;
        count += n * record.weight;
        sum += static_cast<double>(cycles) * static_cast<double>(n * record.weight);
      }
  const double in_ns = run.clock.period_s() / kNanosecond;
  const auto percentile = [&](double share) {
    return static_cast<double>(base::percentile(reads, share)) * in_ns;
  };
  s.latency_mean_ns = ratio(sum, static_cast<double>(count)) * in_ns;
  s.latency_p50_ns = percentile(0.50);
  s.latency_p95_ns = percentile(0.95);
  s.latency_p99_ns = percentile(0.99);
}

/// What reading activations takes, in the integers of the drivers.
struct ActivationLoads {
  std::int64_t reads = 0, read_pins = 0;
  double tickets = 0;
};

void add_energy(const ledger::RunRecord& run, const ActivationLoads& loads, Summary& s) {
  if (run.energy.empty()) return;
  double dynamic = 0;
  s.energy_total_j = 0;
  for (const ledger::EnergyComponent& c : run.energy) {
    s.energy_j.emplace_back(c.name, c.joules);
    s.energy_total_j += c.joules;
    if (c.dynamic) dynamic += c.joules;
  }
  s.power_w = ratio(s.energy_total_j, s.time_s);
  const EnergyRates rates = energy_rates(run);
  const auto rate = [&](EnergyDriver driver) { return rates.rate[slot(driver)]; };
  s.activation_load_energy_share =
      ratio(static_cast<double>(loads.reads) * rate(EnergyDriver::reads) +
                static_cast<double>(loads.read_pins) * rate(EnergyDriver::read_pins) +
                loads.tickets * rate(EnergyDriver::activation_tickets),
            dynamic);
  double idle = rates.joules[slot(EnergyDriver::idle)];
  for (const ledger::StepRecord& record : run.records)
    for (const base::ChannelCounters& channel : record.channels) {
      const auto weight = static_cast<double>(record.weight);
      idle += weight * (static_cast<double>(channel.shared.idle_rank_open_cycles) *
                            rate(EnergyDriver::rank_open_cycles) +
                        static_cast<double>(channel.shared.idle_rank_closed_cycles) *
                            rate(EnergyDriver::rank_closed_cycles));
    }
  s.idle_background_share = ratio(idle, s.energy_total_j);
}

/// Row outcomes, and what reading activations takes.
void add_origins(const ledger::RunRecord& run, Summary& s) {
  std::int64_t requested = 0;
  ActivationLoads loads;
  visit_origins(
      run, false,
      [&](std::uint32_t, std::uint32_t, std::uint32_t origin, const base::OriginCounters& c) {
        s.row_hits += c.hits;
        s.row_misses += c.misses;
        s.row_conflicts += c.conflicts;
        if (!is_activation(run, origin)) return;
        loads.reads += c.reads;
        loads.read_pins += c.reads * pins_of(run, origin).read_pj;
        requested += c.reads + c.forwarded;
        // The part of the origin's tickets that its reads hold.
        loads.tickets +=
            static_cast<double>(c.activation_tickets) * ratio(c.reads, c.reads + c.writes);
      });
  std::int64_t read_again = 0, moved = 0, by_fallback = 0;
  for (const ledger::StepRecord& record : run.records)
    for (std::uint32_t i = 0; i < record.flow.size(); ++i) {
      const std::uint32_t origin = record.first_origin + i;
      const std::int64_t bytes = record.weight * record.flow[i].dram;
      moved += bytes;
      if (run.ops[run.origins[origin].op].fallback) by_fallback += bytes;
      if (is_activation(run, origin)) read_again += record.weight * record.flow[i].dram_read_again;
    }
  s.fallback_byte_share = ratio(by_fallback, moved);
  s.activation_repeated_load_share = ratio(read_again, requested * std::int64_t{run.burst_bytes});
  add_energy(run, loads, s);
}

}  // namespace

Summary summarise(const ledger::RunRecord& run) {
  Summary s;
  add_times(run, s);
  add_commands(run, s);
  add_latency(run, s);
  add_origins(run, s);
  const Conservation residual = check_conservation(run);
  s.cycles_residual = residual.cycles;
  s.bytes_residual = residual.bytes;
  s.commands_residual = residual.commands;
  s.energy_residual_relative = residual.energy_relative;
  return s;
}

}  // namespace diffram::attrib
