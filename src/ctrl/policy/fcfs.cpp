// fcfs: the oldest burst of both directions and no other, whatever row is open.

#include "ctrl/policy/scheduling.h"

namespace diffram::ctrl {
namespace {

class Fcfs final : public Scheduling {
 public:
  bool turns(const Queues& queues, Moment& /*moment*/) const override {
    const BurstQueue& own = queues.present();
    const BurstQueue& other = queues.other();
    if (other.size() == 0) return false;
    if (own.size() == 0) return true;
    // Ages are numbers modulo 2^32; queued ones lie near each other.
    return static_cast<std::int32_t>(other[other.oldest()].age - own[own.oldest()].age) < 0;
  }
  bool may_pass(const Queues& /*queues*/, const QueuedBurst& /*oldest*/,
                Moment& /*moment*/) const override {
    return false;
  }
  void passed(const Queues& /*queues*/, const QueuedBurst& /*oldest*/) override {}
  void opened(std::uint32_t /*bank*/) override {}
  bool in_order() const override { return true; }
};

}  // namespace

std::unique_ptr<Scheduling> make_fcfs(const spec::MemorySpec& /*spec*/) {
  return std::make_unique<Fcfs>();
}

}  // namespace diffram::ctrl
