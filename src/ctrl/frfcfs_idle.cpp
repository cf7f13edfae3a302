// Idle time in whole refresh intervals. While no request is queued and none arrives, every interval
// is like the one before: each rank is refreshed once, at the same place. So one interval is
// stepped through, and what it counted is taken times the number of intervals to come; the last one
// is stepped again, so that what later waits refer to is really there. Same counters and bill as
// with every interval stepped (tests/ctrl/idle_test.cpp): a billion cycles take microseconds.

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using spec::Command;

namespace {

constexpr std::int64_t kWorthIt = 4;  // intervals

}  // namespace

// Nothing that has been done before holds anything back from `cycle` on.
bool Frfcfs::is_at_rest(std::int64_t cycle) const {
  if (held_ranks_ != 0) return false;
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    if (rows_[bank] != kNone) return false;
    for (const Command command : {Command::ACT, Command::PRE, Command::RD, Command::WR}) {
      if (device_.earliest_at(command, bank) > cycle) return false;
    }
  }
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    if (device_.earliest_at(Command::REFab, rank * device_.banks_per_rank()) > cycle) return false;
  }
  return true;
}

// Refreshes of an idle channel as `simulate` would issue them, up to `last`; gives the next cycle
// to be visited.
template <bool kAttribution>
std::int64_t Frfcfs::refresh_until(std::int64_t last) {
  std::int64_t t = next_due_;
  while (t <= last) {
    if (t >= next_due_) fall_due(t);
    const Decision decision = choose_refresh(t);
    if (decision.cycle > t) {
      t = std::min(decision.cycle, next_due_);
      continue;
    }
    if (decision.kind == Kind::refresh) {
      issue_refresh<kAttribution>(decision.bank / device_.banks_per_rank(), t);
    } else {
      issue_precharge_all<kAttribution>(decision.bank / device_.banks_per_rank(), t);
    }
    ++t;
  }
  return std::min(t, last + 1);
}

// From an idle cycle t to the next cycle to be visited.
template <bool kAttribution>
std::int64_t Frfcfs::pass_idle_time(std::int64_t t) {
  const std::int64_t interval = refresh_interval_;
  const std::int64_t horizon = std::min(until_, next_arrival_);
  const std::int64_t first = next_due_ - 1;
  if (on_command_ || policy_.power_down_after > 0 || interval <= 0 ||
      horizon - t < kWorthIt * interval || first < t || !is_at_rest(first)) {
    return event_at_;
  }
  const std::int64_t second = first + interval;
  // Just after a change of the interval a rank may be due later than in the next one.
  for (const RefreshTimer& timer : timers_) {
    if (timer.due > second) return event_at_;
  }
  if constexpr (kAttribution) attributed_.shares.settle_idle_channel(first);
  const auto banks = counters_.banks;
  const auto ranks = counters_.ranks;
  const auto shared = counters_.shared;
  event_at_ = refresh_until<kAttribution>(second);
  if (!is_at_rest(second)) return event_at_;
  if constexpr (kAttribution) attributed_.shares.settle_idle_channel(second);

  // One interval at least is left to be stepped through.
  const std::int64_t times = (horizon - second) / interval - 1;
  for (std::size_t bank = 0; bank < banks.size(); ++bank) {
    auto& counted = counters_.banks[bank];
    counted = base::plus_difference(counted, counted, banks[bank], times);
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    auto& counted = counters_.ranks[rank];
    counted = base::plus_difference(counted, counted, ranks[rank], times);
  }
  counters_.shared = base::plus_difference(counters_.shared, counters_.shared, shared, times);
  const std::int64_t passed = times * interval;
  if constexpr (kAttribution) attributed_.shares.pass_idle_time(passed);
  for (RefreshTimer& timer : timers_) timer.due += passed;
  next_due_ += passed;
  event_at_ = next_due_;
  return event_at_;
}

template std::int64_t Frfcfs::pass_idle_time<true>(std::int64_t);
template std::int64_t Frfcfs::pass_idle_time<false>(std::int64_t);

}  // namespace diffram::ctrl
