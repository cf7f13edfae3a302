#include "attrib/conservation.h"

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "attrib/explain.h"

namespace diffram::attrib {
namespace {

std::int64_t columns(const base::BankCounters& b) { return b.rd + b.rda + b.wr + b.wra; }

std::int64_t cycles_residual(const ledger::StepRecord& record) {
  std::int64_t residual = 0;
  for (const base::ChannelCounters& channel : record.channels) {
    std::int64_t billed = 0;
    for (const auto& [key, cycles] : channel.bill) billed += cycles;
    residual += std::abs(billed - channel.cycles) + std::abs(channel.cycles - record.cycles);
  }
  if (record.op_times.empty()) return residual;  // a replayed trace has no ops
  std::int64_t in_ops = 0;
  for (const ledger::OpTime& t : record.op_times) in_ops += t.compute + t.wait + t.launch;
  return residual + std::abs(in_ops - record.cycles);
}

std::int64_t bytes_residual(const ledger::StepRecord& record, std::int64_t burst_bytes) {
  if (record.flow.empty()) return 0;
  std::int64_t requested = 0, served = 0;
  for (const ledger::FlowRow& flow : record.flow) requested += flow.dram;
  for (const base::ChannelCounters& channel : record.channels) {
    for (const base::BankCounters& bank : channel.banks) served += columns(bank);
    for (const base::OriginCounters& origin : channel.origins) served += origin.forwarded;
    served += channel.unnamed.forwarded;
  }
  return std::abs(requested - served * burst_bytes);
}

std::int64_t commands_residual(const ledger::StepRecord& record) {
  std::int64_t residual = 0;
  for (const base::ChannelCounters& channel : record.channels) {
    std::int64_t outcomes = 0, by_origin = 0, by_bank = 0;
    const auto add = [&](const base::OriginCounters& o) {
      outcomes += o.hits + o.misses + o.conflicts;
      by_origin += o.reads + o.writes;
    };
    for (const base::OriginCounters& origin : channel.origins) add(origin);
    add(channel.unnamed);
    for (const base::BankCounters& bank : channel.banks) by_bank += columns(bank);
    residual += std::abs(outcomes - by_origin) + std::abs(by_bank - by_origin);
  }
  return residual;
}

double energy_residual(const ledger::RunRecord& run) {
  double components = 0, rows = 0;
  for (const ledger::EnergyComponent& c : run.energy) components += c.joules;
  if (components == 0) return 0;
  const auto table = explain(run, {{"layer", "op", "tensor", "class", "phase"}, Metric::energy, 0});
  if (!table) return 0;
  for (const Row& row : table->rows) rows += row.value;
  return std::abs(rows - components) / std::abs(components);
}

}  // namespace

Conservation check_conservation(const ledger::RunRecord& run) {
  Conservation residual;
  for (const ledger::StepRecord& record : run.records) {
    residual.cycles += record.weight * cycles_residual(record);
    residual.bytes += record.weight * bytes_residual(record, run.burst_bytes);
    residual.commands += record.weight * commands_residual(record);
  }
  residual.energy_relative = energy_residual(run);
  return residual;
}

}  // namespace diffram::attrib
