#include "ctrl/compat/command_queues.h"

namespace diffram::ctrl::compat {

namespace {
/// Column commands after which a row may be closed although entries hit it.
constexpr std::uint32_t kHitsBeforePrecharge = 4;
/// As BankLanes::ask counts them.
constexpr std::uint32_t kAsksActivate = 1, kAsksPrecharge = 2, kAsksRead = 4, kAsksWrite = 8;
}  // namespace

CommandQueues::CommandQueues(const spec::Dramsim3Config& config, BankTimes& times,
                             Transactions& transactions)
    : times_(times),
      transactions_(transactions),
      close_page_(config.close_page),
      capacity_(config.command_queue_entries),
      banks_of_queue_(config.one_queue_per_rank ? config.banks() : 1),
      banks_(std::size_t{config.ranks} * config.banks()),
      counts_(banks_.size() / banks_of_queue_),
      open_banks_(config.ranks),
      asleep_(config.ranks),
      full_(counts_.size()),
      nonempty_(banks_.size()) {
  if (capacity_ == 0) {
    for (std::uint32_t queue = 0; queue < counts_.size(); ++queue) full_.add(queue);
  }
}

Candidate CommandQueues::candidate(std::uint32_t index, Tick t) const {
  const Bank& bank = banks_[index];
  if (bank.row == kClosed) return {Command::ACT, bank.head};
  if (bank.row == kAsleep) return {Command::SREFX, bank.head};
  const BankLanes& lanes = times_.lanes();
  const Near now = lanes.near_of(t);
  const auto may = [&](BankLanes::Row time, BankLanes::Row unless) {
    return std::max(lanes.at(time, index), lanes.at(unless, index)) <= now;
  };
  if (may(BankLanes::kPrecharge, BankLanes::kNoPrecharge)) return {Command::PRE, bank.head};
  const bool reads = may(BankLanes::kRead, BankLanes::kNoRead);
  const bool writes = may(BankLanes::kWrite, BankLanes::kNoWrite);
  const bool read_first = reads && (!writes || transactions_[bank.hit_read].order <
                                                   transactions_[bank.hit_write].order);
  if (read_first) return {close_page_ ? Command::RDA : Command::RD, bank.hit_read};
  return {close_page_ ? Command::WRA : Command::WR, bank.hit_write};
}

void CommandQueues::publish(std::uint32_t index) {
  const Bank& bank = banks_[index];
  if (bank.head == kNone) return tell(index, 0);
  if (bank.row >= kAsleep) return tell(index, kAsksActivate);
  std::uint32_t asks =
      (bank.hit_read != kNone ? kAsksRead : 0) | (bank.hit_write != kNone ? kAsksWrite : 0);
  if (transactions_[bank.head].row != bank.row && (asks == 0 || bank.hits >= kHitsBeforePrecharge))
    asks |= kAsksPrecharge;
  tell(index, asks);
}

bool CommandQueues::waits_for_read(const Bank& bank, std::uint32_t write) const {
  for (std::uint32_t id = bank.head; id != write && id != kNone; id = transactions_[id].next) {
    const Transaction& older = transactions_[id];
    if (!older.is_write && older.row == transactions_[write].row &&
        older.column == transactions_[write].column)
      return true;
  }
  return false;
}

void CommandQueues::look_for_hits(Bank& bank) {
  bank.hit_read = bank.hit_write = kNone;
  if (bank.to_row == 0) return;
  bool seek_read = bank.reads != 0, seek_write = bank.writes != 0;
  std::uint32_t unseen = bank.to_row;
  for (std::uint32_t id = bank.head; unseen != 0 && (seek_read || seek_write);
       id = transactions_[id].next) {
    const Transaction& t = transactions_[id];
    if (t.row != bank.row) continue;
    --unseen;
    if (!t.is_write) {
      if (seek_read) bank.hit_read = id;
      seek_read = false;
    } else if (seek_write && (bank.hit_read == kNone || !waits_for_read(bank, id))) {
      bank.hit_write = id;
      seek_write = false;
    }
  }
}

void CommandQueues::append(std::uint32_t id) {
  Transaction& t = transactions_[id];
  Bank& bank = banks_[t.bank];
  t.order = next_order_++;
  t.next = kNone;
  t.previous = bank.tail;
  const bool was_empty = bank.tail == kNone;
  if (was_empty) {
    bank.head = id;
    nonempty_.add(t.bank);
    ++busy_banks_;
  } else {
    transactions_[bank.tail].next = id;
  }
  bank.tail = id;
  ++(t.is_write ? bank.writes : bank.reads);
  ++entries_;
  const std::uint32_t queue = queue_of(t.bank);
  if (++counts_[queue] == capacity_) full_.add(queue);
  if (t.row == bank.row) {
    ++bank.to_row;
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
  const Transaction& t = transactions_[id];
  Bank& bank = banks_[t.bank];
  (t.previous == kNone ? bank.head : transactions_[t.previous].next) = t.next;
  (t.next == kNone ? bank.tail : transactions_[t.next].previous) = t.previous;
  --(t.is_write ? bank.writes : bank.reads);
  --entries_;
  if (bank.head == kNone) {
    nonempty_.remove(t.bank);
    --busy_banks_;
  }
  const std::uint32_t queue = queue_of(t.bank);
  if (counts_[queue]-- == capacity_) full_.remove(queue);
  --bank.to_row;
  look_for_hits(bank);
  publish(t.bank);
}

void CommandQueues::open(std::uint32_t index, std::uint32_t row) {
  Bank& bank = banks_[index];
  bank.row = row;
  bank.hits = 0;
  ++open_banks_[times_.rank_of(index)];
  bank.to_row = 0;
  for (std::uint32_t id = bank.head; id != kNone; id = transactions_[id].next)
    bank.to_row += transactions_[id].row == row;
  look_for_hits(bank);
  publish(index);
}

void CommandQueues::close(std::uint32_t index) {
  Bank& bank = banks_[index];
  bank.row = kClosed;
  bank.hits = 0;
  bank.hit_read = bank.hit_write = kNone;
  bank.to_row = 0;
  --open_banks_[times_.rank_of(index)];
  tell(index, bank.head == kNone ? 0 : kAsksActivate);
}

void CommandQueues::count_hit(std::uint32_t index) {
  Bank& bank = banks_[index];
  if (++bank.hits == kHitsBeforePrecharge) publish(index);
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
