// frfcfs-strict: no burst is passed by more than a few hits, and none once it has waited long. The
// article names the policy without defining it; this is our definition (docs/controller.md 5).

#include "ctrl/policy/row_hits_first.h"

namespace diffram::ctrl {
namespace {

class Strict final : public RowHitsFirst {
 public:
  explicit Strict(const spec::MemorySpec& spec)
      : RowHitsFirst(spec),
        passed_(2 * std::size_t{spec.organisation.ranks} * spec.organisation.banks()),
        banks_(spec.organisation.ranks * spec.organisation.banks()) {}

  bool may_pass(const Queues& queues, const QueuedBurst& oldest, Moment& moment) const override {
    const Passed& passed = passed_[index(queues, oldest)];
    const std::uint32_t times = passed.age == oldest.age ? passed.times : 0;
    return times < policy_.strict_bypass && !moment.reached(oldest.acceptance + policy_.strict_age);
  }
  void passed(const Queues& queues, const QueuedBurst& oldest) override {
    Passed& passed = passed_[index(queues, oldest)];
    if (passed.age != oldest.age) passed = {oldest.age, 0};
    ++passed.times;
  }
  void opened(std::uint32_t /*bank*/) override {}

 private:
  /// The oldest burst of a bank stays the oldest until it is served, so one count a bank is enough.
  struct Passed {
    std::uint32_t age = 0;
    std::uint32_t times = 0;
  };
  std::size_t index(const Queues& queues, const QueuedBurst& burst) const {
    return static_cast<std::size_t>(queues.direction) * banks_ + burst.bank();
  }

  std::vector<Passed> passed_;  ///< by direction and bank
  std::uint32_t banks_;
};

}  // namespace

std::unique_ptr<Scheduling> make_strict(const spec::MemorySpec& spec) {
  return std::make_unique<Strict>(spec);
}

}  // namespace diffram::ctrl
