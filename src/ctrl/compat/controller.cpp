#include "ctrl/compat/controller.h"

#include <utility>

namespace diffram::ctrl::compat {

namespace {

/// Writes that may lie in the buffer while nothing else is to do.
constexpr std::uint32_t kIdleWrites = 8;
/// Banks up to which one look at each is less than a pass over all lanes.
constexpr std::uint32_t kFewBanks = 4;

bool is_column(Command command) { return command <= Command::WRA; }

}  // namespace

Controller::Controller(const spec::Dramsim3Config& config, Tick horizon, CommandSink on_command)
    : config_(config),
      offsets_(config),
      horizon_(horizon),
      on_command_(std::move(on_command)),
      times_(config),
      queues_(config, times_, transactions_),
      read_queue_(queues_.queues()),
      write_buffer_(queues_.queues()),
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
    counters_.writes_done += is_answered;
    if (pending.write != kNone) {
      ++counters_.writes_merged;
      return;
    }
  } else if (pending.write != kNone) {
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
  transfer_is_due_ = transfer_is_due_ || !queues_.full().has(queue) || arms_drain();
}

void Controller::run_until(Tick end) {
  while (now_ < end && !abort_) {
    now_ = std::min(next_event(), end);
    if (now_ == end) return;
    tick(now_);
    ++now_;
  }
}

bool Controller::run_until_accepts(bool is_write, Tick end) {
  while (now_ < end && !abort_ && !accepts(is_write)) {
    now_ = std::min(next_event(), end);
    if (now_ == end) break;
    tick(now_);
    ++now_;
  }
  return !abort_ && accepts(is_write);
}

Tick Controller::next_event() {
  if (transfer_is_due_) return now_;
  Tick next = std::min(refresh_due_, decision(now_).tick);
  if (!refresh_queue_.empty()) next = std::min(next, refresh_event());
  if (config_.self_refresh) next = std::min(next, sleep_event());
  return std::max(next, now_);
}

inline Controller::Pick Controller::pick(Tick t) {
  yield_of(queues_.queue_of(decision_.bank));
  Pick best{queues_.candidate(decision_.bank, t), decision_.bank};
  if (queues_.banks_of_queue() != 1) best = oldest_of_rank(t);
  decision_is_known_ = false;
  if (best.candidate.command == Command::PRE) ++counters_.ondemand_precharges;
  if (is_column(best.candidate.command)) {
    queues_.remove(best.candidate.transaction);
    transfer_is_due_ = transfer_may_act();
  }
  return best;
}

inline void Controller::issue(const Pick& pick, Tick t) {
  const auto [command, id] = pick.candidate;
  switch (command) {
    case Command::ACT:
      issue_activate(pick.bank, transactions_[id].row, t);
      break;
    case Command::PRE:
      issue_precharge(pick.bank, t);
      break;
    case Command::SREFX: {
      const std::uint32_t rank = times_.rank_of(pick.bank);
      settle(rank, t);
      queues_.wake_up(rank);
      times_.issue_wake(rank, t);
      log(t, Command::SREFX, rank, pick.bank);
      break;
    }
    default:
      issue_column(id, command, t);
      break;
  }
}

// The steps of dramsim3-behaviour.md 5; the fifth is `settle`.
void Controller::tick(Tick t) {
  times_.lanes().keep_near(t);
  if (t == refresh_due_) fall_due();
  bool issued = !refresh_queue_.empty() && refresh_step(t);
  bool was_column = false;
  if (abort_) return;
  if (!issued && decision(t).tick == t) {
    const Pick first = pick(t);
    was_column = is_column(first.candidate.command);
    issue(first, t);
    issued = true;
  }
  if (issued && config_.dual_command) issue_second(was_column, t);
  if (!issued && config_.self_refresh) self_refresh_step(t);
  if (transfer_is_due_) transfer(t);
}

