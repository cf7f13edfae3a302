#include "ctrl/frfcfs.h"

#include <bit>
#include <cassert>

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

namespace {

std::int64_t timing_or_zero(const spec::MemorySpec& spec, const char* name) {
  const auto found = spec.timings.find(name);
  return found == spec.timings.end() ? 0 : found->second;
}

Direction other(Direction d) { return d == Direction::read ? Direction::write : Direction::read; }

// std::max of a list goes through memory in g++ 12; of two it is one conditional move.
template <class... More>
std::int64_t latest(std::int64_t first, More... more) {
  ((first = first < more ? more : first), ...);
  return first;
}

// Waits are below 2^32 cycles (max_wait is a 32-bit number), ages of queued bursts lie within 2^32.
std::uint64_t key_of(std::int64_t cycle, std::int64_t t, std::uint32_t age,
                     std::uint32_t next_age) {
  return static_cast<std::uint64_t>(cycle - t) << 32 | (age - next_age);
}

}  // namespace

Frfcfs::Frfcfs(const spec::MemorySpec& spec, base::ChannelId channel, const ChannelOptions& options)
    : policy_(spec.controller),
      refresh_interval_(timing_or_zero(spec, "nREFI")),
      timing_{spec.timing("nCL"), spec.timing("nCWL"), spec.timing("nBL")},
      unnamed_(static_cast<std::uint32_t>(options.origins)),
      attribution_(options.attribution),
      on_command_(options.on_command),
      walk_(spec, channel.value),
      device_(spec),
      queues_{BurstQueue(device_.banks(), policy_.read_queue, policy_.dispatch),
              BurstQueue(device_.banks(), policy_.write_queue, policy_.dispatch)},
      rows_(device_.banks(), kNone),
      open_(device_.banks()),
      passes_(device_.banks(), 0),
      timers_(device_.ranks()),
      blocked_((device_.banks() + 63) / 64, 0),
      limits_(device_.groups(), 0),
      counters_(options.origins, device_.banks(), device_.ranks()),
      energy_(device_, counters_.origins, counters_.banks, counters_.ranks, counters_.shared),
      bill_(device_, timing_, unnamed_, policy_.dispatch),
      column_times_{times_of(Command::RD), times_of(Command::WR)},
      activate_times_(times_of(Command::ACT)),
      precharge_times_(times_of(Command::PRE)),
      ranks_(device_.ranks()),
      groups_(device_.groups()),
      banks_per_group_(device_.banks() / device_.groups()),
      mask_words_(blocked_.size()) {
  const std::int64_t ranks = device_.ranks();
  for (std::uint32_t rank = 0; rank < device_.ranks() && refresh_interval_ > 0; ++rank) {
    timers_[rank].due =
        policy_.refresh_stagger ? refresh_interval_ * (rank + 1) / ranks : refresh_interval_;
    next_due_ = std::min(next_due_, timers_[rank].due);
  }
}

Frfcfs::Times Frfcfs::times_of(Command command) const {
  return {device_.bank_times(command), device_.group_times(command), device_.rank_times(command),
          device_.group_of(), device_.rank_of()};
}

void Frfcfs::submit(const base::Request& request, base::Cycles arrival, std::uint64_t ticket) {
  assert(arrival.value >= now_ && request.bytes > 0);
  Run run;
  if (!walk_.start(request.address, request.bytes, run.cursor)) {
    completions_.push_back({ticket, arrival.value});
    return;
  }
  run.arrival = arrival.value;
  run.origin = index_of(request.origin);
  front_.submit(run, request.direction, ticket);
}

void Frfcfs::advance(base::Cycles until) { run_to(until.value); }

base::Cycles Frfcfs::drain() {
  if (!idle()) {
    stop_when_done_ = true;
    run_to(nothing_waits() ? last_data_ : kNever);
    stop_when_done_ = false;
  }
  return base::Cycles(now_);
}

void Frfcfs::advance_until_complete(std::uint64_t ticket, base::Cycles limit) {
  const std::int64_t known = front_.known_completion(ticket);
  if (known >= 0) return advance(base::Cycles(std::min(known, limit.value)));
  if (!front_.is_outstanding(ticket)) return;
  awaited_ticket_ = ticket;
  stop_at_ticket_ = true;
  run_to(limit.value);
  stop_at_ticket_ = false;
}

