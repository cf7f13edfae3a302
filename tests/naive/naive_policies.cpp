// What tells one scheduler, and one page policy, from another (docs/controller.md 3, 5 and 6).

#include <algorithm>

#include "naive/naive_channel.h"

namespace diffram::naive {

void Channel::turn() {
  const auto& scheduler = spec_.controller.scheduler;
  if (scheduler == "fcfs") {
    if (const auto* oldest = oldest_of_all()) {
      const bool write = !writes_.empty() && oldest == &writes_.front();
      if (write != writing_) served_ = 0;
      writing_ = write;
    }
    return;
  }
  if (!(scheduler == "frfcfs-grouped" ? group_turns() : drain_turns())) return;
  writing_ = !writing_;
  served_ = 0;
}

// Queues are in order of acceptance.
const Channel::Burst* Channel::oldest_of_all() const {
  if (reads_.empty() && writes_.empty()) return nullptr;
  if (writes_.empty()) return &reads_.front();
  if (reads_.empty()) return &writes_.front();
  return reads_.front().age < writes_.front().age ? &reads_.front() : &writes_.front();
}

bool Channel::drain_turns() const {
  const auto& policy = spec_.controller;
  const auto r = reads_.size(), w = writes_.size();
  const bool read_overdue = r > 0 && overdue(reads_.front());
  const bool write_overdue = w > 0 && overdue(writes_.front());
  if (writing_) {
    return r > 0 &&
           (w == 0 || served_ >= policy.write_queue || (w <= policy.write_low && !write_overdue));
  }
  const bool writes_press = w >= policy.write_high || write_overdue;
  const bool reads_may_wait = !read_overdue || served_ >= policy.read_queue;
  return w > 0 && (r == 0 || (writes_press && reads_may_wait));
}

bool Channel::group_turns() const {
  const auto& policy = spec_.controller;
  const auto& own = writing_ ? writes_ : reads_;
  const auto& other = writing_ ? reads_ : writes_;
  if (other.empty()) return false;
  if (own.empty()) return true;
  const bool group_waits = other.size() >= policy.group_high;
  const bool other_overdue = overdue(other.front());
  const bool own_overdue = overdue(own.front());
  if (own.size() <= policy.group_low && group_waits && !own_overdue) return true;
  const auto slots = writing_ ? policy.write_queue : policy.read_queue;
  if (served_ >= slots && (group_waits || other_overdue)) return true;
  return other_overdue && !own_overdue;
}

bool Channel::counts(const Burst& burst) const {
  if (!visible(burst)) return false;
  return spec_.controller.scheduler != "fcfs" || oldest_of_all()->age == burst.age;
}

bool Channel::hit_may_go(const Bank& bank, const Burst* hit, const Burst* oldest) const {
  const auto& policy = spec_.controller;
  if (hit == nullptr) return false;
  if (hit == oldest) return true;
  if (policy.scheduler == "frfcfs-strict")
    return oldest->passed < policy.strict_bypass && cycle_ - oldest->accepted < policy.strict_age;
  return bank.passes < policy.row_hit_cap && !overdue(*oldest);
}

// The burst has left its queue.
bool Channel::row_ends(Bank& bank, const Burst& burst) {
  const auto& queue = present();
  const bool wanted_again = std::any_of(queue.begin(), queue.end(), [&](const Burst& b) {
    return in_scope(spec::Scope::bank, b.place, burst.place) && b.place.row == burst.place.row;
  });
  if (wanted_again) return false;
  switch (spec_.controller.page_policy) {
    case spec::PagePolicy::open:
    case spec::PagePolicy::timeout:
      return false;
    case spec::PagePolicy::closed:
      return true;
    case spec::PagePolicy::adaptive:
      bank.judged = true;
      bank.judged_row = burst.place.row;
      return bank.closes >= 2;
  }
  return false;
}

void Channel::judge(Bank& bank, std::uint32_t row) {
  if (!bank.judged) return;
  bank.judged = false;
  bank.closes = std::clamp(bank.closes + (bank.judged_row == row ? -1 : 1), 0, 3);
}

}  // namespace diffram::naive
