#pragma once
// What frfcfs and its relatives share: writes gather until they press, and hits pass up to a cap.

#include <algorithm>

#include "ctrl/policy/scheduling.h"

namespace diffram::ctrl {

class RowHitsFirst : public Scheduling {
 public:
  explicit RowHitsFirst(const spec::MemorySpec& spec);

  bool turns(const Queues& queues, Moment& moment) const override;
  bool may_pass(const Queues& queues, const QueuedBurst& oldest, Moment& moment) const override;
  void passed(const Queues& /*queues*/, const QueuedBurst& oldest) override {
    ++passes_[oldest.bank()];
  }
  void opened(std::uint32_t bank) override { passes_[bank] = 0; }
  std::vector<std::int64_t> remembered() const override { return {passes_.begin(), passes_.end()}; }
  void recall(const std::vector<std::int64_t>& numbers) override {
    std::transform(numbers.begin(), numbers.end(), passes_.begin(),
                   [](std::int64_t passes) { return static_cast<std::uint32_t>(passes); });
  }

 protected:
  bool is_overdue(const BurstQueue& bursts, Moment& moment) const {
    return oldest_waited(bursts, policy_.max_wait, moment);
  }

  const spec::Controller policy_;

 private:
  std::vector<std::uint32_t> passes_;  ///< by bank, since its row was opened
};

}  // namespace diffram::ctrl
