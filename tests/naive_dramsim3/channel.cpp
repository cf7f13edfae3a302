#include "naive_dramsim3/channel.h"

#include <algorithm>

namespace diffram::naive_dramsim3 {
namespace {

constexpr int kHitsThatAllowAPrecharge = 4;
constexpr std::size_t kWritesThatDrainIdleQueues = 8;      // more than these
constexpr std::size_t kShortWindow = 4, kLongWindow = 32;  // ACTs under tFAW, under t32AW

bool same_bank_as(const Place& a, const Place& b) {
  return a.rank == b.rank && a.group == b.group && a.bank == b.bank;
}
bool holds(const std::vector<Transaction>& list, std::uint64_t address) {
  return std::any_of(list.begin(), list.end(), at_address(address));
}

}  // namespace

Channel::Channel(const Configuration& configuration)
    : c_(configuration),
      rules_(configuration),
      queues_(c_.queue_per_bank ? c_.ranks * c_.banks : c_.ranks),
      banks_(c_.ranks * c_.banks),
      ranks_(c_.ranks) {
  counters_.idle_cycles.resize(c_.ranks);
  counters_.active_cycles.resize(c_.ranks);
  counters_.sleep_cycles.resize(c_.ranks);
}

bool Channel::accepts(bool is_write) const {
  const auto& queue = c_.unified_queue ? unified_queue_ : is_write ? write_buffer_ : read_queue_;
  return queue.size() < static_cast<std::size_t>(c_.trans_queue_size);
}

void Channel::add(std::uint64_t address, bool is_write) {
  const Transaction transaction{address, is_write, now_};
  ++counters_.interarrival[now_ - last_arrival_];
  last_arrival_ = now_;
  if (is_write) {
    if (!holds(pending_writes_, address)) {
      pending_writes_.push_back(transaction);
      (c_.unified_queue ? unified_queue_ : write_buffer_).push_back(transaction);
    }
    replies_.push_back({transaction, now_ + 1});
  } else if (holds(pending_writes_, address)) {
    replies_.push_back({transaction, now_ + 1});
  } else {
    const bool first = !holds(pending_reads_, address);
    pending_reads_.push_back(transaction);
    if (first) (c_.unified_queue ? unified_queue_ : read_queue_).push_back(transaction);
  }
}

void Channel::deliver(const std::function<void(const Transaction&)>& done) {
  // By index: `done` may add a transaction, and with it a reply.
  for (std::size_t i = 0; i < replies_.size();) {
    if (replies_[i].completion > now_) {
      ++i;
      continue;
    }
    const auto transaction = replies_[i].transaction;
    replies_.erase(replies_.begin() + static_cast<std::ptrdiff_t>(i));
    if (transaction.is_write) {
      ++counters_.writes_done;
    } else {
      ++counters_.reads_done;
      ++counters_.read_latency[now_ - transaction.arrival];
    }
    done(transaction);
  }
}

void Channel::tick() {
  start_due_refresh();
  auto command = refresh_step();
  if (!command) command = pick();
  if (command) {
    issue(*command);
    if (c_.dual_command) issue_second(*command);
  }
  count_rank_cycles();
  if (c_.self_refresh && !command) self_refresh_step();
  move_one_transaction();
  ++now_;
  ++counters_.cycles;
}

void Channel::start_due_refresh() {
  const int interval = c_.refresh_policy == RefreshPolicy::rank_staggered      ? c_.tREFI / c_.ranks
                       : c_.refresh_policy == RefreshPolicy::rank_simultaneous ? c_.tREFI
                                                                               : c_.tREFIb;
  if (now_ == 0 || now_ % static_cast<Cycle>(interval) != 0) return;
  auto& next = next_refresh_;
  switch (c_.refresh_policy) {
    case RefreshPolicy::rank_staggered:
      if (!asleep(next.rank)) refreshes_.push_back({REF, next, 0});
      next.rank = (next.rank + 1) % c_.ranks;
      break;
    case RefreshPolicy::rank_simultaneous:
      for (int rank = 0; rank < c_.ranks; ++rank) {
        if (asleep(rank)) continue;
        Place whole;
        whole.rank = rank;
        refreshes_.push_back({REF, whole, 0});
        break;
      }
      break;
    case RefreshPolicy::bank_staggered:
      if (!asleep(next.rank)) refreshes_.push_back({REFB, next, 0});
      if (++next.group < c_.bankgroups) break;
      next.group = 0;
      if (++next.bank < c_.banks_per_group) break;
      next.bank = 0;
      next.rank = (next.rank + 1) % c_.ranks;
      break;
  }
}

std::optional<Command> Channel::refresh_step() {
  if (refreshes_.empty()) return std::nullopt;
  refresh_in_progress_ = true;
  const auto& head = refreshes_.front();
  if (head.kind == REFB) {
    const int bank = c_.bank_index(head.at);
    const auto kind = required(bank, REFB, 0);
    if (!ready(bank, kind)) return std::nullopt;
    return Command{kind, head.at, 0};
  }
  bool all_ready = true;
  for (int i = 0; i < c_.banks; ++i) {
    const int bank = head.at.rank * c_.banks + i;
    const auto kind = required(bank, REF, 0);
    const bool is_ready = ready(bank, kind);
    if (kind == PRE && is_ready) {
      Place at = head.at;
      at.group = i / c_.banks_per_group;
      at.bank = i % c_.banks_per_group;
      return Command{PRE, at, 0};
    }
    all_ready = all_ready && kind == REF && is_ready;
  }
  if (!all_ready) return std::nullopt;
  return head;
}

bool Channel::frozen(int queue) const {
  if (!refresh_in_progress_) return false;
  const auto& at = refreshes_.front().at;
  if (!c_.queue_per_bank) return queue == at.rank;
  if (refreshes_.front().kind == REFB) return queue == c_.bank_index(at);
  return queue / c_.banks == at.rank;
}

std::optional<Command> Channel::pick() {
  const int count = static_cast<int>(queues_.size());
  for (int step = 1; step <= count; ++step) {
    const int queue = (pointer_ + step) % count;
    if (frozen(queue)) continue;
    if (auto command = pick_from(queue)) {
      pointer_ = queue;
      return command;
    }
  }
  return std::nullopt;
}

std::optional<Command> Channel::pick_from(int queue) {
  auto& entries = queues_[queue];
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto command = entries[i];
    const int bank = c_.bank_index(command.at);
    command.kind = required(bank, command.kind, command.at.row);
    if (!ready(bank, command.kind)) continue;
    if (command.kind == ACT && !may_activate(command.at.rank)) continue;
    if (command.kind == PRE) {
      if (!may_precharge(queue, i)) continue;
      ++counters_.ondemand_pres;
    }
    if (is_write(command.kind) && waits_for_older_read(queue, i)) continue;
    if (is_column(command.kind)) entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(i));
    return command;
  }
  return std::nullopt;
}

