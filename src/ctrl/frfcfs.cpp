#include "ctrl/frfcfs.h"

#include <type_traits>

#include "ctrl/frfcfs_choose.h"
#include "ctrl/frfcfs_issue.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

namespace {

Direction other(Direction d) { return d == Direction::read ? Direction::write : Direction::read; }

/// The commands that this controller issues, as a mask.
std::uint32_t issued_commands(const spec::MemorySpec& spec) {
  const auto bit = [](Command c) { return 1u << static_cast<int>(c); };
  std::uint32_t mask = bit(Command::ACT) | bit(Command::PRE) | bit(Command::RD) | bit(Command::WR);
  if (refresh_interval_of(spec) > 0) mask |= bit(Command::PREA) | bit(Command::REFab);
  if (spec.controller.page_policy == spec::PagePolicy::closed) {
    mask |= bit(Command::RDA) | bit(Command::WRA);
  }
  if (spec.controller.power_down_after > 0) mask |= bit(Command::PDE) | bit(Command::PDX);
  return mask;
}

}  // namespace

Frfcfs::Frfcfs(const spec::MemorySpec& spec, base::ChannelId channel, const ChannelOptions& options)
    : NativeChannel(spec, channel, options, issued_commands(spec)),
      path_(options.simd),
      has_two_buses_(spec.protocol.split_buses),
      rows_(device_.banks(), kNone),
      passes_(device_.banks(), 0),
      timers_(device_.ranks()),
      blocked_((device_.banks() + 63) / 64, 0),
      sleeps_(device_.ranks()),
      streak_(options.streaks && policy_.page_policy == spec::PagePolicy::open, has_two_buses_,
              device_, std::max(policy_.read_queue, policy_.write_queue)),
      near_column_{device_.near_times(Command::RD), device_.near_times(Command::WR)},
      near_activate_(device_.near_times(Command::ACT)),
      near_precharge_(device_.near_times(Command::PRE)),
      mask_words_(blocked_.size()),
      blocks_(device_.lanes() / dram::kLanes),
      times_(blocks_) {
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    timers_[rank].due = first_due(rank);
    next_due_ = std::min(next_due_, timers_[rank].due);
  }
  if (policy_.power_down_after > 0) set_sleep_at(0);
}

#if DIFFRAM_HAS_AVX2_PATH
// All of the loop is inlined here, so all of it may use what AVX2 machines have.
template <bool kAttribution, class Next>
[[DIFFRAM_ON_AVX2, gnu::flatten]] void Frfcfs::simulate_on_avx2() {
  simulate_on<dram::Avx2Path, kAttribution, Next>();
}
#endif

template <bool kAttribution, class Next>
void Frfcfs::simulate_on_path() {
#if DIFFRAM_HAS_AVX2_PATH
  if (path_ == dram::SimdPath::avx2) return simulate_on_avx2<kAttribution, Next>();
#endif
  if (path_ == dram::SimdPath::plain) return simulate_on<dram::PlainPath, kAttribution, Next>();
  simulate_on<dram::BasePath, kAttribution, Next>();
}

void Frfcfs::simulate() {
  if (has_two_buses_) {
    attribution_ ? simulate_on_path<true, Decisions>() : simulate_on_path<false, Decisions>();
  } else {
    attribution_ ? simulate_on_path<true, Decision>() : simulate_on_path<false, Decision>();
  }
}

// Steps 4 to 6: what issues next.
template <class Path, class Next>
[[gnu::always_inline]] inline Next Frfcfs::next_after(std::int64_t t) {
  if constexpr (std::is_same_v<Next, Decisions>) {
    return is_usual(t) ? choose_both_of_64<Path>(t) : choose_both(t);
  } else {
    return is_usual(t) ? choose_of_16<Path>(t) : choose(t);
  }
}

template <class Path, bool kAttribution>
void Frfcfs::issue(const Decision& decision, std::int64_t t) {
  switch (decision.kind) {
    case Kind::column:
      return issue_column<Path, kAttribution>(decision.bank, t);
    case Kind::activate:
      return issue_activate<Path, kAttribution>(decision.bank, t);
    case Kind::precharge:
      return issue_precharge<Path, kAttribution>(decision.bank, t);
    case Kind::precharge_all:
      return issue_precharge_all<kAttribution>(decision.bank / device_.banks_per_rank(), t);
    case Kind::refresh:
      return issue_refresh<kAttribution>(decision.bank / device_.banks_per_rank(), t);
    case Kind::wake:
      return issue_wake<kAttribution>(decision.bank / device_.banks_per_rank(), t);
  }
}