void Frfcfs::run_to(std::int64_t until) {
  if (until <= now_) return;
  until_ = std::min(until, kNever);
  if (attribution_) {
    simulate<true>();
  } else {
    simulate<false>();
  }
  now_ = until_;
  front_.release(now_, completions_);
}

// A cycle is visited when something can happen in it. Nothing depends on `until_`: cutting a run
// into pieces changes nothing.
template <bool kAttribution>
void Frfcfs::simulate() {
  std::int64_t t = now_;
  while (t < until_) {
    if (t >= next_due_) fall_due(t);
    admit<kAttribution>(t);
    turn(t);
    const Decision decision = choose(t);
    if (decision.cycle > t) {
      const std::int64_t event = next_event(t);
      if (event <= decision.cycle) {
        t = event;
        continue;
      }
      t = decision.cycle;
      if (t >= until_) break;
    }
    issue<kAttribution>(decision, t);
    ++t;
  }
}

// The first cycle after t in which a step before the commands could change something; admission
// blocked by a full queue or a queued read waits for a command.
std::int64_t Frfcfs::next_event(std::int64_t t) const {
  std::int64_t event = next_due_;
  if (front_.last_arrival() > t) {
    for (const Direction d : {Direction::read, Direction::write}) {
      const auto& list = front_.list(d);
      if (list.empty()) continue;
      const std::int64_t arrival = front_.run(list.front()).arrival;
      if (arrival > t) event = std::min(event, arrival);
    }
  }
  if (wants_turn(t + 1)) return t + 1;
  const BurstQueue& writes = queue(Direction::write);
  if (direction_ == Direction::read && writes.size() > 0) {
    event = std::min(event, writes[writes.oldest()].acceptance + policy_.max_wait);
  }
  return event;
}

// Step 1.
void Frfcfs::fall_due(std::int64_t t) {
  next_due_ = kNever;
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    RefreshTimer& timer = timers_[rank];
    while (timer.due <= t) {
      if (timer.owed++ == 0) {
        timer.held_since = timer.due;
        ++held_ranks_;
        const std::uint32_t first = rank * device_.banks_per_rank();
        for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
          blocked_[bank >> 6] |= std::uint64_t{1} << (bank & 63);
        }
      }
      timer.due += refresh_interval_;
    }
    next_due_ = std::min(next_due_, timer.due);
  }
}

// Step 2.
template <bool kAttribution>
void Frfcfs::admit(std::int64_t t) {
  const auto& reads = front_.list(Direction::read);
  const auto& writes = front_.list(Direction::write);
  const auto has_come = [&](const auto& list) {
    return !list.empty() && front_.run(list.front()).arrival <= t;
  };
  while (true) {
    const bool read = !queue(Direction::read).full() && has_come(reads);
    const bool write = !queue(Direction::write).full() && has_come(writes) &&
                       !queue(Direction::read).holds(front_.run(writes.front()).cursor.fields);
    if (!read && !write) return;
    const bool read_first = read && (!write || front_.run(reads.front()).sequence <
                                                   front_.run(writes.front()).sequence);
    if (read_first) {
      enter<kAttribution>(reads.front(), Direction::read, t);
    } else {
      enter<kAttribution>(writes.front(), Direction::write, t);
    }
  }
}

template <bool kAttribution>
void Frfcfs::enter(std::uint32_t index, Direction direction, std::int64_t t) {
  Run& run = front_.run(index);
  const Fields fields = run.cursor.fields;
  if constexpr (kAttribution) {
    if (queues_[0].size() + queues_[1].size() == 0) bill_.arrives_at_idle(run.arrival);
  }
  if (direction == Direction::read && queue(Direction::write).holds(fields)) {
    ++counters_.origins[run.origin].forwarded;
    run.end = std::max(run.end, t + 1);
    last_data_ = std::max(last_data_, t + 1);
  } else {
    QueuedBurst& burst = queue(direction).append(fields, t, next_age_++, rows_[fields.bank()]);
    burst.arrival = run.arrival;
    burst.origin = run.origin;
    burst.run = index;
    ++run.in_queue;
  }
  if (walk_.next(run.cursor)) return;
  run.entered = true;
  front_.list(direction).pop();
  if (run.in_queue == 0) finish_run(index);
}

