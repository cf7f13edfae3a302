#pragma once
// The runs on their way into the queues: two lists in order of submission. A run of one burst (of
// this channel: all of it, or its part of a run over many channels) lies in its list as it will lie
// in the queue; a longer one has a place of its own until its data are complete.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/request.h"
#include "ctrl/address_walk.h"
#include "ctrl/channel.h"

namespace diffram::ctrl {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;  ///< no slot, no row, no run

/// First in, first out, in a ring that doubles when it is full.
template <class T>
class RingBuffer {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  T& front() { return slots_[head_ & mask_]; }
  const T& front() const { return slots_[head_ & mask_]; }
  /// The n-th from the front.
  const T& operator[](std::size_t n) const { return slots_[(head_ + n) & mask_]; }
  void pop() { ++head_; }
  /// Add one at the end, to be filled in.
  T& extend() {
    if (size() > mask_) [[unlikely]]
      grow();
    return slots_[tail_++ & mask_];
  }

 private:
  [[gnu::noinline]] void grow() {
    std::vector<T> larger(slots_.size() * 2);
    for (std::size_t i = head_; i != tail_; ++i)
      larger[i & (larger.size() - 1)] = slots_[i & mask_];
    slots_.swap(larger);
    mask_ = slots_.size() - 1;
  }

  std::vector<T> slots_ = std::vector<T>(16);
  std::size_t head_ = 0, tail_ = 0, mask_ = 15;
};

/// The burst of a run that enters next, and what it needs in the queue.
struct NextBurst {
  Fields fields;
  std::int64_t arrival = 0;
  std::uint64_t ticket = 0;
  std::uint32_t origin = 0;   ///< index into the counters
  std::uint32_t run = kNone;  ///< index of a run of several bursts
};

/// A run of several bursts.
struct Run {
  AddressWalk::Cursor cursor;  ///< the burst that enters next
  std::int64_t end = 0;        ///< of its last known data
  std::uint32_t in_queue = 0;  ///< bursts
  std::uint32_t next = kNone;  ///< of those that are vacant
  bool entered = false;        ///< no burst is left to enter
};
static_assert(sizeof(Run) == 64);

/// The burst that enters is queued; its data are not known.
inline constexpr std::int64_t kInQueue = -1;

class FrontEnd {
 public:
  struct Listed {
    NextBurst next;
    std::uint64_t sequence = 0;  ///< order of submission
  };
  using List = RingBuffer<Listed>;

  struct Entered {
    bool complete = false;  ///< the run has no burst left, here or in a queue
    std::int64_t end = 0;   ///< of its last data, when it is complete
  };

  /// A run, of which `next` says all but fields and place; false if it has no burst here.
  bool submit(const AddressWalk& walk, const base::Request& request, NextBurst next) {
    const AddressWalk::Span span = walk.span_of(request.address, request.bytes);
    if (span.first == span.last) {
      if (!walk.find(span.first, next.fields)) return false;
    } else if (walk.is_one_at_most(span)) {
      if (!walk.find_one(span, next.fields)) return false;
    } else {
      Run& run = vacant_run();
      if (!walk.start(span, run.cursor)) return false;
      next.fields = run.cursor.fields;
      next.run = take_vacant();
    }
    append(request.direction) = next;
    last_arrival_ = next.arrival;
    return true;
  }
  /// … from `first` on.
  void submit_from(const AddressWalk::Cursor& first, const AddressWalk& walk,
                   base::Direction direction, std::int64_t arrival, std::uint64_t ticket,
                   std::uint32_t origin) {
    NextBurst& next = append(direction);
    next.fields = first.fields;
    next.arrival = last_arrival_ = arrival;
    next.ticket = ticket;
    next.origin = origin;
    next.run = kNone;
    if (walk.is_in_last_superblock(first)) return;
    vacant_run().cursor = first;
    next.run = take_vacant();
  }
  /// The burst at the head of the list has entered: queued, or answered at `end`. The next one of
  /// the run takes its place.
  Entered entered(const AddressWalk& walk, base::Direction direction, std::int64_t end) {
    NextBurst& next = list(direction).front().next;
    if (next.run == kNone) {
      list(direction).pop();
      return {end != kInQueue, end};
    }
    return entered_of_several(walk, direction, end);
  }

  List& list(base::Direction d) { return lists_[static_cast<std::size_t>(d)]; }
  const List& list(base::Direction d) const { return lists_[static_cast<std::size_t>(d)]; }
  Run& run(std::uint32_t index) { return runs_[index]; }
  const Run& run(std::uint32_t index) const { return runs_[index]; }
  bool empty() const { return lists_[0].empty() && lists_[1].empty(); }
  /// Arrivals never go back: nothing arrives after it.
  std::int64_t last_arrival() const { return last_arrival_; }
  bool lists(std::uint64_t ticket) const;

  /// All data of a run of several bursts are known.
  void vacate(std::uint32_t index) { runs_[index].next = std::exchange(vacant_, index); }

  /// Completions ordered by cycle, whose cycle has come when `release` hands them over.
  [[gnu::always_inline]] void complete(Completion completion) {
    known_.push_back(completion);
    for (std::size_t i = known_.size() - 1;
         i > known_first_ && known_[i - 1].cycle > completion.cycle; --i) {
      std::swap(known_[i - 1], known_[i]);
    }
  }
  void release(std::int64_t now, std::vector<Completion>& done);
  /// The cycle of a completion that is known and not released; -1 if there is none.
  std::int64_t known_completion(std::uint64_t ticket) const;

 private:
  /// At the end of the list, to be filled in.
  NextBurst& append(base::Direction direction) {
    Listed& listed = list(direction).extend();
    listed.sequence = next_sequence_++;
    return listed.next;
  }
  /// The next place for a run of several bursts. Once its cursor is at the first one, take it.
  Run& vacant_run() {
    if (vacant_ == kNone) [[unlikely]]
      add_run();
    return runs_[vacant_];
  }
  std::uint32_t take_vacant() {
    Run& run = runs_[vacant_];
    run.end = 0;
    run.in_queue = 0;
    run.entered = false;
    return std::exchange(vacant_, run.next);
  }
  [[gnu::noinline]] void add_run();
  Entered entered_of_several(const AddressWalk& walk, base::Direction direction, std::int64_t end);

  List lists_[2];
  std::vector<Run> runs_;
  std::uint32_t vacant_ = kNone;   ///< the first place of `runs_` to be taken
  std::vector<Completion> known_;  ///< from `known_first_` on
  std::size_t known_first_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::int64_t last_arrival_ = 0;
};

}  // namespace diffram::ctrl
