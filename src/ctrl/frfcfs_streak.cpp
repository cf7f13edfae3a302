// Long runs of row hits in a light loop. A streak is a stretch in which the answer of `choose` is
// known without asking: every queued burst of the direction is a hit (so no row command can come),
// the oldest is legal as soon as any column command can be (so no other goes before it), and
// nothing happens in between that the steps before the commands would see. Then bursts leave in
// order of age, and each makes room for the next of the front end. Queue, device, counters and bill
// are told at the end; whatever does not fit ends the streak before it, and the loop of `simulate`
// goes on from there. Where row commands have a bus of their own, bursts may wait for another row
// too: it closes and opens meanwhile (frfcfs_streak_rows.cpp). Same commands, counters and bill as
// without: tests/ctrl/streak_test.cpp.
// Long runs need a fifth of the instructions (bench/gates.toml).

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

// The first cycle after t that may bring more than column commands of this direction; t if that
// cannot be told. Admission and turn of t are done.
template <bool kRows>
std::int64_t Frfcfs::streak_horizon(std::int64_t t) const {
  const BurstQueue& bursts = queue(direction_);
  if (held_ranks_ != 0 || bursts.size() < 2 || wants_turn(t + 1)) return t;
  // An overdue read holds the direction: each command may end that.
  if (direction_ == Direction::read && writes_press(t)) return t;
  for (std::size_t w = 0; !kRows && w < mask_words_; ++w) {
    if ((bursts.nonempty().word(w) & ~bursts.head_hits().word(w)) != 0) return t;
  }
  std::int64_t horizon = sleep_at_ == kNever ? next_due_ : next_refresh();
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

// False if one of the queued bursts is no hit, or does not wait for the one row that its bank opens
// next.
template <bool kRead, bool kRows>
bool Frfcfs::begin_streak(std::int64_t t) {
  const BurstQueue& bursts = queue(direction_);
  streak_.clear();
  streak_.open_rows = asleep_ranks_ == 0 ? rows_.data() : rows_awake();
  if constexpr (kRows) streak_.rows.begin(rows_, t);
  for (std::uint32_t slot = bursts.oldest(); slot != kNone; slot = bursts[slot].newer) {
    const QueuedBurst& burst = bursts[slot];
    const std::uint32_t bank = burst.bank();
    if constexpr (kRows) {
      StreakRows& rows = streak_.rows;
      if (!rows.enter(bank, burst.row(), streak_.end())) {
        const auto wait = rows.wait(bank, burst.row(), streak_.next_position(),
                                    burst.acceptance + policy_.dispatch);
        if (wait == StreakRows::Wait::impossible) return false;
        if (wait == StreakRows::Wait::for_row) rows.want(bank, row_legal(bank));
      }
    } else if (rows_[bank] != burst.row()) {
      return false;
    }
    streak_.push(burst.of, burst.acceptance, burst.outcome);
  }
  constexpr Command command = kRead ? Command::RD : Command::WR;
  streak_.first_ready = kNever;
  streak_.all_ready = 0;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    for (std::uint64_t open = open_.word(w); open != 0; open &= open - 1) {
      const auto bank =
          static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(__builtin_ctzll(open));
      streak_.ready(device_.recent_earliest_at(command, bank), t);
    }
  }
  std::ranges::fill(streak_.group_next, 0);
  std::ranges::fill(streak_.stack_next, 0);
  streak_.at_stack = streak_.ready_stack = kNone;
  streak_.at_run = Streak::kNoRun;
  streak_.ahead.clear();
  streak_.share.bursts = 0;
  streak_.entered = 0;
  streak_.passed = false;
  // A queue with room waits for an arrival, which is the horizon.
  streak_.refills = bursts.full() && !front_.list(direction_).empty();
  return true;
}

// Gets the next bursts of `first`, the first run of the list, which has several, ready. They count
// as queued from now on.
void Frfcfs::look_ahead(const NextBurst& first) {
  Streak::LookAhead& ahead = streak_.ahead;
  ahead.of = first;
  Run& run = front_.run(first.run);
  AddressWalk::Cursor cursor = run.cursor;
  const auto [count, all] = walk_.list(cursor, ahead.bursts.data(), ahead.kMost);
  if (!all) ahead.after = cursor;
  ahead.used = 0;
  ahead.count = count;
  ahead.last = all;
  run.in_queue += count;
}

