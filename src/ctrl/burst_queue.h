#pragma once
// The queued bursts of one direction: one list per bank in order of age, and beside it, as flat
// arrays, what the scheduler's scan reads of each bank: the oldest burst and the oldest burst to
// the open row. Masks say which banks have one.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ctrl/front_end.h"
#include "dram/lane_paths.h"

namespace diffram::ctrl {

inline constexpr std::int64_t kNever = INT64_MAX / 2;  ///< later than any cycle of a run

enum class RowOutcome : std::uint8_t { hit, miss, conflict };

/// One cache line.
struct QueuedBurst {
  NextBurst of;  ///< as it came from the front end
  std::int64_t acceptance = 0;
  std::uint32_t age = 0;                         ///< smaller = older, modulo 2^32
  std::uint32_t next = kNone, previous = kNone;  ///< in the bank, by age
  std::uint32_t newer = kNone, older = kNone;    ///< in the queue, by age
  std::uint16_t filter = 0;
  RowOutcome outcome = RowOutcome::hit;

  std::uint32_t bank() const { return of.fields.bank(); }
  std::uint32_t row() const { return of.fields.row(); }
};
static_assert(sizeof(QueuedBurst) == 64);

inline constexpr std::uint32_t kMostBanks = 4096;  ///< of a channel: Fields has 12 bits for them

/// A set of banks.
class BankMask {
 public:
  void add(std::uint32_t bank) { words_[bank >> 6] |= std::uint64_t{1} << (bank & 63); }
  void remove(std::uint32_t bank) { words_[bank >> 6] &= ~(std::uint64_t{1} << (bank & 63)); }
  bool has(std::uint32_t bank) const { return (words_[bank >> 6] >> (bank & 63) & 1) != 0; }
  std::uint64_t word(std::size_t index) const { return words_[index]; }
  /// Of that many banks.
  void clear(std::size_t banks) { std::fill_n(words_.begin(), (banks + 63) / 64, 0); }

 private:
  std::array<std::uint64_t, kMostBanks / 64> words_{};  // in place: nearly always the first counts
};

class BurstQueue {
 public:
  BurstQueue(std::uint32_t banks, std::uint32_t capacity, std::uint32_t dispatch);

  std::uint32_t size() const { return size_; }
  bool full() const { return size_ == capacity_; }
  std::uint32_t room() const { return capacity_ - size_; }
  std::uint32_t oldest() const { return oldest_; }
  const QueuedBurst& operator[](std::uint32_t slot) const { return slots_[slot]; }
  QueuedBurst& operator[](std::uint32_t slot) { return slots_[slot]; }

  /// A queued burst of the same address? Nearly always the count of its row answers.
  bool holds(Fields fields) const { return filter_[filter_index(fields)] != 0 && search(fields); }
  /// Is a burst of the run with this ticket queued?
  bool is_part_queued(std::uint64_t ticket) const;
  /// Enter as the youngest; `open_row` is the bank's, kNone when it is closed. Gives its slot.
  std::uint32_t append(const NextBurst& of, std::int64_t acceptance, std::uint32_t age,
                       std::uint32_t open_row);
  /// Take the bank's oldest hit out; the next one takes its place.
  void take_hit(std::uint32_t bank);
  /// Is the bank's oldest hit the only burst to its row?
  bool last_to_row(std::uint32_t bank) const {
    const QueuedBurst& burst = slots_[banks_[bank].hit];
    return find_row(burst.next, burst.of.fields) == kNone;
  }
  /// The row of the bank's oldest burst opens.
  void open_row_of_head(std::uint32_t bank) { set_hit(bank, banks_[bank].head); }
  /// The row of a burst of the other queue opens.
  void open_row_of(const QueuedBurst& burst) {
    if (filter_[burst.filter] != 0) find_hit(burst.of.fields);
  }
  void open_row_of(Fields fields) {
    if (filter_[filter_index(fields)] != 0) find_hit(fields);
  }
  void close_row(std::uint32_t bank) {
    if (banks_[bank].hit == kNone) return;
    banks_[bank].hit = kNone;
    has_hit_.remove(bank);
    head_hits_.remove(bank);
  }

  /// Take all out.
  void clear();

  std::uint32_t head(std::uint32_t bank) const { return banks_[bank].head; }
  std::uint32_t hit(std::uint32_t bank) const { return banks_[bank].hit; }
  const BankMask& nonempty() const { return nonempty_; }
  const BankMask& has_hit() const { return has_hit_; }
  const BankMask& head_hits() const { return head_hits_; }  ///< the oldest is a hit
  // By bank; valid where the masks say so.
  /// From the base; kNoLane for banks without a burst.
  const std::int16_t* head_visible() const { return head_visible_.data(); }
  std::uint32_t head_age(std::uint32_t bank) const { return banks_[bank].head_age; }

  std::int64_t visible(std::uint32_t slot) const { return slots_[slot].acceptance + dispatch_; }
  /// `head_visible` counts from here (dram::Device::base).
  std::int64_t base() const { return base_; }
  void set_base(std::int64_t base);

