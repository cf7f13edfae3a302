#include "ctrl/compat/controller.h"

#include <utility>

namespace diffram::ctrl::compat {

namespace {

/// Writes that may lie in the buffer while nothing else is to do.
constexpr std::uint32_t kIdleWrites = 8;
/// Banks up to which one look at each is less than a pass over all lanes.
constexpr std::uint32_t kFewBanks = 4;

}  // namespace

Controller::Controller(const spec::Dramsim3Config& config, Tick horizon, CommandSink on_command,
                       AnswerSink on_answer)
    : config_(config),
      offsets_(config),
      horizon_(horizon),
      on_command_(std::move(on_command)),
      on_answer_(std::move(on_answer)),
      times_(config),
      queues_(config, times_, transactions_),
      has_write_buffer_(!config.unified_queue),
      waiting_{WaitingQueue(queues_.queues()), WaitingQueue(queues_.queues())},
      least_to_drain_(config.unified_queue
                          ? kNone
                          : std::min(kIdleWrites + 1, config.transaction_queue_entries)),
      refresh_due_(config.refresh_interval),
      has_had_work_(config.ranks),
      settled_(config.ranks) {
  counters_.ranks.resize(config.ranks);
  transfer_is_due_ = transfer_may_act();
  yield_of(0);
}

void Controller::add(std::uint64_t address, bool is_write) {
  const Tick arrival = now_;
  counters_.interarrival.add(arrival - last_arrival_);
  last_arrival_ = arrival;
  const bool is_answered = arrival + 1 < horizon_;
  const auto pending = transactions_.pending_at(address);
  if (is_write) {
    if (on_answer_) on_answer_({address, arrival + 1, arrival, true});
    counters_.writes_done += is_answered;
    if (pending.write != kNone) {
      ++counters_.writes_merged;
      return;
    }
  } else if (pending.write != kNone) {
    if (on_answer_) on_answer_({address, arrival + 1, arrival, false});
    ++counters_.reads_forwarded;
    if (is_answered) {
      ++counters_.reads_done;
      counters_.read_latency.add(1);
    }
    return;
  } else if (pending.read != kNone) {
    ++counters_.reads_merged;
    transactions_.add_rider(pending.read, arrival);
    return;
  }
  const std::uint32_t id = transactions_.add(address, is_write, arrival);
  Transaction& t = transactions_[id];
  const auto& map = config_.map;
  const std::uint64_t burst = address >> map.shift;
  t.bank = static_cast<std::uint32_t>(map.rank.of(burst) * config_.banks() +
                                      map.bank_group.of(burst) * config_.banks_per_group +
                                      map.bank.of(burst));
  t.row = static_cast<std::uint32_t>(map.row.of(burst));
  t.column = static_cast<std::uint32_t>(map.column.of(burst));
  const std::uint32_t queue = queues_.queue_of(t.bank);
  waiting_for(is_write).append(transactions_, id, queue);
  // What could move before was due already; new is this one, and that the buffer may drain.
  const bool has_room = !queues_.full().has(queue), arms = arms_drain();
  transfer_is_due_ = transfer_is_due_ | has_room | arms;
}

void Controller::run_until(Tick end) {
  while (now_ < end && !abort_) step(end);
}

bool Controller::run_until_accepts(bool is_write, Tick end) {
  while (now_ < end && !abort_ && !accepts(is_write)) step(end);
  return !abort_ && accepts(is_write);
}

/// Simulates the next tick in which something can change, if it comes before `end`.
inline void Controller::step(Tick end) {
  now_ = std::min(next_event(), end);
  if (now_ == end) return;
  tick(now_);
  ++now_;
}

inline Tick Controller::next_event() {
  if (transfer_is_due_) return now_;
  const Tick next = decision(now_).tick;
  return std::max(next < quiet_until_ ? next : std::min(next, rank_event()), now_);
}

/// The next tick in which a refresh or self-refresh does something.
Tick Controller::rank_event() const {
  Tick next = refresh_due_;
  if (!refresh_queue_.empty()) next = std::min(next, refresh_event());
  if (config_.self_refresh) next = std::min(next, sleep_event());
  return next;
}

/// The bank whose entry acts at t; its queue has had its turn.
inline std::uint32_t Controller::next_in_turn(Tick t) {
  yield_of(queues_.queue_of(decision_.bank));
  decision_is_known_ = false;
  return queues_.banks_of_queue() == 1 ? decision_.bank : oldest_of_rank(t);
}

/// Picks what the bank does and issues it; says whether that is a column command.
inline bool Controller::act(std::uint32_t bank, Tick t) {
  if (queues_.is_closed(bank)) {
    issue_activate(bank, queues_.oldest_row(bank), t);
    return false;
  }
  if (!queues_.is_open(bank)) {
    issue_wake(bank, t);
    return false;
  }
  if (queues_.may_precharge(bank, t)) {
    ++counters_.ondemand_precharges;
    issue_precharge(bank, t);
    return false;
  }
  const std::uint32_t id = queues_.ready_hit(bank, t);
  take_out(id);
  issue_column(id, t);
  return true;
}

inline void Controller::take_out(std::uint32_t transaction) {
  queues_.remove(transaction);
  transfer_is_due_ = transfer_may_act();
}

// The steps of dramsim3-behaviour.md 5; the fifth is `settle`.
inline void Controller::tick(Tick t) {
  times_.lanes().keep_near(t);
  if (t < quiet_until_) {
    if (decision(t).tick == t) act_in_turn(t);
  } else {
    look_at_ranks(t);
    if (abort_) return;
  }
  if (transfer_is_due_) transfer(t);
}

// What comes first when a refresh is due or waits; with self-refresh, every tick.
void Controller::look_at_ranks(Tick t) {
  if (t == refresh_due_) fall_due();
  const bool refreshed = !refresh_queue_.empty() && refresh_step(t);
  quiet_until_ = refresh_queue_.empty() && !config_.self_refresh ? refresh_due_ : 0;
  if (abort_) return;
  if (refreshed) {
    if (config_.dual_command) act_again(false, t);
  } else if (decision(t).tick == t) {
    act_in_turn(t);
  } else if (config_.self_refresh) {
    self_refresh_step(t);
  }
}

inline void Controller::act_in_turn(Tick t) {
  const bool was_column = act(next_in_turn(t), t);
  if (config_.dual_command) act_again(was_column, t);
}

// The first tick in which a bank can act; among the banks of that tick the round robin decides.
void Controller::search(Tick floor) {
  decision_is_known_ = true;
  BankLanes& lanes = times_.lanes();
  if (queues_.busy_banks() <= kFewBanks && lanes.words() == 1) {
    search_few(floor);
    return;
  }
  const Near at = lanes.least(lanes.near_of_clock(floor));
  decision_.tick = lanes.tick_of(at);
  if (at == kNearNever) return;
  const std::uint32_t start = first_bank_;
  if (lanes.words() == 1) {
    const auto after = std::rotr(lanes.ready_mask(0), static_cast<int>(start));
    decision_.bank = (start + static_cast<std::uint32_t>(std::countr_zero(after))) % 64;
    return;
  }
  std::size_t word = start / 64;
  std::uint64_t bits = lanes.ready_mask(word) & ~std::uint64_t{0} << (start % 64);
  while (bits == 0) {
    word = word + 1 == lanes.words() ? 0 : word + 1;
    bits = lanes.ready_mask(word);
  }
  decision_.bank =
      static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

// Streams keep few banks busy.
void Controller::search_few(Tick floor) {
  const std::uint64_t banks = queues_.nonempty_banks().word(0);
  const BankLanes& lanes = times_.lanes();
  const Near from = lanes.near_of_clock(floor);
  const auto ready = [&](std::uint32_t bank) {
    return std::max({lanes.ready(bank), lanes.at(BankLanes::kFrozen, bank), from});
  };
  if (queues_.busy_banks() == 1) {
    decision_.bank = static_cast<std::uint32_t>(std::countr_zero(banks));
    decision_.tick = lanes.tick_of(ready(decision_.bank));
    return;
  }
  Near least = kNearNever;
  std::uint64_t before = banks & ((std::uint64_t{1} << first_bank_) - 1);
  for (std::uint64_t part = banks & ~before;; part = before, before = 0) {
    while (part != 0) {
      const std::uint32_t bank = take_lowest(part);
      const Near at = ready(bank);
      if (at < least) {
        least = at;
        decision_.bank = bank;
      }
    }
    if (before == 0) break;
  }
  decision_.tick = lanes.tick_of(least);
}

// An entry came to a bank in a tick without a command: only this bank's answer may change.
void Controller::offer(std::uint32_t bank, Tick floor) {
  const BankLanes& lanes = times_.lanes();
  if (!decision_is_known_ || lanes.at(BankLanes::kFrozen, bank) != 0) return;
  const std::uint32_t queue = queues_.queue_of(bank), decided = queues_.queue_of(decision_.bank);
  if (decision_.tick != kNever && decided == queue) {
    decision_is_known_ = false;
    return;
  }
  const Tick ready = lanes.tick_of(lanes.ready(bank));
  if (ready == kNever) return;
  const Tick at = std::max(ready, floor);
  const auto turn = [&](std::uint32_t q) {
    return q > pointer_ ? q - pointer_ : q + queues_.queues() - pointer_;
  };
  if (at < decision_.tick || (at == decision_.tick && turn(queue) < turn(decided)))
    decision_ = {at, bank};
}

// A queue of a rank: the oldest entry that can act, whatever its bank.
std::uint32_t Controller::oldest_of_rank(Tick t) const {
  const BankLanes& lanes = times_.lanes();
  const Near now = lanes.near_of_clock(t);
  std::uint32_t best = kNone;
  std::uint64_t order = ~std::uint64_t{0};
  const std::uint32_t begin = queues_.first_bank_of(pointer_);
  for (std::uint32_t bank = begin; bank < begin + queues_.banks_of_queue(); ++bank) {
    if (lanes.ready(bank) > now) continue;
    const std::uint32_t id =
        queues_.acts_on_column(bank, t) ? queues_.ready_hit(bank, t) : queues_.oldest(bank);
    if (transactions_[id].order >= order) continue;
    order = transactions_[id].order;
    best = bank;
  }
  return best;
}

// HBM's second command bus: what is picked and may not issue is thrown away, and a column command
// has left its queue by then.
void Controller::act_again(bool first_is_column, Tick t) {
  if (decision(t).tick != t) return;
  const std::uint32_t bank = next_in_turn(t);
  const bool is_column = queues_.acts_on_column(bank, t);
  if (is_column != first_is_column) {
    act(bank, t);
    ++counters_.dual_commands;
  } else if (is_column) {
    take_out(queues_.ready_hit(bank, t));
    ++counters_.lost_column_commands;
  } else if (queues_.is_open(bank)) {
    ++counters_.ondemand_precharges;
  }
}

bool Controller::arms_drain() const {
  // No short cuts: what they skip costs less than a branch that is guessed wrong.
  const std::uint32_t size = write_buffer().size();
  const bool is_full = size >= config_.transaction_queue_entries;
  return (size >= least_to_drain_) & (drain_ == 0) & (is_full | queues_.all_empty());
}

bool Controller::transfer_may_act() const {
  const bool arms = arms_drain(), moves = waiting_[drain_ > 0].any_can_move(queues_.full());
  return arms | moves;
}

// dramsim3-behaviour.md 7.
void Controller::transfer(Tick t) {
  const bool was_armed = drain_ != 0;
  if (arms_drain()) drain_ = write_buffer().size();
  WaitingQueue& waiting = waiting_[drain_ > 0];
  const std::uint32_t queue = waiting.oldest_movable(queues_.full());
  transfer_is_due_ = false;
  drain_is_stuck_ = false;
  if (queue == kNone) return;
  const std::uint32_t id = waiting.head(queue);
  const Transaction& transaction = transactions_[id];
  if (transaction.is_write & has_write_buffer_) {
    if (transactions_.pending_at(transaction.address).read != kNone) {
      drain_ = 0;
      drain_is_stuck_ = !was_armed;  // the next tick would arm and cancel again
      transfer_is_due_ = was_armed;
      return;
    }
    --drain_;
  }
  waiting.take_head(transactions_, queue);
  queues_.append(id);
  has_had_work_[times_.rank_of(transaction.bank)] = 1;
  offer(transaction.bank, t + 1);
  transfer_is_due_ = transfer_may_act();
}

Counters Controller::take_counters() {
  for (std::uint32_t rank = 0; rank < config_.ranks; ++rank) settle(rank, now_);
  counters_.cycles = now_ - counted_from_;
  counters_.epochs = now_ / config_.epoch_cycles - counted_from_ / config_.epoch_cycles;
  return counters_;
}

void Controller::reset_counters() {
  for (std::uint32_t rank = 0; rank < config_.ranks; ++rank) settle(rank, now_);
  counters_ = Counters{};
  counters_.ranks.resize(config_.ranks);
  counted_from_ = now_;
}

Leftovers Controller::leftovers() const {
  Leftovers left;
  left.buffered_writes = write_buffer().size();
  left.refreshes = refresh_queue_.size();
  left.nothing_else_waits = waiting_for(false).size() == 0 && queues_.all_empty();
  left.drain_is_stuck = drain_is_stuck_;
  return left;
}

}  // namespace diffram::ctrl::compat
