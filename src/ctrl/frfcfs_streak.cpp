// Long runs of row hits in a light loop. A streak is a stretch in which the answer of `choose` is
// known without asking: every queued burst of the direction is a hit (so no row command can come),
// the oldest is legal as soon as any column command can be (so no other goes before it), and
// nothing happens in between that the steps before the commands would see. Then bursts leave in
// order of age, and each makes room for the next of the front end. Queue, device, counters and bill
// are told at the end; whatever does not fit ends the streak before it, and the loop of `simulate`
// goes on from there. Same commands, counters and bill as without: tests/ctrl/streak_test.cpp.
// Long runs need 212 instructions a burst instead of 812 (bench/gates.toml).

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

// The first cycle after t that may bring more than column commands of this direction; t if that
// cannot be told. Admission and turn of t are done.
std::int64_t Frfcfs::streak_horizon(std::int64_t t) const {
  const BurstQueue& bursts = queue(direction_);
  if (held_ranks_ != 0 || bursts.size() < 2 || wants_turn(t + 1)) return t;
  // An overdue read holds the direction: each command may end that.
  if (direction_ == Direction::read && writes_press(t)) return t;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    if ((bursts.nonempty().word(w) & ~bursts.head_hits().word(w)) != 0) return t;
  }
  std::int64_t horizon = next_due_;
  for (const Direction d : {Direction::read, Direction::write}) {
    const auto& list = front_.list(d);
    if (list.empty()) continue;
    const std::int64_t arrival = list.front().next.arrival;
    if (arrival > t) {
      horizon = std::min(horizon, arrival);
    } else if (!queue(d).full()) {
      return t;  // a write that waits for a queued read of its address
    }
  }
  const BurstQueue& writes = queue(Direction::write);
  if (direction_ == Direction::read && writes.size() > 0) {
    horizon = std::min(horizon, writes[writes.oldest()].acceptance + policy_.max_wait);
  }
  return horizon;
}

// False if one of the queued bursts is no hit.
bool Frfcfs::begin_streak() {
  const BurstQueue& bursts = queue(direction_);
  streak_.clear();
  for (std::uint32_t slot = bursts.oldest(); slot != kNone; slot = bursts[slot].newer) {
    const QueuedBurst& burst = bursts[slot];
    if (rows_[burst.bank()] != burst.row()) return false;
    streak_.push(burst.of, burst.acceptance, burst.outcome);
  }
  const Command command = direction_ == Direction::read ? Command::RD : Command::WR;
  streak_.first_ready = kNever;
  streak_.all_ready = 0;
  for (std::uint32_t bank = 0; bank < device_.banks(); ++bank) {
    if (rows_[bank] == kNone) continue;
    const std::int64_t legal = device_.earliest_at(command, bank);
    streak_.bank_next[bank] = legal;
    streak_.first_ready = std::min(streak_.first_ready, legal);
    streak_.all_ready = std::max(streak_.all_ready, legal);
  }
  std::ranges::fill(streak_.group_next, 0);
  std::ranges::fill(streak_.stack_next, 0);
  streak_.ahead.count = streak_.ahead.used = 0;
  streak_.share.bursts = 0;
  streak_.entered = 0;
  // A queue with room waits for an arrival, which is the horizon.
  streak_.refills = bursts.full() && !front_.list(direction_).empty();
  return true;
}

