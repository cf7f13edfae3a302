// Steps 4 and 7: refresh, sleep and housekeeping, rank by rank.

#include "ctrl/policy/policy_channel.h"

namespace diffram::ctrl {

using spec::Command;

// Since when the refresh that is owed now has held the rank: the due cycle that took the debt over
// what may be postponed. An idle rank that refreshes before it must keeps nobody waiting until
// then.
std::int64_t PolicyChannel::held_since(const Rank& rank) const {
  const std::int64_t beyond = rank.debt - policy_.refresh_postpone;
  if (beyond <= 0) return moment_.now();
  return rank.due - refresh_interval_ * beyond;
}

// Step 4.
bool PolicyChannel::wake_or_refresh() {
  for (std::uint32_t r = 0; r < device_.ranks(); ++r) {
    const Rank& rank = ranks_[r];
    if (rank.state == RankState::awake) {
      if (is_held(rank) && refresh(r)) return true;
    } else if (rank.queued > 0 || (rank.state == RankState::power_down && is_held(rank))) {
      if (wake(r)) return true;
    }
  }
  return false;
}

bool PolicyChannel::wake(std::uint32_t r) {
  Rank& rank = ranks_[r];
  const bool is_refreshing = rank.state == RankState::self_refresh;
  const Command exit = is_refreshing ? Command::SREFX : Command::PDX;
  if (!legal(exit, first_bank(r))) return false;
  const std::int64_t t = moment_.now();
  if (attribution_) {
    attributed_.bill.rank_command(exit, r, t);
    count_sleep(r, t);
  }
  rank.state = RankState::awake;
  if (is_refreshing) {
    rank.must_refresh = true;
  } else {
    rest_until(r, t + rest_.activate);
  }
  issue(exit, first_bank(r), unnamed_);
  return true;
}

// REFab, or PREA on the way to it.
bool PolicyChannel::refresh(std::uint32_t r) {
  if (part_refresh_) return refresh_part(r);
  Rank& rank = ranks_[r];
  const std::uint32_t first = first_bank(r);
  const std::uint32_t end = first + device_.banks_per_rank();
  const bool rows_open = device_.open_banks(r) != 0;
  const Command command = rows_open ? Command::PREA : Command::REFab;
  if (!legal(command, first)) return false;
  const std::int64_t t = moment_.now();
  const std::int64_t since = held_since(rank);
  if (rows_open) {
    if (attribution_) attributed_.bill.rank_command(command, r, t);
    for (std::uint32_t bank = first; bank < end; ++bank) {
      if (!device_.is_open(bank)) continue;
      ++counters_.banks[bank].pre;
      if (attribution_) attributed_.precharge_for_refresh(bank, t, since);
      forget_row(bank);
    }
    rest_until(r, t + rest_.precharge);
  } else {
    count_refresh(r);
    if (attribution_) attributed_.refresh(r, t, since);
    rank.debt = std::max(rank.debt - 1, -std::int64_t{policy_.refresh_pull_in});
    rank.must_refresh = false;
    rest_until(r, t + rest_.refresh);
  }
  issue(command, first, unnamed_);
  return true;
}

// The next part of the rank: its open banks are closed one by one. A round of all parts counts as
// one refresh of the rank.
bool PolicyChannel::refresh_part(std::uint32_t r) {
  Rank& rank = ranks_[r];
  const auto& banks = device_.part(r, rank.next_part);
  const std::int64_t t = moment_.now();
  const std::int64_t since = held_since(rank);
  bool rows_open = false;
  for (const std::uint32_t bank : banks) {
    if (!device_.is_open(bank)) continue;
    rows_open = true;
    if (close_for_part(bank, since)) return true;
  }
  if (rows_open || !protocol_.part_refresh) return false;
  const Command command = *protocol_.part_refresh;
  if (!legal(command, banks.front())) return false;
  if (attribution_) {
    attributed_.bill.refresh_part(command, banks, t, since);
    attributed_.shares.refresh_part(r, banks, t, rest_.part);
  }
  for (const std::uint32_t bank : banks) {
    ++counters_.banks[bank].refresh;
    ++counters_.part_refreshes[bank];
  }
  if (++rank.next_part == device_.parts_per_rank()) {
    rank.next_part = 0;
    ++counters_.ranks[r].refreshes;
  }
  rank.debt = std::max(rank.debt - 1, -std::int64_t{policy_.refresh_pull_in});
  rank.must_refresh = false;
  rest_until(r, t + rest_.part);
  issue(command, banks.front(), unnamed_);
  return true;
}

bool PolicyChannel::close_for_part(std::uint32_t bank, std::int64_t since) {
  if (!legal(Command::PRE, bank)) return false;
  if (attribution_) attributed_.precharge_for_part(bank, moment_.now(), since);
  close_bank(bank, unnamed_);
  return true;
}

// Step 7.
bool PolicyChannel::keep_house() { return close_idle_row() || pull_in() || go_to_sleep(); }

bool PolicyChannel::close_idle_row() {
  if (!page_->closes_idle_rows()) return false;
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    if (banks_[bank].row == kNone || !serves(bank)) continue;
    if (queues_[0].hit(bank) != kNone || queues_[1].hit(bank) != kNone) continue;
    if (!page_->is_idle(bank, moment_) || !legal(Command::PRE, bank)) continue;
    close_by_policy(bank);
    return true;
  }
  return false;
}

