#include "ctrl/compat/command_queues.h"

namespace diffram::ctrl::compat {

CommandQueues::CommandQueues(const spec::Dramsim3Config& config, BankTimes& times,
                             Transactions& transactions)
    : times_(times),
      transactions_(transactions),
      capacity_(config.command_queue_entries),
      banks_of_queue_(config.one_queue_per_rank ? config.banks() : 1),
      queues_(config.one_queue_per_rank ? config.ranks : config.ranks * config.banks()),
      banks_(std::size_t{config.ranks} * config.banks()),
      counts_(queues_),
      open_banks_(config.ranks),
      asleep_(config.ranks),
      full_(counts_.size()),
      nonempty_(banks_.size()) {
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank)
    banks_[bank].queue = bank / banks_of_queue_;
  if (capacity_ == 0) {
    for (std::uint32_t queue = 0; queue < counts_.size(); ++queue) full_.add(queue);
  }
}

void CommandQueues::publish(std::uint32_t index) {
  const Bank& bank = banks_[index];
  if (bank.entries.empty()) return tell(index, 0);
  if (bank.row >= kAsleep) return tell(index, kAsksActivate);
  std::uint32_t asks =
      (bank.hit_read != kNone ? kAsksRead : 0) | (bank.hit_write != kNone ? kAsksWrite : 0);
  if (bank.entries.oldest_row() != bank.row && (asks == 0 || bank.hits >= kHitsBeforePrecharge))
    asks |= kAsksPrecharge;
  tell(index, asks);
}

bool CommandQueues::waits_for_read(const Bank& bank, std::uint32_t write) const {
  bool waits = false;
  bank.entries.until_of_row(bank.row, [&](std::uint32_t older) {
    if (older == write) return true;
    const Transaction& t = transactions_[older];
    waits = !t.is_write && t.column == transactions_[write].column;
    return waits;
  });
  return waits;
}

void CommandQueues::look_for_hits(Bank& bank) {
  bank.hit_read = bank.hit_write = kNone;
  bank.entries.until_of_row(bank.row, [&](std::uint32_t id) {
    if (!transactions_[id].is_write) {
      if (bank.hit_read == kNone) bank.hit_read = id;
    } else if (bank.hit_write == kNone && (bank.hit_read == kNone || !waits_for_read(bank, id))) {
      bank.hit_write = id;
    }
    return (bank.hit_read != kNone || bank.count[0] == 0) &&
           (bank.hit_write != kNone || bank.count[1] == 0);
  });
}

void CommandQueues::append(std::uint32_t id) {
  Transaction& t = transactions_[id];
  Bank& bank = banks_[t.bank];
  t.order = next_order_++;
  const bool was_empty = bank.entries.empty();
  if (was_empty) {
    nonempty_.add(t.bank);
    ++busy_banks_;
  }
  bank.entries.append(t.row, id);
  ++bank.count[t.is_write];
  ++entries_;
  const std::uint32_t queue = bank.queue;
  if (++counts_[queue] == capacity_) full_.add(queue);
  if (t.row == bank.row) {
    std::uint32_t& hit = t.is_write ? bank.hit_write : bank.hit_read;
    if (hit == kNone && (!t.is_write || bank.hit_read == kNone || !waits_for_read(bank, id))) {
      hit = id;
      publish(t.bank);
    }
  } else if (was_empty) {
    publish(t.bank);
  }
}

void CommandQueues::remove(std::uint32_t id) {
  const std::uint32_t index = transactions_[id].bank;
  Bank& bank = banks_[index];
  bank.entries.remove(id);
  --bank.count[transactions_[id].is_write];
  --entries_;
  if (bank.entries.empty()) {
    nonempty_.remove(index);
    --busy_banks_;
  }
  const std::uint32_t queue = bank.queue;
  if (counts_[queue]-- == capacity_) full_.remove(queue);
  look_for_hits(bank);
  publish(index);
}

void CommandQueues::open(std::uint32_t index, std::uint32_t row) {
  Bank& bank = banks_[index];
  bank.row = row;
  bank.hits = 0;
  ++open_banks_[times_.rank_of(index)];
  look_for_hits(bank);
  publish(index);
}

void CommandQueues::fall_asleep(std::uint32_t rank) {
  asleep_[rank] = 1;
  for (std::uint32_t i = 0; i < times_.banks_of_rank(); ++i)
    banks_[rank * times_.banks_of_rank() + i].row = kAsleep;
}

void CommandQueues::wake_up(std::uint32_t rank) {
  asleep_[rank] = 0;
  for (std::uint32_t i = 0; i < times_.banks_of_rank(); ++i)
    banks_[rank * times_.banks_of_rank() + i].row = kClosed;
}

}  // namespace diffram::ctrl::compat