// Gets the next bursts of the first run of the list ready; false if its next one is no hit or meets
// a burst of the other queue. They count as queued from now on.
bool Frfcfs::look_ahead() {
  Streak::LookAhead& ahead = streak_.ahead;
  const BurstQueue& others =
      queue(direction_ == Direction::read ? Direction::write : Direction::read);
  ahead.of = front_.list(direction_).front().next;
  ahead.used = 0;
  const bool may_meet = others.size() > 0;
  const auto is_plain = [&](Fields fields) {
    return rows_[fields.bank()] == fields.row() && !(may_meet && others.holds(fields));
  };
  if (ahead.of.run == kNone) {
    ahead.bursts[0] = ahead.of.fields;
    ahead.count = is_plain(ahead.of.fields) ? 1 : 0;
    return ahead.count > 0;
  }
  Run& run = front_.run(ahead.of.run);
  ahead.after = run.cursor;
  ahead.count = walk_.list(ahead.after, ahead.bursts.data(), ahead.kMost, ahead.last);
  for (std::uint32_t i = 0; i < ahead.count; ++i) {
    if (is_plain(ahead.bursts[i])) continue;
    ahead.after = run.cursor;
    ahead.count = walk_.list(ahead.after, ahead.bursts.data(), i, ahead.last);
    ahead.last = false;
    break;
  }
  run.in_queue += ahead.count;
  return ahead.count > 0;
}

// The bursts used of those ahead have entered; the others stay in the front end.
void Frfcfs::close_ahead() {
  Streak::LookAhead& ahead = streak_.ahead;
  if (ahead.count == 0) return;
  if (ahead.of.run == kNone) {
    if (ahead.used == 1) front_.list(direction_).pop();
    ahead.count = ahead.used = 0;
    return;
  }
  Run& run = front_.run(ahead.of.run);
  bool entered = false;
  if (ahead.used == ahead.count) {
    run.cursor = ahead.after;
    entered = ahead.last;
  } else {
    bool ended = false;
    walk_.list(run.cursor, ahead.bursts.data(), ahead.used, ended);
    run.in_queue -= ahead.count - ahead.used;
  }
  if (entered) {
    run.entered = true;
    front_.list(direction_).pop();
  } else {
    front_.list(direction_).front().next.fields = run.cursor.fields;
  }
  ahead.count = ahead.used = 0;
}

void Frfcfs::close_latency() {
  Streak::Share& share = streak_.share;
  if (share.same_latency == 0) return;
  counters_.read_latency(share.latency, share.same_latency);
  share.latency_cycles += share.latency * share.same_latency;
  share.same_latency = 0;
}

// The counters are told what the share's origin did.
template <bool kAttribution, bool kRead>
void Frfcfs::close_share() {
  Streak::Share& share = streak_.share;
  if (share.bursts == 0) return;
  base::OriginCounters& origin = counters_.origins[share.origin];
  if constexpr (kRead) {
    close_latency();
    origin.reads += share.bursts;
    origin.read_latency_cycles += share.latency_cycles;
  } else {
    origin.writes += share.bursts;
  }
  origin.misses += share.misses;
  origin.conflicts += share.conflicts;
  origin.hits += share.bursts - share.misses - share.conflicts;
  for (const std::uint32_t bank : streak_.share_banks) {
    Streak::BankUse& use = streak_.banks[bank];
    base::BankCounters& counted = counters_.banks[bank];
    (kRead ? counted.rd : counted.wr) += use.columns;
    if constexpr (kAttribution) {
      attributed_.columns_of_bank(bank, use.last, use.columns, share.origin);
    }
    if (!use.touched) streak_.touched_banks.push_back(bank);
    use.touched = true;
    use.columns = 0;
    use.origin = share.origin;
  }
  streak_.share_banks.clear();
  if (device_.ranks() == 1) streak_.ranks[0] = {share.arrival, share.last};
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    Streak::RankUse& use = streak_.ranks[rank];
    if (use.last < 0) continue;
    if constexpr (kAttribution) {
      attributed_.shares.columns_of_rank(attributed_.shares.rank(rank), use.last, use.arrival,
                                         share.origin);
    }
    use.last = -1;
  }
  if constexpr (kAttribution)
    attributed_.bill.stream(share.first, share.bursts, share.origin, kRead);
  share.bursts = 0;
}

// The next burst is of another run: it adds to the share at hand or opens one.
template <bool kAttribution, bool kRead>
void Frfcfs::open_share(const NextBurst& of, std::int64_t cycle) {
  Streak::Share& share = streak_.share;
  if (share.bursts > 0 && share.origin == of.origin && of.arrival <= share.first) return;
  close_share<kAttribution, kRead>();
  share = {};
  share.origin = of.origin;
  share.arrival = of.arrival;
  share.first = cycle;
}