void Frfcfs::finish_run(std::uint32_t index) {
  const std::int64_t end = front_.run(index).end;
  const std::uint64_t ticket = front_.finish(index);
  front_.complete({ticket, end});
  if (stop_at_ticket_ && ticket == awaited_ticket_) until_ = std::min(until_, end);
  if (stop_when_done_ && nothing_waits()) until_ = std::min(until_, last_data_);
}

// Step 3.
bool Frfcfs::wants_turn(std::int64_t t) const {
  const std::uint32_t reads = queue(Direction::read).size();
  const BurstQueue& writes = queue(Direction::write);
  const auto overdue = [&] { return t - writes[writes.oldest()].acceptance >= policy_.max_wait; };
  if (direction_ == Direction::read) {
    return writes.size() >= policy_.write_high || (writes.size() > 0 && (reads == 0 || overdue()));
  }
  return reads > 0 && (writes.size() == 0 || drained_ >= policy_.write_queue ||
                       (writes.size() <= policy_.write_low && !overdue()));
}

void Frfcfs::turn(std::int64_t t) {
  if (!wants_turn(t)) return;
  direction_ = other(direction_);
  drained_ = 0;
}

// Steps 4 to 6: the first cycle from t on in which a command issues, and which.
Frfcfs::Decision Frfcfs::choose(std::int64_t t) {
  const Least column = least_column(t);
  Decision decision;
  if (column.key != kNoCandidate) {
    decision = {t + static_cast<std::int64_t>(column.key >> 32), column.bank, Kind::column};
  }
  // A column command goes before a row command of the same cycle.
  if (decision.cycle > t && !rows_are_done()) {
    const Least activate = least_activate(t, decision.cycle);
    const Least precharge = least_precharge(t);
    const bool opens = activate.key < precharge.key;
    const Least row = opens ? activate : precharge;
    if (row.key != kNoCandidate) {
      const std::int64_t cycle = t + static_cast<std::int64_t>(row.key >> 32);
      if (cycle < decision.cycle) {
        decision = {cycle, row.bank, opens ? Kind::activate : Kind::precharge};
      }
    }
  }
  if (held_ranks_ == 0) return decision;
  const Decision refresh = choose_refresh(t);
  return refresh.cycle <= decision.cycle ? refresh : decision;
}

// Every bank with work has the row of its oldest burst open.
bool Frfcfs::rows_are_done() const {
  const BurstQueue& bursts = queue(direction_);
  for (std::size_t w = 0; w < mask_words_; ++w) {
    if ((bursts.nonempty().word(w) & ~bursts.head_hits().word(w)) != 0) return false;
  }
  return true;
}

Frfcfs::Decision Frfcfs::choose_refresh(std::int64_t t) const {
  Decision best;
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    if (timers_[rank].owed == 0) continue;
    const std::uint32_t bank = rank * device_.banks_per_rank();
    const bool closed = device_.open_banks(rank) == 0;
    const Command command = closed ? Command::REFab : Command::PREA;
    const std::int64_t cycle = std::max(t, device_.earliest_at(command, bank));
    if (cycle < best.cycle) best = {cycle, bank, closed ? Kind::refresh : Kind::precharge_all};
  }
  return best;
}