bool PolicyChannel::pull_in() {
  if (policy_.refresh_pull_in == 0 || refresh_interval_ == 0) return false;
  const auto most = static_cast<std::int64_t>(policy_.refresh_pull_in);
  for (std::uint32_t r = 0; r < device_.ranks(); ++r) {
    const Rank& rank = ranks_[r];
    if (!works(r) || rank.queued != 0 || rank.debt <= -most) continue;
    if (moment_.reached(rank.last_column + rest_.refresh) && refresh(r)) return true;
  }
  return false;
}

bool PolicyChannel::go_to_sleep() {
  for (std::uint32_t r = 0; r < device_.ranks(); ++r) {
    const Rank& rank = ranks_[r];
    if (rank.queued != 0 || rank.state == RankState::self_refresh) continue;
    const auto quiet = [&](std::int64_t cycles) {
      return cycles > 0 && moment_.reached(rank.last_column + cycles);
    };
    const bool for_long = quiet(policy_.self_refresh_after);
    if (rank.state == RankState::power_down) {
      if (for_long && wake(r)) return true;
    } else if (works(r)) {
      if (for_long) {
        if (enter_self_refresh(r)) return true;
      } else if (quiet(policy_.power_down_after) && enter_power_down(r)) {
        return true;
      }
    }
  }
  return false;
}

// On the way: rows are closed one by one, and a rank that left self-refresh is refreshed once.
bool PolicyChannel::enter_self_refresh(std::uint32_t r) {
  Rank& rank = ranks_[r];
  const std::uint32_t first = first_bank(r);
  bool rows_open = false;
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    if (banks_[bank].row == kNone) continue;
    rows_open = true;
    if (!legal(Command::PRE, bank)) continue;
    close_by_policy(bank);
    return true;
  }
  if (rows_open) return false;
  if (refresh_interval_ > 0 && rank.must_refresh) return refresh(r);
  if (!moment_.reached(rank.at_rest) || !legal(Command::SREFE, first)) return false;
  const std::int64_t t = moment_.now();
  // Self-refresh begins with a refresh (energy-and-heat.md 2d).
  count_refresh(r);
  if (attribution_) {
    attributed_.bill.rank_command(Command::SREFE, r, t);
    attributed_.shares.refresh(r, t);
  }
  rank.state = RankState::self_refresh;
  rank.clock_until = std::min(rank.clock_until, t);
  rank.debt = 0;
  rank.asleep_from = t + rest_.refresh;
  issue(Command::SREFE, first, unnamed_);
  return true;
}

bool PolicyChannel::enter_power_down(std::uint32_t r) {
  Rank& rank = ranks_[r];
  if (!moment_.reached(rank.at_rest) || !legal(Command::PDE, first_bank(r))) return false;
  const std::int64_t t = moment_.now();
  if (attribution_) attributed_.bill.rank_command(Command::PDE, r, t);
  rank.state = RankState::power_down;
  rank.clock_until = std::min(rank.clock_until, t);
  rank.rows_open = device_.open_banks(r) != 0;
  rank.asleep_from = t;
  issue(Command::PDE, first_bank(r), unnamed_);
  return true;
}

// Count the time asleep so far: the rank wakes, or a window ends.
void PolicyChannel::count_sleep(std::uint32_t r, std::int64_t until) {
  Rank& rank = ranks_[r];
  if (rank.state == RankState::awake || rank.asleep_from >= until) return;
  base::RankCounters& counters = counters_.ranks[r];
  std::int64_t& cycles = rank.state == RankState::self_refresh ? counters.self_refresh_cycles
                         : rank.rows_open                      ? counters.power_down_active_cycles
                                          : counters.power_down_precharge_cycles;
  cycles += until - rank.asleep_from;
  attributed_.shares.slept(r, rank.asleep_from, until);
  rank.asleep_from = until;
}

}  // namespace diffram::ctrl