// What a command in one of several stacks or ranks means for the next ones.
void Frfcfs::use_stack(std::uint32_t stack, std::int64_t cycle, const Cadence& cadence,
                       std::int64_t arrival) {
  const std::uint32_t rank = stack / device_.stacks_per_rank();
  Streak::RankUse& use = streak_.ranks[rank];
  if (use.last < 0) use.arrival = arrival;
  use.last = cycle;
  for (std::uint32_t each = 0; each < device_.stacks(); ++each) {
    std::int64_t wait = cadence.other_stacks;
    if (each == stack) wait = cadence.stack;
    if (each / device_.stacks_per_rank() != rank) wait = cadence.other_ranks;
    std::int64_t& next = streak_.stack_next[each];
    next = std::max(next, cycle + wait);
  }
}

// The queue and the device catch up: `issued` bursts have left, others have come.
void Frfcfs::end_streak(std::uint32_t issued) {
  BurstQueue& bursts = queue(direction_);
  const std::uint32_t stay = bursts.size() - std::min(issued, bursts.size());
  while (bursts.size() > stay) {
    bursts.take_hit(bursts[bursts.oldest()].bank());
  }
  next_age_ += streak_.entered;
  std::uint32_t age = next_age_ - (streak_.size() - stay);
  for (std::uint32_t i = stay; i < streak_.size(); ++i) {
    const Streak::Burst& each = streak_[i];
    bursts.append(each.of, each.acceptance, age++, rows_[each.of.fields.bank()]);
  }
  // Later commands of a bank raise whatever earlier ones did.
  const Command command = direction_ == Direction::read ? Command::RD : Command::WR;
  const auto last = [this](std::uint32_t bank) { return streak_.banks[bank].last; };
  std::ranges::sort(streak_.touched_banks, {}, last);
  for (const std::uint32_t bank : streak_.touched_banks) {
    device_.issue_column(command, bank, last(bank), streak_.banks[bank].origin);
    streak_.banks[bank].touched = false;
  }
  streak_.touched_banks.clear();
}

// A burst leaves at `cycle`; its part of the counters is added to the share at hand.
template <bool kAttribution, bool kRead>
inline void Frfcfs::issue_in_streak(const Streak::Burst& burst, std::uint32_t bank,
                                    std::int64_t cycle) {
  Streak::Share& share = streak_.share;
  Streak::BankUse& use = streak_.banks[bank];
  if (use.columns++ == 0) streak_.share_banks.push_back(bank);
  use.last = cycle;
  ++share.bursts;
  share.last = cycle;
  if constexpr (kRead) {
    const std::int64_t latency = cycle + timing_.read + timing_.burst - burst.acceptance;
    if (latency != share.latency) {
      close_latency();
      share.latency = latency;
    }
    ++share.same_latency;
  }
  if (burst.outcome != RowOutcome::hit) {
    const bool conflict = burst.outcome == RowOutcome::conflict;
    ++(conflict ? share.conflicts : share.misses);
    if (conflict) ++counters_.banks[bank].conflicts;
  }
  if (on_command_) {
    log(cycle, kRead ? Command::RD : Command::WR, bank, burst.of.fields.row(),
        burst.of.fields.column());
  }
}

// The next burst of the front end takes the slot that is free at t; false if it cannot.
inline bool Frfcfs::refill_streak(std::int64_t t) {
  Streak::LookAhead& ahead = streak_.ahead;
  if (ahead.used == ahead.count) {
    const std::int64_t arrival = front_.list(direction_).front().next.arrival;
    if (arrival > t) {
      streak_.horizon = std::min(streak_.horizon, arrival);
      streak_.refills = false;
      return true;
    }
    if (!look_ahead()) return false;
  }
  ahead.of.fields = ahead.bursts[ahead.used++];
  streak_.push(ahead.of, t);
  ++streak_.entered;
  if (ahead.used == ahead.count) {
    close_ahead();
    streak_.refills = !front_.list(direction_).empty();
  }
  return true;
}