// The first tick in which a bank can act; among the banks of that tick the round robin decides.
void Controller::search(Tick floor) {
  decision_is_known_ = true;
  BankLanes& lanes = times_.lanes();
  lanes.keep_near(floor);
  if (queues_.busy_banks() <= kFewBanks && lanes.words() == 1) {
    search_few(floor);
    return;
  }
  const Near at = lanes.least(lanes.near_of(floor));
  decision_.tick = lanes.tick_of(at);
  if (at == kNearNever) return;
  const std::uint32_t start = first_bank_;
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
  const Near from = lanes.near_of(floor);
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
Controller::Pick Controller::oldest_of_rank(Tick t) const {
  const BankLanes& lanes = times_.lanes();
  const Near now = lanes.near_of(t);
  Pick best;
  const std::uint32_t begin = queues_.first_bank_of(pointer_);
  for (std::uint32_t bank = begin; bank < begin + queues_.banks_of_queue(); ++bank) {
    if (lanes.ready(bank) > now) continue;
    const Candidate each = queues_.candidate(bank, t);
    if (best.candidate.transaction == kNone ||
        transactions_[each.transaction].order < transactions_[best.candidate.transaction].order)
      best = {each, bank};
  }
  return best;
}

// HBM's second command bus: what is picked and may not issue is thrown away, and a column command
// has left its queue by then.
void Controller::issue_second(bool first_is_column, Tick t) {
  if (decision(t).tick != t) return;
  const Pick second = pick(t);
  const bool second_is_column = is_column(second.candidate.command);
  if (second_is_column == first_is_column) {
    counters_.lost_column_commands += second_is_column;
    return;
  }
  issue(second, t);
  ++counters_.dual_commands;
}

void Controller::issue_column(std::uint32_t id, Command command, Tick t) {
  decision_is_known_ = false;
  const Transaction& transaction = transactions_[id];
  const std::uint32_t bank = transaction.bank;
  const bool is_write = transaction.is_write;
  log(t, command, times_.rank_of(bank), bank, transaction.row, transaction.column);
  if (queues_.hits(bank) != 0) ++(is_write ? counters_.write_row_hits : counters_.read_row_hits);
  times_.issue_column(bank, is_write, config_.close_page, t);
  if (config_.close_page) {
    if (queues_.open_banks(times_.rank_of(bank)) == 1) settle(times_.rank_of(bank), t);
    queues_.close(bank);
  } else {
    queues_.count_hit(bank);
  }
  if (is_write) {
    transactions_.finish(
        id, [&](Tick arrival) { counters_.write_latency.add(t - arrival + offsets_.write_delay); });
  } else {
    finish_read(id, t);
  }
}

void Controller::finish_read(std::uint32_t id, Tick t) {
  const Tick delivered = std::max(t + offsets_.read_delay, t + 1);
  const bool is_answered = delivered < horizon_;
  transactions_.finish(id, [&](Tick arrival) {
    if (!is_answered) return;
    ++counters_.reads_done;
    counters_.read_latency.add(delivered - arrival);
  });
}

void Controller::issue_activate(std::uint32_t bank, std::uint32_t row, Tick t) {
  decision_is_known_ = false;
  const std::uint32_t rank = times_.rank_of(bank);
  if (queues_.open_banks(rank) == 0) settle(rank, t);
  queues_.open(bank, row);
  times_.issue_activate(bank, t);
  log(t, Command::ACT, rank, bank, row);
}

void Controller::issue_precharge(std::uint32_t bank, Tick t) {
  decision_is_known_ = false;
  const std::uint32_t rank = times_.rank_of(bank);
  if (queues_.open_banks(rank) == 1) settle(rank, t);
  queues_.close(bank);
  times_.issue_precharge(bank, t);
  log(t, Command::PRE, rank, bank);
}

void Controller::log(Tick t, Command command, std::uint32_t rank, std::uint32_t bank,
                     std::uint32_t row, std::uint32_t column) {
  ++counters_.commands[static_cast<std::size_t>(command)];
  if (!on_command_) return;
  const std::uint32_t of_rank = bank - rank * config_.banks();
  on_command_({t, command, rank, of_rank / config_.banks_per_group,
               of_rank % config_.banks_per_group, row, column});
}

void Controller::settle(std::uint32_t rank, Tick until) {
  RankCycles& cycles = counters_.ranks[rank];
  const Tick passed = until - settled_[rank];
  settled_[rank] = until;
  if (queues_.is_asleep(rank)) {
    cycles.asleep += passed;
  } else {
    (queues_.open_banks(rank) != 0 ? cycles.active : cycles.idle) += passed;
  }
}

bool Controller::arms_drain() const {
  const std::uint32_t size = write_buffer_.size();
  return size >= least_to_drain_ && drain_ == 0 &&
         (size >= config_.transaction_queue_entries || queues_.all_empty());
}

bool Controller::transfer_may_act() const {
  return arms_drain() || (drain_ > 0 ? write_buffer_ : read_queue_).any_can_move(queues_.full());
}

// dramsim3-behaviour.md 7.
void Controller::transfer(Tick t) {
  const bool was_armed = drain_ != 0;
  if (arms_drain()) drain_ = write_buffer_.size();
  WaitingQueue& waiting = drain_ > 0 ? write_buffer_ : read_queue_;
  const std::uint32_t queue = waiting.oldest_movable(queues_.full());
  transfer_is_due_ = false;
  drain_is_stuck_ = false;
  if (queue == kNone) return;
  const std::uint32_t id = waiting.head(queue);
  const Transaction& transaction = transactions_[id];
  if (transaction.is_write && !config_.unified_queue) {
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
  counters_.cycles = now_;
  counters_.epochs = now_ / config_.epoch_cycles;
  return counters_;
}

Leftovers Controller::leftovers() const {
  Leftovers left;
  left.buffered_writes = config_.unified_queue ? 0 : write_buffer_.size();
  left.refreshes = refresh_queue_.size();
  left.nothing_else_waits = read_queue_.size() == 0 && queues_.all_empty();
  left.drain_is_stuck = drain_is_stuck_;
  return left;
}

}  // namespace diffram::ctrl::compat
