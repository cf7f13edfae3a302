#pragma once
// What a streak (frfcfs_streak.cpp) keeps by itself while the queue, the device and the counters
// wait: its bursts in order of age, the next bursts of the front end, and what has been issued
// since the counters were told. It also decides when a streak is worth a try: after some column
// commands in a row, and after a short one only later.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ctrl/burst_queue.h"
#include "ctrl/streak_rows.h"
#include "dram/device.h"

namespace diffram::ctrl {

/// How long a column command holds back the next one of its kind.
struct Cadence {
  std::int64_t group = 0, stack = 0;  ///< in the same one
  std::int64_t other_stacks = 0;      ///< of the same rank
  std::int64_t other_ranks = 0;
  std::int64_t least = 0;  ///< of those that the shape knows
  bool plain = true;       ///< these are all
};
Cadence cadence_of(const dram::Device& device, spec::Command column);

class Streak {
 public:
  /// A queued burst.
  struct Burst {
    NextBurst of;
    std::int64_t acceptance = 0;
    RowOutcome outcome = RowOutcome::hit;
  };
  /// The next bursts of the first run of a list.
  struct LookAhead {
    static constexpr std::uint32_t kMost = 32;
    NextBurst of;  ///< what they share, by the first
    std::uint32_t count = 0, used = 0;
    bool last = false;  ///< the run ends with them
    AddressWalk::Cursor after;
    std::array<Fields, kMost> bursts;

    void clear() {
      count = used = 0;
      last = false;
    }
    /// The next one, which is used when it has entered.
    const NextBurst& next() {
      of.fields = bursts[used];
      return of;
    }
  };
  /// Column commands since the counters were told: of one origin, one after the other.
  struct Share {
    std::uint32_t origin = 0, bursts = 0, misses = 0, conflicts = 0;
    std::int64_t arrival = 0;          ///< of its first run
    std::int64_t first = 0, last = 0;  ///< cycles of its commands
    std::int64_t latency = 0;          ///< of the last `same_latency` bursts
    std::int64_t same_latency = 0, latency_cycles = 0;
  };
  struct BankUse {
    std::int64_t last = 0;
    std::uint32_t columns = 0;  ///< of the share at hand
    std::uint32_t origin = 0;   ///< of the last one told
    bool touched = false;       ///< the device is not told
  };
  struct RankUse {
    std::int64_t arrival = 0;  ///< of the first run of the share at hand
    std::int64_t last = -1;
  };

  /// `rows_change`: rows open and close meanwhile.
  Streak(bool on, bool rows_change, const dram::Device& device, std::uint32_t longest_queue);

  /// Column commands in a row after which a try is worth it.
  std::uint32_t wanted() const { return wanted_; }
  void tried(std::uint32_t issued) {
    wanted_ = issued >= kWorthIt ? first_wanted_ : std::min(2 * wanted_, kMostWanted);
  }
  const Cadence& cadence(bool read) const { return read ? read_ : write_; }

  // First in, first out.
  std::uint32_t size() const { return tail_ - head_; }
  const Burst& front() const { return bursts_[head_ & mask_]; }
  const Burst& operator[](std::uint32_t index) const { return bursts_[(head_ + index) & mask_]; }
  // By position, counted since the streak began: that of the oldest, and of the next one to come.
  std::uint32_t begin() const { return head_; }
  std::uint32_t end() const { return tail_; }
  StreakRows::Position next_position() const { return {tail_, head_}; }
  /// Cycles; as many bursts at most, so that positions stay comparable.
  static constexpr std::int64_t kLongest = std::int64_t{1} << 30;
  Burst& at(std::uint32_t position) { return bursts_[position & mask_]; }
  const Burst& at(std::uint32_t position) const { return bursts_[position & mask_]; }
  void push(const NextBurst& of, std::int64_t acceptance, RowOutcome outcome = RowOutcome::hit) {
    Burst& burst = bursts_[tail_++ & mask_];
    burst.of = of;
    burst.acceptance = acceptance;
    burst.outcome = outcome;
  }
  void pop() { ++head_; }
  void clear() { head_ = tail_ = 0; }

  /// A bank is open whose column command is legal from `legal` on and not wanted before `wanted`.
  void ready(std::int64_t legal, std::int64_t wanted) {
    first_ready = std::min(first_ready, legal);
    if (legal > wanted) all_ready = std::max(all_ready, legal);
  }

  std::int64_t horizon = 0;                  ///< the streak ends before
  std::int64_t event = 0;                    ///< until then bursts leave one after the other
  std::int64_t beyond = 0;                   ///< the horizon but for ranks that might power down
  const std::uint32_t* open_rows = nullptr;  ///< by bank, of ranks awake
  bool passed = false;                       ///< a burst has left before an older one
  bool refills = false;       ///< each burst that leaves makes room for the next of the front end
  std::uint32_t entered = 0;  ///< bursts since the streak began
  LookAhead ahead;
  Share share;
  std::vector<BankUse> banks;
  std::vector<std::uint32_t> share_banks, touched_banks;
  std::vector<RankUse> ranks;
  // Legal times of the column command from those of the streak.
  std::vector<std::int64_t> group_next, stack_next;
  // The least and the greatest legal time of an open bank, as the device knows them; for the
  // greatest only those count that a burst might have to wait for.
  std::int64_t first_ready = 0, all_ready = 0;
  // The stack of the last command, of which `stack_next` does not know yet; kNone if it does.
  std::uint32_t at_stack = kNone;
  std::int64_t at_arrival = 0;        ///< of the first of these commands
  std::uint32_t ready_stack = kNone;  ///< at_stack, if its next command need not look at it
  static constexpr std::uint32_t kNoRun = kNone - 1;
  std::uint32_t at_run = kNoRun;  ///< the one at hand, of several bursts; its share is open
  StreakRows rows;

 private:
  static constexpr std::uint32_t kWorthIt = 16;  ///< bursts that pay for the way in and out
  static constexpr std::uint32_t kMostWanted = 256, kNeverWanted = ~std::uint32_t{0};

  Cadence read_, write_;
  std::uint32_t first_wanted_, wanted_ = first_wanted_;
  std::uint32_t head_ = 0, tail_ = 0, mask_ = 0;
  std::vector<Burst> bursts_;
};

}  // namespace diffram::ctrl