 private:
  struct Bank {
    std::uint32_t head = kNone, tail = kNone;  ///< oldest and youngest
    std::uint32_t hit = kNone;                 ///< oldest to the open row
    std::uint32_t head_age = 0;
  };
  // Queued bursts are counted by a hash of bank and row: 64 in 1,024 counters, 6 % false alarms.
  static constexpr int kFilterBits = 10;
  static std::uint16_t filter_index(Fields fields) {
    // Fibonacci hashing: the top bits of a product with 2^64 / golden ratio.
    return static_cast<std::uint16_t>((fields.bank_and_row() * 0x9E3779B97F4A7C15u) >>
                                      (64 - kFilterBits));
  }
  bool search(Fields fields) const;
  /// The first of the list from `slot` on that goes to the row of `fields`.
  std::uint32_t find_row(std::uint32_t slot, Fields fields) const {
    while (slot != kNone && slots_[slot].row() != fields.row()) slot = slots_[slot].next;
    return slot;
  }
  std::int16_t near_visible(std::uint32_t slot) const {
    return static_cast<std::int16_t>(std::max<std::int64_t>(visible(slot) - base_, INT16_MIN));
  }
  void set_head(std::uint32_t bank, std::uint32_t slot);
  void set_hit(std::uint32_t bank, std::uint32_t slot);
  /// The oldest burst to the row, which is open now, is a hit.
  void find_hit(Fields fields) {
    const std::uint32_t bank = fields.bank();
    if (const std::uint32_t slot = find_row(banks_[bank].head, fields); slot != kNone) {
      set_hit(bank, slot);
    }
  }

  std::uint32_t capacity_, dispatch_, size_ = 0;
  std::uint32_t free_ = kNone;  ///< list of free slots, by `next`
  std::uint32_t oldest_ = kNone, newest_ = kNone;
  std::vector<QueuedBurst> slots_;
  std::array<std::uint16_t, std::size_t{1} << kFilterBits> filter_{};
  std::vector<Bank> banks_;
  std::int64_t base_ = 0;
  dram::LaneArray head_visible_;
  BankMask nonempty_, has_hit_, head_hits_;
};

inline void BurstQueue::set_head(std::uint32_t bank, std::uint32_t slot) {
  banks_[bank].head = slot;
  banks_[bank].head_age = slots_[slot].age;
  head_visible_[bank] = near_visible(slot);
}

inline void BurstQueue::set_hit(std::uint32_t bank, std::uint32_t slot) {
  banks_[bank].hit = slot;
  has_hit_.add(bank);
  if (slot == banks_[bank].head) head_hits_.add(bank);
}

inline std::uint32_t BurstQueue::append(const NextBurst& of, std::int64_t acceptance,
                                        std::uint32_t age, std::uint32_t open_row) {
  const std::uint32_t slot = free_;
  QueuedBurst& burst = slots_[slot];
  free_ = burst.next;
  ++size_;
  burst.of = of;
  burst.acceptance = acceptance;
  burst.age = age;
  burst.outcome = RowOutcome::hit;
  burst.filter = filter_index(of.fields);
  ++filter_[burst.filter];
  burst.newer = kNone;
  burst.older = newest_;
  (newest_ == kNone ? oldest_ : slots_[newest_].newer) = slot;
  newest_ = slot;
  burst.next = kNone;
  const std::uint32_t bank = of.fields.bank();
  Bank& own = banks_[bank];
  burst.previous = own.tail;
  if (own.head == kNone) {
    set_head(bank, slot);
    nonempty_.add(bank);
  } else {
    slots_[own.tail].next = slot;
  }
  own.tail = slot;
  if (of.fields.row() == open_row && own.hit == kNone) set_hit(bank, slot);
  return slot;
}

[[gnu::always_inline]] inline void BurstQueue::take_hit(std::uint32_t bank) {
  Bank& own = banks_[bank];
  const std::uint32_t slot = own.hit;
  QueuedBurst& burst = slots_[slot];
  (burst.older == kNone ? oldest_ : slots_[burst.older].newer) = burst.newer;
  (burst.newer == kNone ? newest_ : slots_[burst.newer].older) = burst.older;
  const std::uint32_t next = burst.next;
  (next == kNone ? own.tail : slots_[next].previous) = burst.previous;
  const bool may_hit = --filter_[burst.filter] != 0;
  own.hit = may_hit ? find_row(next, burst.of.fields) : kNone;
  if (burst.previous != kNone) {
    slots_[burst.previous].next = next;
    if (own.hit == kNone) has_hit_.remove(bank);
  } else if (next == kNone) {
    own.head = kNone;
    head_visible_[bank] = dram::kNoLane;
    nonempty_.remove(bank);
    has_hit_.remove(bank);
    head_hits_.remove(bank);
  } else {
    set_head(bank, next);
    if (own.hit != next) {
      head_hits_.remove(bank);
      if (own.hit == kNone) has_hit_.remove(bank);
    }
  }
  --size_;
  burst.next = free_;
  free_ = slot;
}

}  // namespace diffram::ctrl
