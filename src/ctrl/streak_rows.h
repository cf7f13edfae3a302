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
  /// The rows that are open, by bank, kNone = closed.
  explicit StreakRows(const std::vector<std::uint32_t>& open_rows)
      : open_rows_(open_rows),
        banks_(open_rows.size()),
        stages_(open_rows.size()),
        last_(open_rows.size()) {}

  /// A streak begins at `cycle` without a burst.
  void begin(std::int64_t cycle);

  /// May a burst to this row come after all those that were asked about before?
  bool follow(std::uint32_t bank, std::uint32_t row) {
    if (stages_[bank] != Stage::steady) return row == banks_[bank].next_row;
    if (row == open_rows_[bank]) return true;
    stages_[bank] = Stage::changing;
    banks_[bank].next_row = row;
    return true;
  }
  /// Where a burst is in the order of age, and where the oldest of all is.
  struct Position {
    std::uint32_t own = 0, front = 0;
  };
  /// Is a burst that may follow, and is queued now, the first of its bank that waits for a row? Else
  /// it is queued as the youngest of its bank.
  bool is_first_to_wait(std::uint32_t bank, std::uint32_t row) const {
    return stages_[bank] == Stage::changing && row != open_rows_[bank];
  }
  void queue(std::uint32_t bank, Position position) { last_[bank] = position.own; }
  /// … it waits; true if its bank wants a row command from now on.
  bool begin_to_wait(std::uint32_t bank, Position position, std::int64_t visible);
  bool is_waiting(std::uint32_t bank) const { return stages_[bank] == Stage::waiting; }
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
  enum class Stage : std::uint8_t {
    steady,    ///< all its bursts are hits
    changing,  ///< a burst to another row will come
    waiting    ///< … waits
  };
  /// What counts of a bank that is not steady.
  struct Bank {
    std::uint32_t next_row = kNone;  ///< of its youngest burst
    std::uint32_t last_hit = 0;      ///< while it waits, position of the last burst before that
    std::uint32_t oldest = 0;        ///< … of the first burst to the next row
    std::int64_t visible = 0;        ///< … its cycle
    std::int64_t cycle = 0;          ///< of its row command, if no other takes it
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
    stages_[bank] = Stage::steady;
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

  const std::vector<std::uint32_t>& open_rows_;
  std::vector<Bank> banks_;
  std::vector<Stage> stages_;        ///< by bank
  std::vector<std::uint32_t> last_;  ///< by bank: position of its youngest burst
  // Banks that wait: with hits left, and for their row command.
  std::vector<std::uint32_t> leaving_, wanting_;
  std::uint32_t next_turn_ = kNone;
  std::int64_t next_cycle_ = kNever;
  std::uint32_t next_bank_ = 0;
  std::int64_t free_from_ = 0;  ///< the bus of the row commands
  bool changed_ = false;
};

inline bool StreakRows::begin_to_wait(std::uint32_t bank, Position position, std::int64_t visible) {
  Bank& own = banks_[bank];
  stages_[bank] = Stage::waiting;
  own.oldest = position.own;
  own.visible = visible;
  own.last_hit = std::exchange(last_[bank], position.own);
  if (is_before(own.last_hit, position.front)) return true;
  leaving_.push_back(bank);
  offer_turn(own.last_hit);
  return false;
}

inline void StreakRows::begin(std::int64_t cycle) {
  std::ranges::fill(stages_, Stage::steady);
  std::ranges::fill(last_, ~std::uint32_t{0});  // before the first position
  leaving_.clear();
  wanting_.clear();
  next_turn_ = kNone;
  next_cycle_ = kNever;
  free_from_ = cycle;
  changed_ = false;
}

}  // namespace diffram::ctrl