// The bursts used of those ahead have entered; the others stay in the front end.
inline void Frfcfs::close_ahead() {
  Streak::LookAhead& ahead = streak_.ahead;
  if (ahead.last && ahead.used == ahead.count) {
    front_.run(ahead.of.run).entered = true;
    front_.list(direction_).pop();
    ahead.clear();
  } else if (ahead.count != 0) {
    close_ahead_midway();
  }
}

void Frfcfs::close_ahead_midway() {
  Streak::LookAhead& ahead = streak_.ahead;
  Run& run = front_.run(ahead.of.run);
  if (ahead.used == ahead.count) {
    run.cursor = ahead.after;
  } else {
    walk_.list(run.cursor, ahead.bursts.data(), ahead.used);
    run.in_queue -= ahead.count - ahead.used;
  }
  front_.list(direction_).front().next.fields = run.cursor.fields;
  ahead.clear();
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

// A burst of the front end takes the slot that is free at t; false if it cannot: it meets one of
// the other queue, or its row is not the one to come.
template <bool kAttribution, bool kRead, bool kRows>
[[gnu::always_inline]] inline bool Frfcfs::enter_streak(const NextBurst& of, std::int64_t t) {
  const BurstQueue& others = queue(kRead ? Direction::write : Direction::read);
  if (others.size() > 0 && others.holds(of.fields)) return false;
  const std::uint32_t bank = of.fields.bank();
  if constexpr (kRows) {
    StreakRows& rows = streak_.rows;
    if (!rows.enter(bank, of.fields.row(), streak_.end())) {
      const auto wait =
          rows.wait(bank, of.fields.row(), streak_.next_position(), t + policy_.dispatch);
      if (wait == StreakRows::Wait::impossible) return false;
      if (wait == StreakRows::Wait::for_row) want_row<kAttribution, kRead>(bank);
      streak_.event = 0;
    }
  } else if (streak_.open_rows[bank] != of.fields.row()) {
    return false;
  }
  streak_.push(of, t);
  ++streak_.entered;
  return true;
}

// The next burst of the front end takes the slot that is free at t; false if it cannot.
template <bool kAttribution, bool kRead, bool kRows>
inline bool Frfcfs::refill_streak(std::int64_t t) {
  Streak::LookAhead& ahead = streak_.ahead;
  if (ahead.used == ahead.count) {
    close_ahead();
    FrontEnd::List& list = front_.list(kRead ? Direction::read : Direction::write);
    const std::int64_t arrival = list.empty() ? kNever : list.front().next.arrival;
    if (arrival > t) {
      streak_.beyond = std::min(streak_.beyond, arrival);
      streak_.horizon = std::min(streak_.horizon, arrival);
      streak_.refills = false;
      streak_.event = 0;
      return true;
    }
    if (list.front().next.run == kNone) {
      if (!enter_streak<kAttribution, kRead, kRows>(list.front().next, t)) return false;
      list.pop();
      return true;
    }
    look_ahead(list.front().next);
  }
  if (!enter_streak<kAttribution, kRead, kRows>(ahead.next(), t)) return false;
  ++ahead.used;
  return true;
}

// The oldest burst that may leave at `cycle`, but for the oldest of all; the end if there is none.
template <bool kRead, bool kRows>
std::uint32_t Frfcfs::find_passing(std::int64_t cycle) const {
  constexpr Command column = kRead ? Command::RD : Command::WR;
  for (std::uint32_t position = streak_.begin() + 1; position != streak_.end(); ++position) {
    const Streak::Burst& burst = streak_.at(position);
    const std::uint32_t bank = burst.of.fields.bank();
    if (burst.acceptance + policy_.dispatch > cycle) break;
    if (streak_.group_next[device_.group_of()[bank]] > cycle ||
        streak_.stack_next[device_.stack_of()[bank]] > cycle ||
        device_.recent_earliest_at(column, bank) > cycle) {
      continue;
    }
    if (kRows && rows_[bank] != burst.of.fields.row()) continue;
    return position;
  }
  return streak_.end();
}

// The oldest burst cannot leave at `cycle`: another one that can becomes the first. False if there
// is none. Bursts of other banks may pass without limit.
template <bool kRead, bool kRows>
bool Frfcfs::pass_in_streak(std::int64_t cycle) {
  settle_stack(streak_.cadence(kRead));
  const std::uint32_t passing = find_passing<kRead, kRows>(cycle);
  if (passing == streak_.end()) return false;
  const Streak::Burst burst = streak_.at(passing);
  for (std::uint32_t position = passing; position != streak_.begin(); --position) {
    streak_.at(position) = streak_.at(position - 1);
  }
  streak_.at(streak_.begin()) = burst;
  // It may be the last of its run, and have come just before.
  if (streak_.ahead.used == streak_.ahead.count) close_ahead();
  if constexpr (kRows) {
    StreakRows& rows = streak_.rows;
    for (std::uint32_t position = passing; position != streak_.begin(); --position) {
      rows.move(streak_.at(position).of.fields.bank(), position - 1, position);
    }
    rows.move(burst.of.fields.bank(), passing, streak_.begin());
    rows.settle_moves();
  }
  streak_.passed = true;
  streak_.event = 0;
  return true;
}

// The first cycle after `cycle` in which more than the rates of groups and stacks may hold back the
// burst that is the oldest then. There is one in each `step`, and a next one for each that leaves;
// whatever changes that sets the event back.
template <bool kRows>
inline std::int64_t Frfcfs::event_after(std::int64_t cycle, std::int64_t step, std::uint32_t issued,
                                        bool may_turn) const {
  if (!streak_.refills || cycle + step < streak_.all_ready) return 0;
  std::int64_t event = std::min(streak_.horizon, until_);
  if (may_turn) {
    if (streak_.size() <= policy_.write_low) return 0;
    event = std::min(event, cycle + (std::int64_t{policy_.write_queue} - served_ - issued) * step);
  }
  if constexpr (kRows) {
    event = std::min(event, streak_.rows.next_cycle() + 1);
    if (streak_.rows.next_turn() != kNone) {
      const std::uint32_t bursts = streak_.rows.next_turn() - streak_.begin();
      event = std::min(event, cycle + static_cast<std::int32_t>(bursts) * step);
    }
  }
  return event;
}

// From t on, where admission and turn are done; gives the cycle after the last command, t if there
// was none. Admission there may be done or not: to do it again changes nothing.
template <bool kAttribution, bool kRead, bool kRows>
std::int64_t Frfcfs::run_streak(std::int64_t t) {
  streak_.beyond = std::min(streak_horizon<kRows>(t), t + Streak::kLongest);
  streak_.horizon = std::min(streak_.beyond, sleep_at_);
  if (streak_.horizon <= t) return t;
  const Cadence cadence = streak_.cadence(kRead);
  const std::int64_t data = kRead ? timing_.read : timing_.write;
  const std::int64_t data_end = data + timing_.burst;
  constexpr Command column = kRead ? Command::RD : Command::WR;
  if constexpr (kAttribution && kRows) {
    // Cheaper than to find out below: the oldest burst has to follow the data before at once.
    const QueuedBurst& oldest = queue(direction_)[queue(direction_).oldest()];
    if (rows_[oldest.bank()] != oldest.row() ||
        device_.recent_earliest_at(column, oldest.bank()) + data > attributed_.bill.bus_end()) {
      streak_.tried(0);
      return t;
    }
  }
  StreakRows& rows = streak_.rows;
  bool possible = begin_streak<kRead, kRows>(t);
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
  streak_.first_ready = cycle;
  const bool may_turn = !kRead && queue(Direction::read).size() > 0;
  const bool slow_stack = cadence.stack > cadence.least;
  const std::uint32_t* const group_of = device_.group_of();
  const std::uint32_t* const stack_of = device_.stack_of();
  std::uint32_t issued = 0;
  Run* run = nullptr;      // of several bursts, the one at hand
  bool ends_hits = false;  // the burst at hand is the last hit of its bank: an event
  streak_.event = 0;
  while (true) {
    const Streak::Burst& burst = streak_.front();
    const std::uint32_t bank = burst.of.fields.bank();
    const std::uint32_t group = group_of[bank];
    if (cycle >= streak_.event) {
      ends_hits = false;
      // The last burst of a queue is left to the loop of `simulate`: it knows what the end of all
      // is.
      if (streak_.size() <= 1) break;
      if (may_turn &&
          (streak_.size() <= policy_.write_low || served_ + issued >= policy_.write_queue)) {
        break;
      }
      if constexpr (kRows) {
        if (rows.next_cycle() < cycle) {
          const std::int64_t limit = std::min({cycle, streak_.horizon, until_});
          t = std::max(t, issue_rows_before<kAttribution, kRead>(limit, cycle));
          // A row that opened before the first column might bring one that comes earlier.
          if (issued == 0 && streak_.first_ready < cycle) break;
        }
      }
      if ((cycle >= streak_.horizon || cycle >= until_) && !stays_awake(cycle)) break;
      bool is_ready =
          cycle >= streak_.all_ready || cycle >= device_.recent_earliest_at(column, bank);
      if constexpr (kRows) {
        if (streak_.begin() == rows.next_turn()) {
          is_ready = is_ready && !rows.awaits_row(bank, streak_.begin());
          ends_hits = rows.ends_hits(bank, streak_.begin());
        }
      }
      if (!is_ready) {
        if (pass_in_streak<kRead, kRows>(cycle)) continue;
        break;
      }
      streak_.event = event_after<kRows>(cycle, cadence.least, issued, may_turn);
    }
    if (streak_.group_next[group] > cycle || burst.acceptance + policy_.dispatch > cycle) {
      if (pass_in_streak<kRead, kRows>(cycle)) continue;
      break;
    }
    if (burst.of.run != streak_.at_run) {
      if (run != nullptr) run->end = std::max(run->end, cycle - cadence.least + data_end);
      open_share<kAttribution, kRead>(burst.of, cycle);
      run = nullptr;
      streak_.at_run = Streak::kNoRun;
      if (burst.of.run != kNone) {
        streak_.at_run = burst.of.run;
        run = &front_.run(burst.of.run);
      }
    }
    if (const std::uint32_t stack = stack_of[bank]; stack != streak_.ready_stack) {
      settle_stack(cadence);
      if (streak_.stack_next[stack] > cycle) {
        if (pass_in_streak<kRead, kRows>(cycle)) continue;
        break;
      }
      streak_.at_stack = stack;
      streak_.at_arrival = burst.of.arrival;
      streak_.ready_stack = slow_stack ? kNone : stack;
    }
    issue_in_streak<kAttribution, kRead>(burst, bank, cycle);
    streak_.group_next[group] = cycle + cadence.group;
    streak_.pop();
    ++issued;
    std::int64_t end = cycle + data_end;
    bool is_complete = run == nullptr;
    if (run != nullptr && --run->in_queue == 0 && run->entered) {
      front_.vacate(streak_.at_run);
      streak_.at_run = Streak::kNoRun;
      end = std::max(run->end, end);
      run = nullptr;
      is_complete = true;
    }
    if (is_complete) {
      finish(burst.of.ticket, end);
      streak_.event = std::min(streak_.event, until_);
    }
    if (kRows && ends_hits) want_row<kAttribution, kRead>(bank);
    t = cycle + 1;
    cycle += cadence.least;
    if (streak_.refills && !refill_streak<kAttribution, kRead, kRows>(t)) break;
  }
  streak_.tried(issued);
  if constexpr (kRows) issue_rows_before<kAttribution, kRead>(t, t);
  if (issued == 0 && !rows.changed()) return t;
  if (issued != 0) {
    const std::int64_t end = cycle - cadence.least + data_end;
    if (run != nullptr) run->end = std::max(run->end, end);
    last_data_ = std::max(last_data_, end);
    served_ += issued;
    close_share<kAttribution, kRead>();
  }
  close_ahead();
  end_streak(issued);
  return t;
}

template <bool kAttribution>
std::int64_t Frfcfs::streak(std::int64_t t) {
  const bool read = direction_ == Direction::read;
  if (has_two_buses_) {
    return read ? run_streak<kAttribution, true, true>(t)
                : run_streak<kAttribution, false, true>(t);
  }
  return read ? run_streak<kAttribution, true, false>(t)
              : run_streak<kAttribution, false, false>(t);
}

template std::int64_t Frfcfs::streak<true>(std::int64_t);
template std::int64_t Frfcfs::streak<false>(std::int64_t);

}  // namespace diffram::ctrl