bool Channel::may_precharge(int queue, std::size_t entry) const {
  const auto& entries = queues_[queue];
  const auto& at = entries[entry].at;
  for (std::size_t i = 0; i < entry; ++i) {
    if (same_bank_as(entries[i].at, at)) return false;
  }
  const auto& bank = banks_[c_.bank_index(at)];
  if (bank.hits >= kHitsThatAllowAPrecharge) return true;
  for (std::size_t i = entry; i < entries.size(); ++i) {
    if (same_bank_as(entries[i].at, at) && entries[i].at.row == bank.row) return false;
  }
  return true;
}

bool Channel::waits_for_older_read(int queue, std::size_t entry) const {
  const auto& entries = queues_[queue];
  const auto& at = entries[entry].at;
  return std::any_of(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(entry),
                     [&](const Command& older) {
                       return is_read(older.kind) && older.at.group == at.group &&
                              older.at.bank == at.bank && older.at.row == at.row &&
                              older.at.column == at.column;
                     });
}

bool Channel::may_activate(int rank) const {
  const auto& times = ranks_[rank].activations;
  const auto outside = [&](std::size_t window, int cycles) {
    return times.size() < window ||
           now_ >= times[times.size() - window] + static_cast<Cycle>(cycles);
  };
  return outside(kShortWindow, c_.tFAW) && (!c_.gddr || outside(kLongWindow, c_.t32AW));
}

Kind Channel::required(int bank, Kind wanted, std::int64_t row) const {
  switch (banks_[bank].state) {
    case State::closed:
      return is_column(wanted) ? ACT : wanted;
    case State::open:
      return is_column(wanted) && banks_[bank].row == row ? wanted : PRE;
    case State::asleep:
      break;
  }
  if (!is_column(wanted)) throw Abort{"a refresh met a sleeping rank"};
  return SREFX;
}

void Channel::issue_second(const Command& first) {
  const auto second = pick();
  if (!second || is_column(first.kind) == is_column(second->kind)) return;
  issue(*second);
  ++counters_.dual_commands;
}

void Channel::count_rank_cycles() {
  for (int rank = 0; rank < c_.ranks; ++rank) {
    const auto first = banks_.begin() + rank * c_.banks;
    if (asleep(rank)) {
      ++counters_.sleep_cycles[rank];
    } else if (std::all_of(first, first + c_.banks,
                           [](const Bank& bank) { return bank.state == State::closed; })) {
      ++counters_.idle_cycles[rank];
      ++ranks_[rank].idle;
    } else {
      ++counters_.active_cycles[rank];
      ranks_[rank].idle = 0;
    }
  }
}

void Channel::self_refresh_step() {
  for (int rank = 0; rank < c_.ranks; ++rank) {
    if (asleep(rank)) {
      if (ranks_[rank].has_had_work) throw Abort{"work waits for a sleeping rank"};
      continue;
    }
    if (ranks_[rank].has_had_work || ranks_[rank].idle < c_.sref_threshold) continue;
    bool all_ready = true;
    for (int i = 0; i < c_.banks; ++i) all_ready = all_ready && ready(rank * c_.banks + i, SREFE);
    if (!all_ready) continue;
    Command enter{SREFE, {}, 0};
    enter.at.rank = rank;
    issue(enter);
    return;
  }
}

void Channel::move_one_transaction() {
  const bool split = !c_.unified_queue;
  if (split && drain_ == 0) {
    const bool idle = std::all_of(queues_.begin(), queues_.end(),
                                  [](const auto& entries) { return entries.empty(); });
    if (write_buffer_.size() >= static_cast<std::size_t>(c_.trans_queue_size) ||
        (idle && write_buffer_.size() > kWritesThatDrainIdleQueues))
      drain_ = write_buffer_.size();
  }
  auto& list = !split ? unified_queue_ : drain_ > 0 ? write_buffer_ : read_queue_;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto at = c_.place(list[i].address);
    auto& entries = queues_[queue_of(at)];
    if (entries.size() >= static_cast<std::size_t>(c_.cmd_queue_size)) continue;
    if (split && list[i].is_write) {
      if (holds(pending_reads_, list[i].address)) {
        drain_ = 0;
        return;
      }
      --drain_;
    }
    const auto kind = list[i].is_write ? (c_.close_page ? WRA : WR) : (c_.close_page ? RDA : RD);
    entries.push_back({kind, at, list[i].address});
    ranks_[at.rank].has_had_work = true;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    return;
  }
}

}  // namespace diffram::naive_dramsim3
