// frfcfs-grouped: reads and writes alike go in groups; the other direction gets its turn when it
// has a group together and the present one has come to its end.

#include "ctrl/policy/row_hits_first.h"

namespace diffram::ctrl {
namespace {

class Grouped final : public RowHitsFirst {
 public:
  using RowHitsFirst::RowHitsFirst;

  bool turns(const Queues& queues, Moment& moment) const override {
    const BurstQueue& own = queues.present();
    const BurstQueue& other = queues.other();
    if (other.size() == 0) return false;
    if (own.size() == 0) return true;
    const bool group_waits = other.size() >= policy_.group_high;
    const bool other_overdue = is_overdue(other, moment);
    const bool own_overdue = is_overdue(own, moment);
    if (own.size() <= policy_.group_low && group_waits && !own_overdue) return true;
    const std::uint32_t slots = queues.slots[static_cast<std::size_t>(queues.direction)];
    if (queues.served >= slots && (group_waits || other_overdue)) return true;
    return other_overdue && !own_overdue;
  }
};

}  // namespace

std::unique_ptr<Scheduling> make_grouped(const spec::MemorySpec& spec) {
  return std::make_unique<Grouped>(spec);
}

}  // namespace diffram::ctrl
