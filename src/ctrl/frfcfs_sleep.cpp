// Power-down of idle ranks (steps 4 and 7), on one bus. A rank asleep keeps its banks out of the
// choice; a burst that enters for it makes it wanted, and its PDX is chosen as a refresh is. When a
// rank may fall asleep is worked out from what the device remembers, and only now and then: the
// least cycle that any rank could is an event.

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using spec::Command;

void Frfcfs::block(std::uint32_t rank) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    blocked_[bank >> 6] |= std::uint64_t{1} << (bank & 63);
  }
}

void Frfcfs::unblock(std::uint32_t rank) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    blocked_[bank >> 6] &= ~(std::uint64_t{1} << (bank & 63));
  }
}

// A burst for the rank has entered its queue.
void Frfcfs::wake_for(std::uint32_t rank) {
  Sleep& sleep = sleeps_[rank];
  if (!sleep.asleep || sleep.wanted) return;
  sleep.wanted = true;
  if (timers_[rank].owed == 0) ++held_ranks_;
  usual_until_ = -1;
}

bool Frfcfs::is_wanted(std::uint32_t rank) const {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    if (queues_[0].nonempty().has(bank) || queues_[1].nonempty().has(bank)) return true;
  }
  return false;
}

std::int64_t Frfcfs::next_refresh() const {
  std::int64_t due = kNever;
  for (const RefreshTimer& timer : timers_) due = std::min(due, timer.due);
  return due;
}

void Frfcfs::set_sleep_at(std::int64_t cycle) {
  sleep_at_ = cycle;
  next_due_ = std::min(next_refresh(), cycle);
}

// `rows_`, without those of ranks asleep.
const std::uint32_t* Frfcfs::rows_awake() {
  rows_awake_ = rows_;
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    if (sleeps_[device_.rank_of()[bank]].asleep) rows_awake_[bank] = kNone;
  }
  return rows_awake_.data();
}

// A streak has come to where a rank might power down: if every rank awake has a burst in it, none
// does so soon.
bool Frfcfs::stays_awake(std::int64_t cycle) {
  if (cycle < sleep_at_ || cycle >= std::min(streak_.beyond, until_)) return false;
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    if (sleeps_[rank].asleep) continue;
    bool has_burst = false;
    for (std::uint32_t i = 0; i < streak_.size() && !has_burst; ++i)
      has_burst = device_.rank_of()[streak_[i].of.fields.bank()] == rank;
    if (!has_burst) return false;
  }
  set_sleep_at(cycle + policy_.power_down_after);
  streak_.horizon = std::min(streak_.beyond, sleep_at_);
  return true;
}

// Not before: exact if nobody waits for the rank.
std::int64_t Frfcfs::earliest_sleep(std::uint32_t rank, std::int64_t t) const {
  // Whoever wakes or refreshes it asks again.
  if (sleeps_[rank].asleep || timers_[rank].owed != 0) return kNever;
  if (is_wanted(rank)) return t + policy_.power_down_after;
  const std::uint32_t first = rank * device_.banks_per_rank();
  std::int64_t column = 0;
  std::int64_t rest = std::max(device_.last_cycle(Command::REFab, first) + rest_.refresh,
                               device_.last_cycle(Command::PDX, first) + rest_.activate);
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    const auto last = [&](Command command) { return device_.last_cycle(command, bank); };
    const std::int64_t read = last(Command::RDA), write = last(Command::WRA);
    column = std::max({column, last(Command::RD), last(Command::WR), read, write});
    rest =
        std::max({rest, last(Command::ACT) + rest_.activate, last(Command::PRE) + rest_.precharge});
    if (std::max(read, write) < last(Command::ACT)) continue;
    const std::int64_t closed = std::max({last(Command::ACT) + rest_.least_open,
                                          read + rest_.after_read, write + rest_.after_write});
    rest = std::max(rest, closed + rest_.precharge);
  }
  return std::max(
      {column + policy_.power_down_after, rest, device_.earliest_at(Command::PDE, first)});
}

// Step 7, in a cycle without a command: true if a rank powers down.
template <bool kAttribution>
bool Frfcfs::go_to_sleep(std::int64_t t) {
  std::int64_t sleep_at = kNever;
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    const std::int64_t cycle = earliest_sleep(rank, t);
    if (cycle > t) {
      sleep_at = std::min(sleep_at, cycle);
      continue;
    }
    if constexpr (kAttribution) attributed_.bill.rank_command(Command::PDE, rank, t);
    sleeps_[rank] = {true, device_.open_banks(rank) != 0, false, t};
    ++asleep_ranks_;
    block(rank);
    issue_to_rank(Command::PDE, rank, t);
    set_sleep_at(t + 1);
    event_at_ = t;
    return true;
  }
  set_sleep_at(sleep_at);
  event_at_ = std::min(event_at_, next_due_);
  return false;
}

template <bool kAttribution>
void Frfcfs::issue_wake(std::uint32_t rank, std::int64_t t) {
  if constexpr (kAttribution) {
    attributed_.bill.rank_command(Command::PDX, rank, t);
    count_sleep(rank, t);
  }
  sleeps_[rank] = {};
  --asleep_ranks_;
  if (timers_[rank].owed == 0) {
    --held_ranks_;
    unblock(rank);
  }
  issue_to_rank(Command::PDX, rank, t);
  set_sleep_at(t + 1);
  event_at_ = t;
}

// The time asleep so far: the rank wakes, or a window ends.
void Frfcfs::count_sleep(std::uint32_t rank, std::int64_t until) {
  Sleep& sleep = sleeps_[rank];
  if (!sleep.asleep || sleep.from >= until) return;
  base::RankCounters& counters = counters_.ranks[rank];
  (sleep.rows_open ? counters.power_down_active_cycles : counters.power_down_precharge_cycles) +=
      until - sleep.from;
  attributed_.shares.slept(rank, sleep.from, until);
  sleep.from = until;
}

void Frfcfs::settle_ranks() {
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) count_sleep(rank, now_);
}

template bool Frfcfs::go_to_sleep<true>(std::int64_t);
template bool Frfcfs::go_to_sleep<false>(std::int64_t);
template void Frfcfs::issue_wake<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_wake<false>(std::uint32_t, std::int64_t);

}  // namespace diffram::ctrl