// From t on, where admission and turn are done; gives the cycle after the last command, t if there
// was none. Admission there may be done or not: to do it again changes nothing.
template <bool kAttribution, bool kRead>
std::int64_t Frfcfs::run_streak(std::int64_t t) {
  streak_.horizon = streak_horizon(t);
  if (streak_.horizon == t) return t;
  const Cadence cadence = streak_.cadence(kRead);
  const std::int64_t data = kRead ? timing_.read : timing_.write;
  bool possible = begin_streak();
  std::int64_t cycle = std::max(streak_.first_ready, t);
  if (kAttribution) {
    // A gap of the bus is billed by the loop of `simulate`.
    possible = possible && cadence.least == timing_.burst && attributed_.bill.nothing_pending() &&
               cycle + data == attributed_.bill.bus_end();
  }
  if (!possible) {
    streak_.tried(0);
    return t;
  }
  const bool may_turn = !kRead && queue(Direction::read).size() > 0;
  const bool one_stack = device_.stacks() == 1;
  const std::uint32_t* const group_of = device_.group_of();
  const std::uint32_t* const stack_of = device_.stack_of();
  std::uint32_t issued = 0;
  std::uint32_t run_index = kNone;
  Run* run = nullptr;  // of several bursts, the one at hand
  // The last burst of a queue is left to the loop of `simulate`: it knows what the end of all is.
  while (streak_.size() > 1 && cycle < streak_.horizon && cycle < until_) {
    if (may_turn &&
        (streak_.size() <= policy_.write_low || served_ + issued >= policy_.write_queue)) {
      break;
    }
    const Streak::Burst& burst = streak_.front();
    const std::uint32_t bank = burst.of.fields.bank();
    const std::uint32_t group = group_of[bank];
    if (streak_.group_next[group] > cycle || burst.acceptance + policy_.dispatch > cycle) break;
    if (cycle < streak_.all_ready && cycle < streak_.bank_next[bank]) break;
    if (!one_stack && streak_.stack_next[stack_of[bank]] > cycle) break;

    if (run_index == kNone || burst.of.run != run_index) {
      run_index = burst.of.run;
      run = run_index == kNone ? nullptr : &front_.run(run_index);
      open_share<kAttribution, kRead>(burst.of, cycle);
    }
    issue_in_streak<kAttribution, kRead>(burst, bank, cycle);
    streak_.group_next[group] = cycle + cadence.group;
    if (!one_stack) use_stack(stack_of[bank], cycle, cadence, burst.of.arrival);
    streak_.pop();
    ++issued;
    const std::int64_t end = cycle + data + timing_.burst;
    if (run_index == kNone) {
      finish(burst.of.ticket, end);
    } else if (--run->in_queue == 0 && run->entered) {
      front_.vacate(run_index);
      finish(burst.of.ticket, std::max(run->end, end));
      run_index = kNone;
    }
    t = cycle + 1;
    cycle += cadence.least;
    if (streak_.refills && !refill_streak(t)) break;
  }
  streak_.tried(issued);
  if (issued == 0) return t;
  const std::int64_t end = t - 1 + data + timing_.burst;
  if (run_index != kNone) run->end = std::max(run->end, end);
  last_data_ = std::max(last_data_, end);
  served_ += issued;
  close_share<kAttribution, kRead>();
  close_ahead();
  end_streak(issued);
  return t;
}

template <bool kAttribution>
std::int64_t Frfcfs::streak(std::int64_t t) {
  return direction_ == Direction::read ? run_streak<kAttribution, true>(t)
                                       : run_streak<kAttribution, false>(t);
}

template std::int64_t Frfcfs::streak<true>(std::int64_t);
template std::int64_t Frfcfs::streak<false>(std::int64_t);

}  // namespace diffram::ctrl
