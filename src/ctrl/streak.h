#pragma once
// What a streak holds (frfcfs_streak.cpp): its bursts in order of age, apart from the queue, and
// the last command of each bank, of which the device is told at the end. It also decides when a
// streak is worth a try: after some column commands in a row, and after a short one only later.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ctrl/burst_queue.h"
#include "dram/device.h"

namespace diffram::ctrl {

class Streak {
 public:
  /// A queued burst; arrival and origin are those of its run.
  struct Burst {
    Fields fields;
    std::int64_t acceptance = 0;
    std::uint32_t run = 0;
    RowOutcome outcome = RowOutcome::hit;
  };
  struct LastCommand {
    std::int64_t cycle = -1;
    std::uint32_t bank = 0, origin = 0;
  };

  Streak(bool on, const dram::Device& device, std::uint32_t longest_queue)
      : on_(on), last_(device.banks()) {
    std::uint32_t slots = 1;
    while (slots < longest_queue) slots *= 2;
    bursts_.resize(slots);
    mask_ = slots - 1;
  }

  bool worth_a_try() const { return columns_ >= wanted_; }
  /// A command outside of streaks.
  void saw(bool column) { columns_ = column && on_ ? columns_ + 1 : 0; }
  void not_now() { columns_ = 0; }
  void tried(std::uint32_t issued) {
    columns_ = 0;
    wanted_ = issued >= kWorthIt ? kFirstWanted : std::min(2 * wanted_, kMostWanted);
  }

  // First in, first out.
  std::uint32_t size() const { return tail_ - head_; }
  const Burst& front() const { return bursts_[head_ & mask_]; }
  const Burst& operator[](std::uint32_t index) const { return bursts_[(head_ + index) & mask_]; }
  void push(const Burst& burst) { bursts_[tail_++ & mask_] = burst; }
  void pop() { ++head_; }
  void clear() { head_ = tail_ = 0; }

  void issued(std::uint32_t bank, std::int64_t cycle, std::uint32_t origin) {
    LastCommand& last = last_[bank];
    if (last.cycle < 0) banks_.push_back(bank);
    last = {cycle, bank, origin};
  }
  /// The last command of each bank in order of time; each is handed over once.
  template <class Visitor>
  void take_last_commands(Visitor&& visit) {
    std::ranges::sort(banks_, {}, [this](std::uint32_t bank) { return last_[bank].cycle; });
    for (const std::uint32_t bank : banks_) {
      visit(last_[bank]);
      last_[bank].cycle = -1;
    }
    banks_.clear();
  }

  // Next-legal times of the column command by bank group and by rank, while the device waits.
  std::vector<std::int64_t> group_next, rank_next;

 private:
  static constexpr std::uint32_t kWorthIt = 16;  ///< bursts that pay for the way in and out
  static constexpr std::uint32_t kFirstWanted = 4, kMostWanted = 256;

  bool on_;
  std::uint32_t columns_ = 0;  ///< column commands since another command or a try
  std::uint32_t wanted_ = kFirstWanted;
  std::uint32_t head_ = 0, tail_ = 0, mask_ = 0;
  std::vector<Burst> bursts_;
  std::vector<LastCommand> last_;  ///< by bank
  std::vector<std::uint32_t> banks_;
};

}  // namespace diffram::ctrl
