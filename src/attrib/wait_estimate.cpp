#include "attrib/wait_estimate.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "attrib/op_bill.h"
#include "attrib/weighted_counters.h"

namespace diffram::attrib {
namespace {

/// M of each op of the record, before it is cut to the op's time.
std::vector<double> memory_times(const ledger::RunRecord& run, const ledger::StepRecord& record) {
  std::vector<std::int64_t> longest(record.op_times.size()), busy;
  for (const base::ChannelCounters& channel : record.channels) {
    busy.assign(longest.size(), 0);
    for (const auto& [key, cycles] : channel.bill) {
      if (is_idle(key.cause)) continue;
      const std::uint32_t op = op_of(run, key.victim.value);
      if (op != kNone && op >= record.first_op && op - record.first_op < busy.size())
        busy[op - record.first_op] += cycles;
    }
    for (std::size_t i = 0; i < busy.size(); ++i) longest[i] = std::max(longest[i], busy[i]);
  }
  const auto sum =
      static_cast<double>(std::accumulate(longest.begin(), longest.end(), std::int64_t{0}));
  const bool is_scaled = record.memory_only_cycles >= 0 && sum > 0;
  const double scale = is_scaled ? static_cast<double>(record.memory_only_cycles) / sum : 1.0;
  std::vector<double> times(longest.size());
  std::ranges::transform(longest, times.begin(),
                         [&](std::int64_t m) { return static_cast<double>(m) * scale; });
  return times;
}

class WaitSum {
 public:
  explicit WaitSum(double factor) : factor_(factor) {}

  void add(const ledger::OpTime& op, double memory, double weight) {
    const auto compute = static_cast<double>(op.compute);
    const double took = compute + static_cast<double>(op.wait);
    memory = std::min(memory, took);
    const double start_up = took - std::max(compute, memory);
    const double time = std::max(compute / factor_, memory) + start_up;
    wait_ += weight * (time - compute / factor_);
    time_ += weight * (time + static_cast<double>(op.launch));
  }
  double share() const { return time_ > 0 ? wait_ / time_ : 0; }

 private:
  double factor_;
  double wait_ = 0, time_ = 0;
};

void add_run(const ledger::RunRecord& run, std::vector<WaitSum>& sums) {
  for (const ledger::StepRecord& record : run.records) {
    if (record.op_times.empty()) continue;
    const std::vector<double> memory = memory_times(run, record);
    for (std::size_t i = 0; i < memory.size(); ++i)
      for (WaitSum& sum : sums)
        sum.add(record.op_times[i], memory[i], static_cast<double>(record.weight));
  }
}

}  // namespace

double wait_share_at(const ledger::RunRecord& run, double efficiency_factor) {
  std::vector<WaitSum> sums{WaitSum(efficiency_factor)};
  add_run(run, sums);
  return sums[0].share();
}

WaitShares estimate_wait_shares(const ledger::RunRecord& run) {
  std::vector<WaitSum> sums{WaitSum(0.5), WaitSum(2.0)};
  add_run(run, sums);
  return {sums[0].share(), sums[1].share()};
}

}  // namespace diffram::attrib