// On two buses: refresh (step 4), then the column command (5), then the row command (6). None of
// them changes the others (`has_fast_twin` looks at the table).
template <class Path, bool kAttribution>
[[gnu::always_inline]] inline void Frfcfs::issue(const Decisions& both, std::int64_t t) {
  if (both.row_kind == Kind::precharge_all)
    issue_precharge_all<kAttribution>(both.row / device_.banks_per_rank(), t);
  if (both.row_kind == Kind::refresh)
    issue_refresh<kAttribution>(both.row / device_.banks_per_rank(), t);
  if (both.column != kNone) issue_column<Path, kAttribution>(both.column, t);
  if (both.row == kNone) return;
  if (both.row_kind == Kind::activate) issue_activate<Path, kAttribution>(both.row, t);
  if (both.row_kind == Kind::precharge) issue_precharge<Path, kAttribution>(both.row, t);
}

// Steps 1 to 3. Between two events they change something only when a burst has left its queue.
template <bool kAttribution>
void Frfcfs::prepare(std::int64_t t) {
  if (t >= next_due_) fall_due(t);
  admit<kAttribution>(t);
  const bool turned = turn(t);
  event_at_ = next_event(t, turned);
}

// A cycle is visited when something can happen in it. Nothing depends on `until_`: cutting a run
// into pieces changes nothing.
template <class Path, bool kAttribution, class Next>
void Frfcfs::simulate_on() {
  std::int64_t t = now_;
  if constexpr (kAttribution) end_idle_time(t);
  std::uint32_t columns = 0;  // in a row, since another command or a try at a streak
  while (t < until_) {
    if (t >= event_at_) prepare<kAttribution>(t);
    if (columns >= streak_.wanted()) {
      columns = 0;
      const std::int64_t after = streak<kAttribution>(t);
      if (after != t) {
        t = after;
        event_at_ = t;  // the streak has moved the lists and the queues
        continue;
      }
    }
    const Next next = next_after<Path, Next>(t);
    if (next.cycle > t) {
      if (t >= sleep_at_ && go_to_sleep<kAttribution>(t)) [[unlikely]] {
        columns = 0;
        ++t;
        continue;
      }
      if (event_at_ <= next.cycle) {
        t = waiting() == 0 ? pass_idle_time<kAttribution>(t) : event_at_;
        if (kAttribution && t < until_) end_idle_time(t);
        continue;
      }
      t = next.cycle;
      if (t >= until_) break;
    }
    issue<Path, kAttribution>(next, t);
    columns = next.columns_after(columns);
    ++t;
  }
}

// The first cycle after t in which a step before the commands could change something; admission
// blocked by a full queue or a queued read waits for a command. What `turn` left alone stays until
// a burst leaves its queue or the oldest write becomes overdue; if it is overdue already, an
// overdue read keeps the direction.
std::int64_t Frfcfs::next_event(std::int64_t t, bool turned) const {
  if (turned && wants_turn(t + 1)) return t + 1;
  const std::int64_t event = std::min(next_due_, next_arrival_);
  const BurstQueue& writes = queue(Direction::write);
  if (direction_ == Direction::write || writes.size() == 0) return event;
  const std::int64_t overdue = writes[writes.oldest()].acceptance + policy_.max_wait;
  return overdue > t ? std::min(event, overdue) : event;
}

// Step 1.
void Frfcfs::fall_due(std::int64_t t) {
  // A rank that might have powered down by now waits for a cycle without a command.
  next_due_ = std::max(sleep_at_, t + 1);
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    RefreshTimer& timer = timers_[rank];
    while (timer.due <= t) {
      if (timer.owed++ == 0) {
        timer.held_since = timer.due;
        if (!sleeps_[rank].wanted) ++held_ranks_;
        usual_until_ = -1;
        block(rank);
      }
      timer.due += refresh_interval_;
    }
    next_due_ = std::min(next_due_, timer.due);
  }
}

[[gnu::always_inline]] inline void Frfcfs::append(BurstQueue& bursts, const NextBurst& next,
                                                  std::int64_t t) {
  const std::uint32_t bank = next.fields.bank();
  bursts.append(next, t, next_age_++, rows_[bank]);
  if (asleep_ranks_ != 0) [[unlikely]]
    wake_for(device_.rank_of()[bank]);
}

// The burst at the head of the list, of several or answered at `end`, has entered.
void Frfcfs::enter_part(std::uint64_t ticket, Direction direction, std::int64_t end) {
  const auto entered = front_.entered(walk_, direction, end);
  if (entered.complete) finish(ticket, entered.end);
}

