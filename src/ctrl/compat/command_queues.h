#pragma once
// The command queues and the state of the banks (dramsim3-behaviour.md 8.2, 8.3 and 9). What an
// entry may do depends only on its own bank and on the bank's other entries, so the entries are
// kept by bank, and a queue (of a bank or of a rank) is a count and an order.

#include <vector>

#include "ctrl/compat/bank_times.h"
#include "ctrl/compat/bit_mask.h"
#include "ctrl/compat/transactions.h"

namespace diffram::ctrl::compat {

/// What one bank can do next: a command for one of its entries.
struct Candidate {
  Command command = Command::ACT;
  std::uint32_t transaction = kNone;
};

class CommandQueues {
 public:
  CommandQueues(const spec::Dramsim3Config& config, BankTimes& times, Transactions& transactions);

  std::uint32_t queues() const { return static_cast<std::uint32_t>(counts_.size()); }
  std::uint32_t queue_of(std::uint32_t bank) const {
    return banks_of_queue_ == 1 ? bank : bank / banks_of_queue_;
  }
  std::uint32_t first_bank_of(std::uint32_t queue) const { return queue * banks_of_queue_; }
  std::uint32_t banks_of_queue() const { return banks_of_queue_; }
  const BitMask& full() const { return full_; }
  const BitMask& nonempty_banks() const { return nonempty_; }
  std::uint32_t busy_banks() const { return busy_banks_; }  ///< with entries
  bool all_empty() const { return entries_ == 0; }
  std::uint32_t open_banks(std::uint32_t rank) const { return open_banks_[rank]; }
  bool is_open(std::uint32_t bank) const { return banks_[bank].row < kAsleep; }
  bool is_asleep(std::uint32_t rank) const { return asleep_[rank]; }
  std::uint32_t hits(std::uint32_t bank) const { return banks_[bank].hits; }

  /// What the oldest entry of the bank that can act at t does.
  Candidate candidate(std::uint32_t bank, Tick t) const;

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
  struct Bank {
    std::uint32_t row = kClosed;
    std::uint32_t hits = 0;                    ///< column commands since its ACT
    std::uint32_t head = kNone, tail = kNone;  ///< entries, oldest first
    std::uint32_t hit_read = kNone;            ///< the oldest RD to the open row
    std::uint32_t hit_write = kNone;           ///< the oldest WR to it that may go
    std::uint8_t asks = 0;                     ///< as told to the lanes
    std::uint32_t reads = 0, writes = 0;       ///< entries
    std::uint32_t to_row = 0;                  ///< entries to the open row
  };

  void look_for_hits(Bank& bank);
  /// Tell the lanes what the bank's entries ask for.
  void publish(std::uint32_t index);
  void tell(std::uint32_t index, std::uint32_t asks) {
    if (banks_[index].asks == asks) return;
    banks_[index].asks = static_cast<std::uint8_t>(asks);
    times_.lanes().ask(index, asks);
  }
  bool waits_for_read(const Bank& bank, std::uint32_t write) const;

  BankTimes& times_;
  Transactions& transactions_;
  const bool close_page_;
  const std::uint32_t capacity_;
  std::uint32_t banks_of_queue_;
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

}  // namespace diffram::ctrl::compat
