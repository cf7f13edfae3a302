#include <algorithm>

#include "attrib/largest_remainder.h"
#include "attrib/metrics.h"
#include "attrib/op_bill.h"
#include "attrib/weighted_counters.h"

namespace diffram::attrib {
namespace {

/// Where an entry of the bill lies on the axes. Idle pieces name the op that owns them, no tensor.
Share share_of(const ledger::RunRecord& run, const base::BillKey& key) {
  Share share;
  share.op = op_of(run, key.victim.value);
  share.origin = is_idle(key.cause) ? kNone : key.victim.value;
  share.culprit = key.culprit.value;
  share.cause = static_cast<std::uint8_t>(key.cause);
  return share;
}

class WaitCutter {
 public:
  WaitCutter(const ledger::RunRecord& run, std::uint32_t record, TableBuilder& table)
      : run_(run), record_(record), bill_(run, run.records[record]), table_(table) {}

  void cut(std::size_t op, std::int64_t wait) {
    pick(bill_.of(op), false);
    if (picked_.empty()) pick(bill_.of(op), true);
    if (picked_.empty()) {
      Share share;
      share.op = run_.records[record_].first_op + static_cast<std::uint32_t>(op);
      add(share, wait);
      return;
    }
    const auto parts = cut_by_largest_remainder(wait, weights_);
    for (std::size_t i = 0; i < picked_.size(); ++i)
      if (parts[i] > 0) add(share_of(run_, picked_[i]), parts[i]);
  }

 private:
  void pick(std::span<const BillEntry> entries, bool idle) {
    picked_.clear();
    weights_.clear();
    for (const BillEntry& e : entries)
      if (is_idle(e.key.cause) == idle && e.cycles > 0) {
        picked_.push_back(e.key);
        weights_.push_back(e.cycles);
      }
  }
  void add(Share share, std::int64_t cycles) {
    share.record = record_;
    share.exact = cycles * run_.records[record_].weight;
    table_.add(share);
  }

  const ledger::RunRecord& run_;
  std::uint32_t record_;
  OpBill bill_;
  TableBuilder& table_;
  std::vector<base::BillKey> picked_;
  std::vector<std::int64_t> weights_;
};

/// A record without ops (a replayed trace) waits from end to end: its time is cut over its bill.
void cut_replayed_time(const ledger::RunRecord& run, std::uint32_t r, TableBuilder& table) {
  const ledger::StepRecord& record = run.records[r];
  std::vector<base::BillKey> keys;
  std::vector<std::int64_t> weights;
  for (const base::ChannelCounters& channel : record.channels)
    for (const auto& [key, cycles] : channel.bill)
      if (cycles > 0) {
        keys.push_back(key);
        weights.push_back(cycles);
      }
  Share rest;
  rest.record = r;
  rest.exact = record.cycles * record.weight;
  if (keys.empty()) return table.add(rest);
  const auto parts = cut_by_largest_remainder(record.cycles, weights);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    Share share = share_of(run, keys[i]);
    share.record = r;
    share.exact = parts[i] * record.weight;
    table.add(share);
  }
}

}  // namespace

void cut_time(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table) {
  const bool is_wait_cut =
      holds_any(axes, {Axis::tensor_class, Axis::tensor, Axis::cause, Axis::culprit});
  for (std::uint32_t r = 0; r < run.records.size(); ++r) {
    const ledger::StepRecord& record = run.records[r];
    if (record.op_times.empty()) {
      cut_replayed_time(run, r, table);
      continue;
    }
    Share share;
    share.record = r;
    std::int64_t unassigned = record.cycles;
    const auto add = [&](std::uint8_t cause, std::int64_t cycles) {
      share.cause = cause;
      share.exact = cycles * record.weight;
      table.add(share);
    };
    for (std::size_t i = 0; i < record.op_times.size(); ++i) {
      const ledger::OpTime& time = record.op_times[i];
      share.op = record.first_op + static_cast<std::uint32_t>(i);
      add(kComputeLabel, time.compute);
      add(kLaunchLabel, time.launch);
      if (!is_wait_cut) add(kNoCauseLabel, time.wait);
      unassigned -= time.compute + time.launch + time.wait;
    }
    share.op = kNone;
    add(kNoCauseLabel, unassigned);  // not 0 only when the conservation check fails
    if (!is_wait_cut) continue;
    WaitCutter cutter(run, r, table);
    for (std::size_t i = 0; i < record.op_times.size(); ++i)
      if (record.op_times[i].wait > 0) cutter.cut(i, record.op_times[i].wait);
  }
}

void cut_channel_time(const ledger::RunRecord& run, TableBuilder& table) {
  for (std::uint32_t r = 0; r < run.records.size(); ++r) {
    const ledger::StepRecord& record = run.records[r];
    for (std::uint32_t c = 0; c < record.channels.size(); ++c)
      for (const auto& [key, cycles] : record.channels[c].bill) {
        Share share = share_of(run, key);
        share.record = r;
        share.channel = c;
        share.exact = cycles * record.weight;
        table.add(share);
      }
  }
}

}  // namespace diffram::attrib