Frfcfs::Least Frfcfs::least_column(std::int64_t t) const {
  Least least;
  const BurstQueue& bursts = queue(direction_);
  if (bursts.size() == 0) return least;
  const Times& next = column_times_[static_cast<std::size_t>(direction_)];
  const std::int64_t* const visible = bursts.hit_visible();
  const std::uint32_t* const age = bursts.hit_age();
  const std::uint32_t next_age = next_age_;
  const auto legal = [&](std::uint32_t bank) {
    return latest(next.bank[bank], next.group[next.group_of[bank]], next.rank[next.rank_of[bank]],
                  visible[bank], t);
  };
  // In a stream the oldest burst of all is a hit that waits for nothing but the bus.
  const std::uint32_t oldest_bank = bursts[bursts.oldest()].bank;
  if (bursts.hit(oldest_bank) == bursts.oldest() && !is_blocked(oldest_bank)) {
    const std::int64_t cycle = legal(oldest_bank);
    std::int64_t floor = next.rank[0];
    for (std::uint32_t rank = 1; rank < ranks_; ++rank) floor = std::min(floor, next.rank[rank]);
    if (cycle == std::max(floor, t)) {
      least.offer(key_of(cycle, t, age[oldest_bank], next_age), oldest_bank);
      return least;
    }
  }
  for (std::size_t w = 0; w < mask_words_; ++w) {
    const std::uint64_t hits = bursts.has_hit().word(w) & ~blocked_[w];
    const std::uint64_t first_in_line = hits & bursts.head_hits().word(w);
    for (std::uint64_t bits = first_in_line; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      least.offer(key_of(legal(bank), t, age[bank], next_age), bank);
    }
    // Hits that pass an older burst to another row.
    for (std::uint64_t bits = hits & ~first_in_line; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      const std::int64_t overdue = bursts[bursts.head(bank)].acceptance + policy_.max_wait;
      const std::int64_t cycle = legal(bank);
      if (passes_[bank] < policy_.row_hit_cap && cycle < overdue) {
        least.offer(key_of(cycle, t, age[bank], next_age), bank);
      }
    }
  }
  return least;
}

// limits_[g]: no activation in bank group g is legal before. Gives the least of them.
std::int64_t Frfcfs::raise_limits(std::int64_t t) {
  std::int64_t least = kNever;
  for (std::uint32_t group = 0; group < groups_; ++group) {
    const std::uint32_t rank = activate_times_.rank_of[group * banks_per_group_];
    limits_[group] = latest(activate_times_.group[group], activate_times_.rank[rank], t);
    least = std::min(least, limits_[group]);
  }
  return least;
}

// Activations before `before` only: later ones lose against the column command known already.
Frfcfs::Least Frfcfs::least_activate(std::int64_t t, std::int64_t before) {
  Least least;
  // The activation window often decides alone.
  std::int64_t floor = activate_times_.rank[0];
  for (std::uint32_t rank = 1; rank < ranks_; ++rank) {
    floor = std::min(floor, activate_times_.rank[rank]);
  }
  if (floor >= before || raise_limits(t) >= before) return least;
  const BurstQueue& bursts = queue(direction_);
  const std::int64_t* const bank_next = activate_times_.bank;
  const std::int64_t* const visible = bursts.head_visible();
  const std::uint32_t* const age = bursts.head_age();
  const std::uint32_t* const group_of = activate_times_.group_of;
  const std::int64_t* const limits = limits_.data();
  const std::uint32_t next_age = next_age_;
  for (std::size_t w = 0; w < mask_words_; ++w) {
    std::uint64_t bits = bursts.nonempty().word(w) & ~open_.word(w) & ~blocked_[w];
    for (; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      const std::int64_t cycle = latest(bank_next[bank], limits[group_of[bank]], visible[bank]);
      least.offer(key_of(cycle, t, age[bank], next_age), bank);
    }
  }
  return least;
}

Frfcfs::Least Frfcfs::least_precharge(std::int64_t t) const {
  Least least;
  const Times& next = precharge_times_;
  const BurstQueue& bursts = queue(direction_);
  const std::int64_t* const visible = bursts.head_visible();
  const std::uint32_t* const age = bursts.head_age();
  for (std::size_t w = 0; w < mask_words_; ++w) {
    std::uint64_t bits =
        bursts.nonempty().word(w) & open_.word(w) & ~bursts.head_hits().word(w) & ~blocked_[w];
    for (; bits != 0; bits &= bits - 1) {
      const auto bank = static_cast<std::uint32_t>(w * 64 + std::countr_zero(bits));
      std::int64_t cycle = latest(next.bank[bank], next.group[next.group_of[bank]],
                                  next.rank[next.rank_of[bank]], visible[bank], t);
      if (bursts.hit(bank) != kNone && passes_[bank] < policy_.row_hit_cap) {
        // While a visible hit may pass, the row stays open.
        const std::int64_t overdue = bursts[bursts.head(bank)].acceptance + policy_.max_wait;
        if (cycle >= bursts.hit_visible()[bank] && cycle < overdue) cycle = overdue;
      }
      least.offer(key_of(cycle, t, age[bank], next_age_), bank);
    }
  }
  return least;
}

