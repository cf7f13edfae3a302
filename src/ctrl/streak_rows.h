#pragma once
// The rows of a streak (frfcfs_streak.cpp) where row commands have a bus of their own: bursts that
// want another row than their bank's may come in while hits leave, and their row opens meanwhile. A
// bank can be on the way from one row to one other; what would not fit ends the streak before it.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ctrl/burst_queue.h"

namespace diffram::ctrl {

class StreakRows {
 public:
  explicit StreakRows(std::uint32_t banks) : banks_(banks) {}

  /// A streak begins at `cycle` with these rows, kNone = closed, and no burst.
  void begin(const std::vector<std::uint32_t>& open_rows, std::int64_t cycle);

  /// May a burst to this row come after all those that were asked about before?
  bool follow(std::uint32_t bank, std::uint32_t row) {
    Bank& own = banks_[bank];
    if (row == own.last_row) return true;
    if (own.is_changing) return false;
    own.is_changing = true;
    own.last_row = row;
    return true;
  }
  /// A burst that may follow is queued as the `position`-th; true if its bank wants a row command
  /// from now on.
  bool enter(std::uint32_t bank, bool is_hit, std::uint32_t position, std::int64_t visible) {
    Bank& own = banks_[bank];
    if (is_hit) {
      ++own.hits;
      return false;
    }
    if (own.waiting++ != 0) return false;
    own.oldest = position;
    own.visible = visible;
    return own.hits == 0;
  }
  bool has_hit(std::uint32_t bank) const { return banks_[bank].hits != 0; }
  /// A hit leaves the queue; true if its bank wants a row command from now on.
  bool leave(std::uint32_t bank) {
    Bank& own = banks_[bank];
    return --own.hits == 0 && own.waiting != 0;
  }

  /// Its row command is legal from `legal` on.
  void want(std::uint32_t bank, std::int64_t legal) {
    wanting_.push_back(bank);
    set_legal(bank, legal);
    offer(bank);
  }
  /// The cycle of the next row command; kNever if none is wanted.
  std::int64_t next_cycle() const { return next_cycle_; }
  std::uint32_t next_bank() const { return next_bank_; }
  /// The position of the burst that the bank's row command is for.
  std::uint32_t oldest(std::uint32_t bank) const { return banks_[bank].oldest; }

  /// The next row command has issued: ACT (`opens`) or PRE. `legal(bank)` is since when each that
  /// is still wanted may come.
  template <class Legal>
  void issued(bool opens, Legal legal) {
    changed_ = true;
    free_from_ = next_cycle_ + 1;
    if (opens) open(next_bank_);
    next_cycle_ = kNever;
    for (const std::uint32_t bank : wanting_) {
      set_legal(bank, legal(bank));
      offer(bank);
    }
  }
  /// Has a row command issued since the streak began?
  bool changed() const { return changed_; }

 private:
  struct Bank {
    std::uint32_t last_row = kNone;  ///< of its youngest burst; without one the open row
    std::uint32_t hits = 0;          ///< queued bursts to the open row
    std::uint32_t waiting = 0;       ///< … to the row that is to come
    std::uint32_t oldest = 0;        ///< position of the first of those
    std::int64_t visible = 0;        ///< … its cycle
    std::int64_t cycle = 0;          ///< of its row command, if no other takes it
    bool is_changing = false;
  };

  void set_legal(std::uint32_t bank, std::int64_t legal) {
    banks_[bank].cycle = std::max({legal, banks_[bank].visible, free_from_});
  }
  // The first; of one cycle that of the oldest burst.
  void offer(std::uint32_t bank) {
    const Bank& own = banks_[bank];
    const auto is_older = [&] {
      return static_cast<std::int32_t>(own.oldest - banks_[next_bank_].oldest) < 0;
    };
    if (own.cycle > next_cycle_ || (own.cycle == next_cycle_ && !is_older())) return;
    next_cycle_ = own.cycle;
    next_bank_ = bank;
  }
  void open(std::uint32_t bank) {
    Bank& own = banks_[bank];
    own.hits = own.waiting;
    own.waiting = 0;
    own.is_changing = false;
    std::erase(wanting_, bank);
  }

  std::vector<Bank> banks_;
  std::vector<std::uint32_t> wanting_;  ///< banks
  std::int64_t next_cycle_ = kNever;
  std::uint32_t next_bank_ = 0;
  std::int64_t free_from_ = 0;  ///< the bus of the row commands
  bool changed_ = false;
};

inline void StreakRows::begin(const std::vector<std::uint32_t>& open_rows, std::int64_t cycle) {
  for (std::size_t bank = 0; bank < banks_.size(); ++bank) {
    banks_[bank] = {};
    banks_[bank].last_row = open_rows[bank];
  }
  wanting_.clear();
  next_cycle_ = kNever;
  free_from_ = cycle;
  changed_ = false;
}

}  // namespace diffram::ctrl
