#include "ctrl/policy/policy_channel.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

namespace {

// Any command may come: which constraints can bind is a question of the table alone.
constexpr std::uint32_t kAllCommands = (1u << spec::kCommandCount) - 1;

}  // namespace

PolicyChannel::PolicyChannel(const spec::MemorySpec& spec, base::ChannelId channel,
                             const ChannelOptions& options, std::unique_ptr<Scheduling> scheduling)
    : NativeChannel(spec, channel, options, kAllCommands),
      scheduling_(std::move(scheduling)),
      page_(make_page_rules(spec)),
      protocol_(spec.protocol),
      part_refresh_(spec.controller.refresh_by_parts),
      has_data_clock_(spec.protocol.clock_after_read > 0 || spec.protocol.clock_after_write > 0),
      waiting_{queues_, {policy_.read_queue, policy_.write_queue}},
      banks_(device_.banks()),
      ranks_(device_.ranks()) {
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) ranks_[rank].due = first_due(rank);
  if (part_refresh_) counters_.part_refreshes.resize(device_.banks());
}

void PolicyChannel::simulate() {
  for (std::int64_t t = now_; t < until_;) {
    moment_.start(t);
    t = step() ? t + 1 : moment_.next();
  }
}

PolicyChannel::Standing PolicyChannel::standing(std::uint32_t bank) const {
  const Rank& rank = ranks_[rank_of(bank)];
  return {banks_[bank].row, is_kept(rank, bank), rank.state != RankState::awake};
}

void PolicyChannel::settle_ranks() {
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) count_sleep(rank, now_);
}

// One cycle; true if it changed anything.
bool PolicyChannel::step() {
  count_refreshes();
  bool changed = admit();
  changed = turn() || changed;
  bool issued = wake_or_refresh();
  if (protocol_.split_buses) {
    const bool column = serve(Wanted::column);
    issued = issued || serve(Wanted::row) || column;
  } else {
    issued = issued || serve(Wanted::any);
  }
  return issued || keep_house() || changed;
}

// Step 1.
void PolicyChannel::count_refreshes() {
  for (Rank& rank : ranks_) {
    while (moment_.reached(rank.due)) {
      rank.due += refresh_interval_;
      if (rank.state != RankState::self_refresh) ++rank.debt;
    }
  }
}

// Step 2.
bool PolicyChannel::admit() {
  const auto sequence = [this](Direction d) { return front_.list(d).front().sequence; };
  bool any = false;
  while (true) {
    const bool read = can_enter(Direction::read);
    const bool write = can_enter(Direction::write);
    if (!read && !write) return any;
    const bool read_first =
        read && (!write || sequence(Direction::read) < sequence(Direction::write));
    enter(read_first ? Direction::read : Direction::write);
    any = true;
  }
}

bool PolicyChannel::can_enter(Direction direction) {
  const auto& list = front_.list(direction);
  if (list.empty() || waiting_.of(direction).full()) return false;
  const NextBurst& next = list.front().next;
  if (!moment_.reached(next.arrival)) return false;
  const Fields fields = next.fields;
  if (policy_.queue_shape == spec::QueueShape::per_bank &&
      banks_[fields.bank()].queued[static_cast<std::size_t>(direction)] >= policy_.bank_queue)
    return false;
  return direction == Direction::read || !waiting_.of(Direction::read).holds(fields);
}

void PolicyChannel::enter(Direction direction) {
  const NextBurst next = front_.list(direction).front().next;
  const std::int64_t t = moment_.now();
  if (attribution_ && waiting() == 0) attributed_.bill.arrives_at_idle(next.arrival);
  const bool forwarded =
      direction == Direction::read && waiting_.of(Direction::write).holds(next.fields);
  if (forwarded) {
    ++counters_.origins[next.origin].forwarded;
    last_data_ = std::max(last_data_, t + 1);
  } else {
    BankState& bank = banks_[next.fields.bank()];
    waiting_.of(direction).append(next, t, next_age_++, bank.row);
    ++bank.queued[static_cast<std::size_t>(direction)];
    ++ranks_[rank_of(next.fields.bank())].queued;
  }
  const auto entered = front_.entered(walk_, direction, forwarded ? t + 1 : kInQueue);
  if (entered.complete) finish(next.ticket, entered.end);
}

// Step 3.
bool PolicyChannel::turn() {
  // The clock that was started for a burst serves it first.
  for (const Rank& rank : ranks_) {
    if (rank.clock_for != kNone && clock_runs(rank)) return false;
  }
  if (!scheduling_->turns(waiting_, moment_)) return false;
  waiting_.direction = waiting_.reading() ? Direction::write : Direction::read;
  waiting_.served = 0;
  return true;
}

void PolicyChannel::finish_run(const NextBurst& of) {
  front_.vacate(of.run);
  finish(of.ticket, front_.run(of.run).end);
}

}  // namespace diffram::ctrl
