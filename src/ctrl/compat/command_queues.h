#pragma once
// The command queues and the state of the banks (dramsim3-behaviour.md 8.2, 8.3 and 9). What an
// entry may do depends only on its own bank and on the bank's other entries, so the entries are
// kept by bank, with their rows side by side, and a queue (of a bank or of a rank) is a count and
// an order.

#include <array>
#include <vector>

#include "ctrl/compat/bank_entries.h"
#include "ctrl/compat/bank_times.h"
#include "ctrl/compat/bit_mask.h"
#include "ctrl/compat/transactions.h"

namespace diffram::ctrl::compat {

class CommandQueues {
 public:
  CommandQueues(const spec::Dramsim3Config& config, BankTimes& times, Transactions& transactions);

  std::uint32_t queues() const { return queues_; }
  std::uint32_t queue_of(std::uint32_t bank) const { return banks_[bank].queue; }
  std::uint32_t first_bank_of(std::uint32_t queue) const { return queue * banks_of_queue_; }
  std::uint32_t banks_of_queue() const { return banks_of_queue_; }
  const BitMask& full() const { return full_; }
  const BitMask& nonempty_banks() const { return nonempty_; }
  std::uint32_t busy_banks() const { return busy_banks_; }  ///< with entries
  bool all_empty() const { return entries_ == 0; }
  std::uint32_t open_banks(std::uint32_t rank) const { return open_banks_[rank]; }
  bool is_open(std::uint32_t bank) const { return banks_[bank].row < kAsleep; }
  bool is_closed(std::uint32_t bank) const { return banks_[bank].row == kClosed; }
  bool is_asleep(std::uint32_t rank) const { return asleep_[rank]; }
  std::uint32_t hits(std::uint32_t bank) const { return banks_[bank].hits; }

  /// What a bank that can act at t does: an ACT while it is closed, a SREFX while it sleeps, a PRE
  /// if it may, all of them for its oldest entry, or the column command of `ready_hit`.
  bool may_precharge(std::uint32_t bank, Tick t) const {
    const BankLanes& lanes = times_.lanes();
    return lanes.asked(BankLanes::kPrecharge, bank) <= lanes.near_of_clock(t);
  }
  std::uint32_t oldest(std::uint32_t bank) const { return banks_[bank].entries.oldest(); }
  std::uint32_t oldest_row(std::uint32_t bank) const { return banks_[bank].entries.oldest_row(); }
  std::uint32_t ready_hit(std::uint32_t bank, Tick t) const;
  bool acts_on_column(std::uint32_t bank, Tick t) const {
    return is_open(bank) && !may_precharge(bank, t);
  }

  void append(std::uint32_t transaction);
  /// Take a column command's entry out.
  void remove(std::uint32_t transaction);

  void open(std::uint32_t bank, std::uint32_t row);
  void close(std::uint32_t bank);
  void count_hit(std::uint32_t bank);
  void fall_asleep(std::uint32_t rank);
  void wake_up(std::uint32_t rank);

 private:
  static constexpr std::uint32_t kClosed = kNone, kAsleep = kNone - 1;
  /// Column commands after which a row may be closed although entries hit it.
  static constexpr std::uint32_t kHitsBeforePrecharge = 4;
  /// As BankLanes::ask counts them.
  static constexpr std::uint32_t kAsksActivate = 1, kAsksPrecharge = 2, kAsksRead = 4,
                                 kAsksWrite = 8;
  struct alignas(64) Bank {
    std::uint32_t row = kClosed;
    std::uint32_t hits = 0;  ///< column commands since its ACT
    BankEntries entries;
    std::uint32_t hit_read = kNone;   ///< the oldest RD to the open row
    std::uint32_t hit_write = kNone;  ///< the oldest WR to it that may go
    std::uint32_t asks = 0;           ///< as told to the lanes
    std::uint32_t queue = 0;
    std::array<std::uint32_t, 2> count{};  ///< entries: reads, writes
  };

  void look_for_hits(Bank& bank);
  /// Tell the lanes what the bank's entries ask for.
  void publish(std::uint32_t index);
  void tell(std::uint32_t index, std::uint32_t asks) {
    if (banks_[index].asks == asks) return;
    banks_[index].asks = asks;
    times_.lanes().ask(index, asks);
  }
  bool waits_for_read(const Bank& bank, std::uint32_t write) const;

  BankTimes& times_;
  Transactions& transactions_;
  const std::uint32_t capacity_;
  const std::uint32_t banks_of_queue_;
  const std::uint32_t queues_;
  std::vector<Bank> banks_;
  std::vector<std::uint32_t> counts_;      ///< entries by queue
  std::vector<std::uint32_t> open_banks_;  ///< by rank
  std::vector<std::uint8_t> asleep_;       ///< by rank
  BitMask full_;                           ///< queues
  BitMask nonempty_;                       ///< banks
  std::uint64_t entries_ = 0;
  std::uint32_t busy_banks_ = 0;
  std::uint64_t next_order_ = 0;
};

inline std::uint32_t CommandQueues::ready_hit(std::uint32_t index, Tick t) const {
  const Bank& bank = banks_[index];
  const BankLanes& lanes = times_.lanes();
  const Near now = lanes.near_of_clock(t);
  const bool reads = lanes.asked(BankLanes::kRead, index) <= now;
  const bool writes = lanes.asked(BankLanes::kWrite, index) <= now;
  if (reads && writes) {
    return transactions_[bank.hit_read].order < transactions_[bank.hit_write].order
               ? bank.hit_read
               : bank.hit_write;
  }
  return reads ? bank.hit_read : bank.hit_write;
}

inline void CommandQueues::close(std::uint32_t index) {
  Bank& bank = banks_[index];
  bank.row = kClosed;
  bank.hits = 0;
  bank.hit_read = bank.hit_write = kNone;
  --open_banks_[times_.rank_of(index)];
  tell(index, bank.entries.empty() ? 0 : kAsksActivate);
}

inline void CommandQueues::count_hit(std::uint32_t index) {
  Bank& bank = banks_[index];
  if (++bank.hits == kHitsBeforePrecharge) publish(index);
}

}  // namespace diffram::ctrl::compat