template <bool kAttribution>
void Frfcfs::issue(const Decision& decision, std::int64_t t) {
  if constexpr (kAttribution) bill_.command(t);
  switch (decision.kind) {
    case Kind::column:
      return issue_column<kAttribution>(decision.bank, t);
    case Kind::activate:
      return issue_activate<kAttribution>(decision.bank, t);
    case Kind::precharge:
      return issue_precharge<kAttribution>(decision.bank, t);
    case Kind::precharge_all:
      return issue_precharge_all<kAttribution>(decision.bank / device_.banks_per_rank(), t);
    case Kind::refresh:
      return issue_refresh<kAttribution>(decision.bank / device_.banks_per_rank(), t);
  }
}

template <bool kAttribution>
void Frfcfs::issue_column(std::uint32_t bank, std::int64_t t) {
  const bool read = direction_ == Direction::read;
  BurstQueue& bursts = queue(direction_);
  const QueuedBurst& burst = bursts[bursts.hit(bank)];
  const std::uint32_t run_index = burst.run;
  const bool closes = policy_.page_policy == spec::PagePolicy::closed && bursts.last_to_row(bank);
  const Command command =
      read ? (closes ? Command::RDA : Command::RD) : (closes ? Command::WRA : Command::WR);
  const std::int64_t end = t + (read ? timing_.read : timing_.write) + timing_.burst;

  base::OriginCounters& origin = counters_.origins[burst.origin];
  base::BankCounters& counted = counters_.banks[bank];
  if (read) {
    ++origin.reads;
    ++(closes ? counted.rda : counted.rd);
    const std::int64_t latency = end - burst.acceptance;
    origin.read_latency_cycles += latency;
    counters_.read_latency(latency);
  } else {
    ++origin.writes;
    ++(closes ? counted.wra : counted.wr);
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
  if (!bursts.head_hits().has(bank)) ++passes_[bank];

  if constexpr (kAttribution) {
    bill_.column(burst, t, read);
    energy_.column(bank, t, burst.arrival, burst.origin);
    if (closes) {
      bill_.auto_precharge(bank, t);
      energy_.auto_precharge(bank, t, read);
    }
  }
  if (closes) {
    device_.issue_at(command, bank, t, burst.origin);
  } else {
    device_.issue_column(command, bank, t, burst.origin);
  }
  if (on_command_) log(t, command, bank, burst.row, burst.column);
  bursts.take_hit(bank, rows_[bank]);
  if (closes) close_bank(bank);

  last_data_ = std::max(last_data_, end);
  Run& run = front_.run(run_index);
  run.end = std::max(run.end, end);
  if (--run.in_queue == 0 && run.entered) finish_run(run_index);
}

template <bool kAttribution>
void Frfcfs::issue_activate(std::uint32_t bank, std::int64_t t) {
  BurstQueue& bursts = queue(direction_);
  QueuedBurst& burst = bursts[bursts.head(bank)];
  if (burst.outcome == RowOutcome::hit) burst.outcome = RowOutcome::miss;
  ++counters_.banks[bank].act;
  if constexpr (kAttribution) {
    bill_.activate(bank, t, burst.origin);
    energy_.activate(bank, t, burst.origin);
  }
  device_.issue_at(Command::ACT, bank, t, burst.origin);
  if (on_command_) log(t, Command::ACT, bank, burst.row);
  rows_[bank] = burst.row;
  open_.set(bank, true);
  passes_[bank] = 0;
  for (BurstQueue& each : queues_) each.open_row(bank, burst.row);
}

template <bool kAttribution>
void Frfcfs::issue_precharge(std::uint32_t bank, std::int64_t t) {
  BurstQueue& bursts = queue(direction_);
  QueuedBurst& burst = bursts[bursts.head(bank)];
  burst.outcome = RowOutcome::conflict;
  ++counters_.banks[bank].pre;
  if constexpr (kAttribution) {
    bill_.precharge(bank, t);
    energy_.precharge(bank, t, device_.earliest_at(Command::PRE, bank));
  }
  device_.issue_at(Command::PRE, bank, t, burst.origin);
  if (on_command_) log(t, Command::PRE, bank);
  close_bank(bank);
}

template <bool kAttribution>
void Frfcfs::issue_precharge_all(std::uint32_t rank, std::int64_t t) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    if (!device_.is_open(bank)) continue;
    ++counters_.banks[bank].pre;
    if constexpr (kAttribution) {
      bill_.precharge_for_refresh(bank, t, timers_[rank].held_since);
      energy_.precharge(bank, t, device_.earliest_at(Command::PRE, bank));
    }
    close_bank(bank);
  }
  device_.issue_at(Command::PREA, first, t, unnamed_);
  if (on_command_) log(t, Command::PREA, first);
}

