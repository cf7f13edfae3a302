#include "ctrl/policy/policy_channel.h"

#include <cassert>

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

namespace {

constexpr std::array kDirections = {Direction::read, Direction::write};

std::int64_t timing_or_zero(const spec::MemorySpec& spec, const char* name) {
  const auto found = spec.timings.find(name);
  return found == spec.timings.end() ? 0 : found->second;
}

// Any command may come: which constraints can bind is a question of the table alone.
constexpr std::uint32_t kAllCommands = (1u << spec::kCommandCount) - 1;

}  // namespace

PolicyChannel::PolicyChannel(const spec::MemorySpec& spec, base::ChannelId channel,
                             const ChannelOptions& options, std::unique_ptr<Scheduling> scheduling)
    : policy_(spec.controller),
      refresh_interval_(timing_or_zero(spec, "nREFI")),
      timing_{spec.timing("nCL"), spec.timing("nCWL"), spec.timing("nBL")},
      unnamed_(static_cast<std::uint32_t>(options.origins)),
      attribution_(options.attribution),
      on_command_(options.on_command),
      walk_(spec, channel.value),
      scheduling_(std::move(scheduling)),
      page_(make_page_rules(spec)),
      device_(spec),
      rest_{device_.table().same_bank(Command::ACT, Command::RD),
            device_.table().same_bank(Command::PRE, Command::ACT),
            device_.table().same_bank(Command::REFab, Command::ACT),
            device_.table().same_bank(Command::ACT, Command::PRE),
            device_.table().same_bank(Command::RD, Command::PRE),
            device_.table().same_bank(Command::WR, Command::PRE)},
      queues_{{BurstQueue(device_.banks(), policy_.read_queue, policy_.dispatch),
               BurstQueue(device_.banks(), policy_.write_queue, policy_.dispatch)},
              {policy_.read_queue, policy_.write_queue}},
      banks_(device_.banks()),
      ranks_(device_.ranks()),
      counters_(options.origins, device_.banks(), device_.ranks()),
      energy_(device_, counters_.origins, counters_.banks, counters_.ranks, counters_.shared),
      bill_(device_, timing_, unnamed_, policy_.dispatch, kAllCommands) {
  const std::int64_t ranks = device_.ranks();
  for (std::uint32_t rank = 0; rank < device_.ranks() && refresh_interval_ > 0; ++rank) {
    ranks_[rank].due =
        policy_.refresh_stagger ? refresh_interval_ * (rank + 1) / ranks : refresh_interval_;
  }
}

void PolicyChannel::submit(const base::Request& request, base::Cycles arrival,
                           std::uint64_t ticket) {
  assert(arrival.value >= now_ && request.bytes > 0);
  NextBurst next{{}, arrival.value, ticket, index_of(request.origin)};
  if (!front_.submit(walk_, request, next)) completions_.push_back({ticket, arrival.value});
}

base::Cycles PolicyChannel::drain() {
  if (!idle()) {
    stop_when_done_ = true;
    run_to(nothing_waits() ? last_data_ : kNever);
    stop_when_done_ = false;
  }
  return base::Cycles(now_);
}

void PolicyChannel::advance_until_complete(std::uint64_t ticket, base::Cycles limit) {
  const std::int64_t known = front_.known_completion(ticket);
  if (known >= 0) return advance(base::Cycles(std::min(known, limit.value)));
  if (!is_outstanding(ticket)) return;
  awaited_ticket_ = ticket;
  stop_at_ticket_ = true;
  run_to(limit.value);
  stop_at_ticket_ = false;
}

bool PolicyChannel::is_outstanding(std::uint64_t ticket) const {
  return front_.lists(ticket) ||
         std::any_of(queues_.by_direction.begin(), queues_.by_direction.end(),
                     [ticket](const BurstQueue& bursts) { return bursts.is_part_queued(ticket); });
}

void PolicyChannel::run_to(std::int64_t until) {
  if (until <= now_) return;
  until_ = std::min(until, kNever);
  for (std::int64_t t = now_; t < until_;) {
    moment_.start(t);
    t = step() ? t + 1 : moment_.next();
  }
  now_ = until_;
  front_.release(now_, completions_);
}

// One cycle; true if it changed anything.
bool PolicyChannel::step() {
  count_refreshes();
  bool changed = admit();
  changed = turn() || changed;
  return wake_or_refresh() || serve() || keep_house() || changed;
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
  if (list.empty() || queues_.of(direction).full()) return false;
  const NextBurst& next = list.front().next;
  if (!moment_.reached(next.arrival)) return false;
  const Fields fields = next.fields;
  if (policy_.queue_shape == spec::QueueShape::per_bank &&
      banks_[fields.bank()].queued[static_cast<std::size_t>(direction)] >= policy_.bank_queue)
    return false;
  return direction == Direction::read || !queues_.of(Direction::read).holds(fields);
}

