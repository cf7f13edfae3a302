#include <algorithm>

#include "attrib/metrics.h"
#include "attrib/weighted_counters.h"

namespace diffram::attrib {
namespace {

template <class OfOrigin, class OfBank>
void cut_counts(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table,
                OfOrigin&& of_origin, OfBank&& of_bank) {
  if (!holds_any(axes, {Axis::rank, Axis::bank})) {
    visit_origins(run, holds_any(axes, {Axis::step, Axis::channel}),
                  [&](std::uint32_t record, std::uint32_t channel, std::uint32_t origin,
                      const base::OriginCounters& counters) {
                    Share share;
                    share.record = record;
                    share.channel = channel;
                    share.origin = origin;
                    share.op = op_of(run, origin);
                    share.exact = of_origin(counters);
                    table.add(share);
                  });
    return;
  }
  const std::uint32_t banks = std::max(1u, run.bank_groups * run.banks_per_group);
  for (std::uint32_t r = 0; r < run.records.size(); ++r)
    for (std::uint32_t c = 0; c < run.records[r].channels.size(); ++c) {
      const base::ChannelCounters& channel = run.records[r].channels[c];
      for (std::uint32_t b = 0; b < channel.banks.size(); ++b) {
        Share share;
        share.record = r;
        share.channel = c;
        share.rank = b / banks;
        share.bank = b % banks;
        share.exact = of_bank(channel.banks[b]) * run.records[r].weight;
        table.add(share);
      }
    }
}

}  // namespace

void cut_bytes(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table) {
  const std::int64_t burst = run.burst_bytes;
  cut_counts(
      run, axes, table, [=](const base::OriginCounters& o) { return (o.reads + o.writes) * burst; },
      [=](const base::BankCounters& b) { return (b.rd + b.rda + b.wr + b.wra) * burst; });
}

void cut_conflicts(const ledger::RunRecord& run, const std::vector<Axis>& axes,
                   TableBuilder& table) {
  cut_counts(
      run, axes, table, [](const base::OriginCounters& o) { return o.conflicts; },
      [](const base::BankCounters& b) { return b.conflicts; });
}

}  // namespace diffram::attrib
