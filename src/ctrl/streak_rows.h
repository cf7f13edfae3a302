#pragma once
// The rows of a streak (frfcfs_streak.cpp) where row commands have a bus of their own: bursts that
// want another row than their bank's may come in while hits leave, and their row opens meanwhile. A
// bank can be on the way from one row to one other; what would not fit ends the streak before it.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "ctrl/burst_queue.h"

namespace diffram::ctrl {

class StreakRows {
 public:
  explicit StreakRows(std::uint32_t banks)
      : banks_(banks), youngest_row_(banks), youngest_(banks), is_waiting_(banks) {}

  /// A streak begins at `cycle` with these rows, kNone = closed, and no burst.
  void begin(const std::vector<std::uint32_t>& open_rows, std::int64_t cycle);

  /// Where a burst is in the order of age, and where the oldest of all is.
  struct Position {
    std::uint32_t own = 0, front = 0;
  };
  /// Is a burst to the row to which the youngest of its bank goes, or to the open one if there is
  /// none? Then it is queued.
  bool enter(std::uint32_t bank, std::uint32_t row, std::uint32_t position) {
    if (row != youngest_row_[bank]) return false;
    youngest_[bank] = position;
    return true;
  }
  /// A burst to another row is to be queued. It cannot if one of its bank waits for a row already;
  /// a bank without hits wants a row command from now on.
  enum class Wait : std::uint8_t { impossible, for_hits, for_row };
  Wait wait(std::uint32_t bank, std::uint32_t row, Position position, std::int64_t visible);
  /// The burst of the bank at one position is at another one now. `settle_moves` follows.
  void move(std::uint32_t bank, std::uint32_t from, std::uint32_t to) {
    if (youngest_[bank] == from) youngest_[bank] = to;
    if (!is_waiting(bank)) return;
    if (banks_[bank].last_hit == from) banks_[bank].last_hit = to;
    if (banks_[bank].oldest == from) banks_[bank].oldest = to;
  }
  void settle_moves() { find_turn(); }
  bool is_waiting(std::uint32_t bank) const { return is_waiting_[bank] != 0; }
  /// The first position at which the hits of a waiting bank end, or a burst waits for its row.
  std::uint32_t next_turn() const { return next_turn_; }
  /// Is the burst at this position, the oldest one, the last hit of its bank that waits?
  bool ends_hits(std::uint32_t bank, std::uint32_t position) const {
    return is_waiting(bank) && banks_[bank].last_hit == position;
  }
  /// … does it wait for its row?
  bool awaits_row(std::uint32_t bank, std::uint32_t position) const {
    return is_waiting(bank) && banks_[bank].oldest == position;
  }

  /// Its row command is legal from `legal` on.
  void want(std::uint32_t bank, std::int64_t legal) {
    std::erase(leaving_, bank);
    wanting_.push_back(bank);
    find_turn();
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
  /// What counts of a bank that waits.
  struct Bank {
    std::uint32_t last_hit = 0;  ///< position of the last burst before
    std::uint32_t oldest = 0;    ///< … of the first burst to the row that is to come
    std::int64_t visible = 0;    ///< … its cycle
    std::int64_t cycle = 0;      ///< of its row command, if no other takes it
  };

  static bool is_before(std::uint32_t position, std::uint32_t other) {
    return static_cast<std::int32_t>(position - other) < 0;
  }
  void set_legal(std::uint32_t bank, std::int64_t legal) {
    banks_[bank].cycle = std::max({legal, banks_[bank].visible, free_from_});
  }
  // The first; of one cycle that of the oldest burst.
  void offer(std::uint32_t bank) {
    const Bank& own = banks_[bank];
    const auto is_older = [&] { return is_before(own.oldest, banks_[next_bank_].oldest); };
    if (own.cycle > next_cycle_ || (own.cycle == next_cycle_ && !is_older())) return;
    next_cycle_ = own.cycle;
    next_bank_ = bank;
  }
  void open(std::uint32_t bank) {
    is_waiting_[bank] = 0;
    std::erase(wanting_, bank);
    find_turn();
  }
  void find_turn() {
    next_turn_ = kNone;
    for (const std::uint32_t bank : leaving_) offer_turn(banks_[bank].last_hit);
    for (const std::uint32_t bank : wanting_) offer_turn(banks_[bank].oldest);
  }
  void offer_turn(std::uint32_t position) {
    if (next_turn_ == kNone || is_before(position, next_turn_)) next_turn_ = position;
  }

  // By bank.
  std::vector<Bank> banks_;
  std::vector<std::uint32_t> youngest_row_;  ///< of the youngest burst, else the open one
  std::vector<std::uint32_t> youngest_;      ///< its position
  std::vector<std::uint8_t> is_waiting_;
  // Banks that wait: with hits left, and for their row command.
  std::vector<std::uint32_t> leaving_, wanting_;
  std::uint32_t next_turn_ = kNone;
  std::int64_t next_cycle_ = kNever;
  std::uint32_t next_bank_ = 0;
  std::int64_t free_from_ = 0;  ///< the bus of the row commands
  bool changed_ = false;
};

inline StreakRows::Wait StreakRows::wait(std::uint32_t bank, std::uint32_t row, Position position,
                                         std::int64_t visible) {
  if (is_waiting(bank)) return Wait::impossible;
  Bank& own = banks_[bank];
  is_waiting_[bank] = 1;
  youngest_row_[bank] = row;
  own.oldest = position.own;
  own.visible = visible;
  own.last_hit = std::exchange(youngest_[bank], position.own);
  if (is_before(own.last_hit, position.front)) return Wait::for_row;
  leaving_.push_back(bank);
  offer_turn(own.last_hit);
  return Wait::for_hits;
}

inline void StreakRows::begin(const std::vector<std::uint32_t>& open_rows, std::int64_t cycle) {
  std::ranges::copy(open_rows, youngest_row_.begin());
  std::ranges::fill(youngest_, ~std::uint32_t{0});  // before the first position
  std::ranges::fill(is_waiting_, std::uint8_t{0});
  leaving_.clear();
  wanting_.clear();
  next_turn_ = kNone;
  next_cycle_ = kNever;
  free_from_ = cycle;
  changed_ = false;
}

}  // namespace diffram::ctrl