template <bool kAttribution>
void Frfcfs::issue_refresh(std::uint32_t rank, std::int64_t t) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  RefreshTimer& timer = timers_[rank];
  ++counters_.ranks[rank].refreshes;
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    ++counters_.banks[bank].refresh;
  }
  if constexpr (kAttribution) {
    bill_.refresh(rank, timer.held_since);
    energy_.refresh(rank, t);
  }
  device_.issue_at(Command::REFab, first, t, unnamed_);
  if (on_command_) log(t, Command::REFab, first);
  timer.held_since += refresh_interval_;  // the next one owed fell due an interval later
  if (--timer.owed > 0) return;
  --held_ranks_;
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    blocked_[bank >> 6] &= ~(std::uint64_t{1} << (bank & 63));
  }
}

void Frfcfs::close_bank(std::uint32_t bank) {
  rows_[bank] = kNone;
  open_.set(bank, false);
  for (BurstQueue& each : queues_) each.close_row(bank);
}

void Frfcfs::log(std::int64_t t, Command command, std::uint32_t bank, std::uint32_t row,
                 std::uint32_t column) {
  const dram::Place place = device_.place(bank);
  on_command_({t, command, place.rank, place.bank_group, place.bank, row, column});
}

// No request is present: none is queued, and the runs in the lists have not arrived.
bool Frfcfs::nothing_arrived() const {
  if (queues_[0].size() + queues_[1].size() != 0) return false;
  for (const Direction d : {Direction::read, Direction::write}) {
    const auto& list = front_.list(d);
    if (!list.empty() && front_.run(list.front()).arrival < now_) return false;
  }
  return true;
}

void Frfcfs::set_idle_account(base::Cause cause, base::OriginId owner) {
  if (attribution_ && nothing_arrived()) bill_.idle_until(now_);
  bill_.set_idle_account(cause, index_of(owner));
}

void Frfcfs::settle_window_edge() {
  if (nothing_arrived()) return bill_.idle_until(now_);
  // The oldest of each queue has the least arrival of its direction.
  const BurstQueue& reads = queue(Direction::read);
  const BurstQueue& writes = queue(Direction::write);
  const bool read =
      writes.size() == 0 ||
      (reads.size() != 0 && reads[reads.oldest()].arrival <= writes[writes.oldest()].arrival);
  const QueuedBurst& burst = read ? reads[reads.oldest()] : writes[writes.oldest()];
  const std::uint32_t row = rows_[burst.bank];
  Command next = read ? Command::RD : Command::WR;
  if (row == kNone) {
    next = Command::ACT;
  } else if (row != burst.row) {
    next = Command::PRE;
  }
  bill_.settle_waiting(burst, read, next, held(burst.bank), now_);
}

base::ChannelCounters Frfcfs::take_counters() {
  std::map<base::BillKey, std::int64_t> bill;
  if (attribution_) {
    settle_window_edge();
    bill_.take(now_, counters_.origins, bill);
    energy_.cut(counters_.begin, now_);
  }
  base::ChannelCounters out = counters_.take(now_);
  out.bill = std::move(bill);
  return out;
}

std::unique_ptr<Channel> make_frfcfs(const spec::MemorySpec& spec, base::ChannelId channel,
                                     const ChannelOptions& options) {
  return std::make_unique<Frfcfs>(spec, channel, options);
}

}  // namespace diffram::ctrl
