// Long runs of row hits in a light loop. A streak is a stretch in which the answer of `choose` is
// known without asking: every queued burst of the direction is a hit (so no row command can come),
// the oldest is legal as soon as the column bus is (so no other can go before it), and nothing
// happens in between that the steps before the commands would see. Then bursts leave in order of
// age, and each makes room for the next of the front end. Queue and device are told at the end;
// whatever does not fit ends the streak before it, and the loop of `simulate` goes on from there.
// Same commands, counters and bill as without: tests/ctrl/streak_test.cpp.

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

namespace {

Fields fields_of(const QueuedBurst& burst) {
  return {std::uint64_t{burst.row} | std::uint64_t{burst.column} << Fields::kColumnShift |
          std::uint64_t{burst.bank} << Fields::kBankShift};
}

}  // namespace

// The first cycle after t that may bring more than column commands of this direction; t if that
// cannot be told. Admission and turn of t are done.
std::int64_t Frfcfs::streak_horizon(std::int64_t t) const {
  const BurstQueue& bursts = queue(direction_);
  if (held_ranks_ != 0 || bursts.size() < 2 || !rows_are_done() || wants_turn(t + 1)) return t;
  std::int64_t horizon = next_due_;
  for (const Direction d : {Direction::read, Direction::write}) {
    const auto& list = front_.list(d);
    if (list.empty()) continue;
    const std::int64_t arrival = front_.run(list.front()).arrival;
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
    if (rows_[burst.bank] != burst.row) return false;
    streak_.push({fields_of(burst), burst.acceptance, burst.run, burst.outcome});
  }
  const Times& next = column_times_[static_cast<std::size_t>(direction_)];
  streak_.group_next.assign(next.group, next.group + groups_);
  streak_.rank_next.assign(next.rank, next.rank + ranks_);
  return true;
}

// The queue and the device catch up: `issued` bursts have left, others have come.
void Frfcfs::end_streak(std::uint32_t issued) {
  BurstQueue& bursts = queue(direction_);
  const std::uint32_t before = bursts.size();
  for (std::uint32_t left = std::min(issued, before); left > 0; --left) {
    const std::uint32_t bank = bursts[bursts.oldest()].bank;
    bursts.take_hit(bank, rows_[bank]);
  }
  const std::uint32_t first = before - std::min(issued, before);  // of those that have come
  std::uint32_t age = next_age_ - (streak_.size() - first);
  for (std::uint32_t i = first; i < streak_.size(); ++i) {
    const Streak::Burst& each = streak_[i];
    QueuedBurst& burst =
        bursts.append(each.fields, each.acceptance, age++, rows_[each.fields.bank()]);
    burst.arrival = front_.run(each.run).arrival;
    burst.origin = front_.run(each.run).origin;
    burst.run = each.run;
  }
  const Command command = direction_ == Direction::read ? Command::RD : Command::WR;
  streak_.take_last_commands([&](const Streak::LastCommand& last) {
    device_.issue_column(command, last.bank, last.cycle, last.origin);
  });
}

// A burst leaves at `cycle`, without a word to the queue and the device.
template <bool kAttribution, bool kRead>
void Frfcfs::issue_in_streak(const Streak::Burst& burst, std::int64_t cycle) {
  const std::uint32_t bank = burst.fields.bank();
  Run& run = front_.run(burst.run);
  base::OriginCounters& origin = counters_.origins[run.origin];
  base::BankCounters& counted = counters_.banks[bank];
  const std::int64_t data = cycle + (kRead ? timing_.read : timing_.write);
  const std::int64_t end = data + timing_.burst;
  if constexpr (kRead) {
    ++origin.reads;
    ++counted.rd;
    const std::int64_t latency = end - burst.acceptance;
    origin.read_latency_cycles += latency;
    counters_.read_latency(latency);
  } else {
    ++origin.writes;
    ++counted.wr;
    ++drained_;
  }
  if (burst.outcome == RowOutcome::hit) {
    ++origin.hits;
  } else if (burst.outcome == RowOutcome::miss) {
    ++origin.misses;
  } else {
    ++origin.conflicts;
    ++counted.conflicts;
  }
  if constexpr (kAttribution) {
    bill_.command(cycle);
    bill_.follow(data, kRead, run.origin);
    energy_.column(bank, cycle, run.arrival, run.origin);
  }
  streak_.issued(bank, cycle, run.origin);
  if (on_command_) {
    log(cycle, kRead ? Command::RD : Command::WR, bank, burst.fields.row(), burst.fields.column());
  }
  run.end = std::max(run.end, end);
  last_data_ = std::max(last_data_, end);
  if (--run.in_queue == 0 && run.entered) finish_run(burst.run);
}