void PolicyChannel::enter(Direction direction) {
  const NextBurst next = front_.list(direction).front().next;
  const std::int64_t t = moment_.now();
  if (attribution_ && queues_.size() == 0) bill_.arrives_at_idle(next.arrival);
  const bool forwarded =
      direction == Direction::read && queues_.of(Direction::write).holds(next.fields);
  if (forwarded) {
    ++counters_.origins[next.origin].forwarded;
    last_data_ = std::max(last_data_, t + 1);
  } else {
    BankState& bank = banks_[next.fields.bank()];
    queues_.of(direction).append(next, t, next_age_++, bank.row);
    ++bank.queued[static_cast<std::size_t>(direction)];
    ++ranks_[rank_of(next.fields.bank())].queued;
  }
  const auto entered = front_.entered(walk_, direction, forwarded ? t + 1 : kInQueue);
  if (entered.complete) finish(next.ticket, entered.end);
}

// Step 3.
bool PolicyChannel::turn() {
  if (!scheduling_->turns(queues_, moment_)) return false;
  queues_.direction = queues_.reading() ? Direction::write : Direction::read;
  queues_.served = 0;
  return true;
}

void PolicyChannel::finish_run(const NextBurst& of) {
  front_.vacate(of.run);
  finish(of.ticket, front_.run(of.run).end);
}

// A run is complete at `end`; it has left the lists and the queues.
void PolicyChannel::finish(std::uint64_t ticket, std::int64_t end) {
  front_.complete({ticket, end});
  if (stop_at_ticket_ && ticket == awaited_ticket_) until_ = std::min(until_, end);
  if (stop_when_done_ && nothing_waits()) until_ = std::min(until_, last_data_);
}

// No request is present: none is queued, and the runs in the lists have not arrived.
bool PolicyChannel::nothing_arrived() const {
  if (queues_.size() != 0) return false;
  return std::none_of(kDirections.begin(), kDirections.end(), [this](Direction d) {
    const auto& list = front_.list(d);
    return !list.empty() && list.front().next.arrival < now_;
  });
}

void PolicyChannel::set_idle_account(base::Cause cause, base::OriginId owner) {
  if (attribution_ && nothing_arrived()) bill_.idle_until(now_);
  bill_.set_idle_account(cause, index_of(owner));
}

void PolicyChannel::settle_window_edge() {
  if (nothing_arrived()) return bill_.idle_until(now_);
  if (queues_.size() == 0) return settle_window_edge_in_front();
  // The oldest of each queue has the least arrival of its direction.
  const BurstQueue& reads = queues_.of(Direction::read);
  const BurstQueue& writes = queues_.of(Direction::write);
  const bool read =
      writes.size() == 0 ||
      (reads.size() != 0 && reads[reads.oldest()].of.arrival <= writes[writes.oldest()].of.arrival);
  const QueuedBurst& burst = read ? reads[reads.oldest()] : writes[writes.oldest()];
  const Rank& rank = ranks_[rank_of(burst.bank())];
  if (rank.state != RankState::awake)
    return bill_.settle_blocked(burst, read, base::Cause::power_exit, now_);
  const std::uint32_t row = banks_[burst.bank()].row;
  Command next = read ? Command::RD : Command::WR;
  if (row == kNone) {
    next = Command::ACT;
  } else if (row != burst.row()) {
    next = Command::PRE;
  }
  bill_.settle_waiting(burst, read, next, is_held(rank), now_);
}

// The last queued burst issued in the cycle before, and a burst that waited for it enters at now().
void PolicyChannel::settle_window_edge_in_front() {
  const NextBurst* oldest = nullptr;
  bool read = true;
  for (const Direction d : kDirections) {
    const auto& list = front_.list(d);
    if (list.empty()) continue;
    const NextBurst& next = list.front().next;
    if (oldest != nullptr && oldest->arrival <= next.arrival) continue;
    oldest = &next;
    read = d == Direction::read;
  }
  QueuedBurst burst;
  burst.of = *oldest;
  burst.acceptance = now_;
  bill_.settle_waiting(burst, read, read ? Command::RD : Command::WR, false, now_);
}

base::ChannelCounters PolicyChannel::take_counters() {
  std::map<base::BillKey, std::int64_t> bill;
  if (attribution_) {
    settle_window_edge();
    bill_.take(now_, counters_.origins, bill);
    for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) count_sleep(rank, now_);
    energy_.cut(counters_.begin, now_);
  }
  base::ChannelCounters out = counters_.take(now_);
  out.bill = std::move(bill);
  return out;
}

}  // namespace diffram::ctrl
