// Counting sort by op, then each op's few entries by key: a bill has millions of entries and tens
// an op.

#include "attrib/op_bill.h"

#include <algorithm>

#include "attrib/weighted_counters.h"

namespace diffram::attrib {

OpBill::OpBill(const ledger::RunRecord& run, const ledger::StepRecord& record) {
  const std::size_t ops = record.op_times.size();
  std::vector<std::pair<std::size_t, BillEntry>> all;
  std::vector<std::size_t> count(ops + 1);
  for (const base::ChannelCounters& channel : record.channels)
    for (const auto& [key, cycles] : channel.bill) {
      const std::uint32_t op = op_of(run, key.victim.value);
      if (op == kNone || op < record.first_op || op - record.first_op >= ops) continue;
      all.push_back({op - record.first_op, {key, cycles}});
      ++count[op - record.first_op];
    }
  begin_.resize(ops);
  end_.resize(ops);
  std::size_t next = 0;
  for (std::size_t i = 0; i < ops; ++i) {
    begin_[i] = end_[i] = next;
    next += count[i];
  }
  entries_.resize(all.size());
  for (const auto& [op, entry] : all) entries_[end_[op]++] = entry;
  for (std::size_t i = 0; i < ops; ++i) {
    const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(begin_[i]);
    const auto last = entries_.begin() + static_cast<std::ptrdiff_t>(end_[i]);
    std::sort(first, last, [](const BillEntry& a, const BillEntry& b) { return a.key < b.key; });
    auto kept = first;
    for (auto e = first; e != last; ++e) {
      if (kept != first && (kept - 1)->key == e->key)
        (kept - 1)->cycles += e->cycles;
      else
        *kept++ = *e;
    }
    end_[i] = static_cast<std::size_t>(kept - entries_.begin());
  }
}

}  // namespace diffram::attrib