// The next burst of the front end takes the free slot at t; false if it is no hit or meets a burst
// of the other queue.
bool Frfcfs::refill_streak(std::int64_t t) {
  auto& list = front_.list(direction_);
  const std::uint32_t index = list.front();
  Run& run = front_.run(index);
  const Fields fields = run.cursor.fields;
  if (rows_[fields.bank()] != fields.row()) return false;
  if (queue(direction_ == Direction::read ? Direction::write : Direction::read).holds(fields)) {
    return false;
  }
  streak_.push({fields, t, index, RowOutcome::hit});
  ++next_age_;
  ++run.in_queue;
  if (!walk_.next(run.cursor)) {
    run.entered = true;
    list.pop();
  }
  return true;
}

// From t on, where admission and turn are done; gives the cycle after the last command, t if there
// was none. Admission there may be done or not: to do it again changes nothing.
template <bool kAttribution, bool kRead>
std::int64_t Frfcfs::run_streak(std::int64_t t) {
  std::int64_t horizon = streak_horizon(t);
  if (horizon == t) {
    streak_.not_now();
    return t;
  }
  if (!begin_streak()) {
    streak_.tried(0);
    return t;
  }
  const auto& list = front_.list(direction_);
  // A queue with room waits for an arrival, which is the horizon.
  bool refills = queue(direction_).full() && !list.empty();
  const bool may_turn = !kRead && queue(Direction::read).size() > 0;
  const Times& next = column_times_[static_cast<std::size_t>(direction_)];
  const dram::Cadence cadence = device_.cadence(kRead ? Command::RD : Command::WR);
  std::uint32_t issued = 0;
  // The last burst of a queue is left to the loop of `simulate`: it knows what the end of all is.
  while (streak_.size() > 1) {
    if (may_turn && (streak_.size() <= policy_.write_low || drained_ >= policy_.write_queue)) break;
    const Streak::Burst& burst = streak_.front();
    const std::uint32_t bank = burst.fields.bank();
    const std::uint32_t group = next.group_of[bank];
    const std::uint32_t rank = next.rank_of[bank];
    std::int64_t floor = streak_.rank_next[0];
    for (std::uint32_t r = 1; r < ranks_; ++r) floor = std::min(floor, streak_.rank_next[r]);
    const std::int64_t cycle = std::max(floor, t);
    const bool legal = next.bank[bank] <= cycle && streak_.group_next[group] <= cycle &&
                       streak_.rank_next[rank] <= cycle &&
                       burst.acceptance + policy_.dispatch <= cycle;
    if (!legal || cycle >= horizon || cycle >= until_) break;
    if (kAttribution && !bill_.follows(cycle + (kRead ? timing_.read : timing_.write))) break;
    issue_in_streak<kAttribution, kRead>(burst, cycle);
    streak_.pop();
    ++issued;
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      std::int64_t& at = streak_.rank_next[r];
      at = std::max(at, cycle + (r == rank ? cadence.rank : cadence.other_ranks));
    }
    streak_.group_next[group] = std::max(streak_.group_next[group], cycle + cadence.group);
    t = cycle + 1;
    if (!refills) continue;
    const std::int64_t arrival = front_.run(list.front()).arrival;
    if (arrival > t) {
      horizon = std::min(horizon, arrival);
      refills = false;
      continue;
    }
    if (!refill_streak(t)) break;
    refills = !list.empty();
  }
  streak_.tried(issued);
  if (issued > 0) end_streak(issued);
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