// The head of the list enters its queue, or is answered by a queued write.
[[gnu::always_inline]] inline void Frfcfs::enter(Direction direction, std::int64_t t) {
  NextBurst& next = front_.list(direction).front().next;
  const bool forwarded = direction == Direction::read && queue(Direction::write).holds(next.fields);
  if (forwarded) [[unlikely]] {
    ++counters_.origins[next.origin].forwarded;
    last_data_ = std::max(last_data_, t + 1);
  } else {
    append(queue(direction), next, t);
  }
  if (!forwarded && next.run == kNone) return front_.list(direction).pop();
  enter_part(next.ticket, direction, forwarded ? t + 1 : kInQueue);
}

// The head of the list is a run of several bursts, and none of the other direction is queued: they
// enter together, as many as there is room for.
void Frfcfs::enter_run(Direction direction, std::int64_t t) {
  BurstQueue& bursts = queue(direction);
  NextBurst& next = front_.list(direction).front().next;
  Run& run = front_.run(next.run);
  std::array<Fields, Streak::LookAhead::kMost> fields;
  const auto room = std::min<std::uint32_t>(bursts.room(), fields.size());
  const auto [count, all] = walk_.list(run.cursor, fields.data(), room);
  for (std::uint32_t i = 0; i < count; ++i) {
    next.fields = fields[i];
    append(bursts, next, t);
  }
  run.in_queue += count;
  run.entered = all;
  if (all) {
    front_.list(direction).pop();
  } else {
    next.fields = run.cursor.fields;
  }
}

// The first burst to enter, in cycle t at the latest, ends the time in which none is present. Told
// wherever such time may have passed: a burst that enters just after the last column command comes
// while the bus is busy.
void Frfcfs::end_idle_time(std::int64_t t) {
  if (waiting() != 0) return;
  std::int64_t first = kNever;
  for (const Direction direction : {Direction::read, Direction::write}) {
    const auto& list = front_.list(direction);
    if (!list.empty()) first = std::min(first, list.front().next.arrival);
  }
  if (first <= t) attributed_.bill.arrives_at_idle(first);
}

// Step 2.
template <bool kAttribution>
void Frfcfs::admit(std::int64_t t) {
  const auto& reads = front_.list(Direction::read);
  const auto& writes = front_.list(Direction::write);
  const auto has_come = [&](const auto& list) {
    return !list.empty() && list.front().next.arrival <= t;
  };
  while (true) {
    const bool read = !queue(Direction::read).full() && has_come(reads);
    const bool write = !queue(Direction::write).full() && has_come(writes) &&
                       !queue(Direction::read).holds(writes.front().next.fields);
    if (!read && !write) break;
    const bool read_first = read && (!write || reads.front().sequence < writes.front().sequence);
    const Direction direction = read_first ? Direction::read : Direction::write;
    if (front_.list(direction).front().next.run != kNone && queue(other(direction)).size() == 0) {
      enter_run(direction, t);
    } else {
      enter(direction, t);
    }
  }
  next_arrival_ = kNever;
  if (front_.last_arrival() <= t) return;
  for (const auto* list : {&reads, &writes}) {
    if (list->empty()) continue;
    const std::int64_t arrival = list->front().next.arrival;
    if (arrival > t) next_arrival_ = std::min(next_arrival_, arrival);
  }
}

// Step 3.
bool Frfcfs::wants_turn(std::int64_t t) const {
  const BurstQueue& reads = queue(Direction::read);
  const BurstQueue& writes = queue(Direction::write);
  if (direction_ == Direction::read) {
    if (writes.size() == 0) return false;
    return reads.size() == 0 ||
           (writes_press(t) && (!is_overdue(reads, t) || served_ >= policy_.read_queue));
  }
  return reads.size() > 0 && (writes.size() == 0 || served_ >= policy_.write_queue ||
                              (writes.size() <= policy_.write_low && !is_overdue(writes, t)));
}

bool Frfcfs::writes_press(std::int64_t t) const {
  const BurstQueue& writes = queue(Direction::write);
  return writes.size() >= policy_.write_high || (writes.size() > 0 && is_overdue(writes, t));
}

// The oldest of a queue that is not empty.
bool Frfcfs::is_overdue(const BurstQueue& bursts, std::int64_t t) const {
  return t - bursts[bursts.oldest()].acceptance >= policy_.max_wait;
}

bool Frfcfs::turn(std::int64_t t) {
  if (!wants_turn(t)) return false;
  direction_ = other(direction_);
  active_ = &queue(direction_);
  served_ = 0;
  return true;
}

std::unique_ptr<Channel> make_frfcfs(const spec::MemorySpec& spec, base::ChannelId channel,
                                     const ChannelOptions& options) {
  return std::make_unique<Frfcfs>(spec, channel, options);
}

}  // namespace diffram::ctrl
