#pragma once
// The runs on their way into the queues: two lists in order of submission, and the runs whose data
// are not complete.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/request.h"
#include "ctrl/address_walk.h"
#include "ctrl/channel.h"

namespace diffram::ctrl {

/// First in, first out, in a ring that doubles when it is full.
template <class T>
class RingBuffer {
 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  T& front() { return slots_[head_ & mask_]; }
  const T& front() const { return slots_[head_ & mask_]; }
  /// `index` counts all pushes since the beginning.
  T& at(std::size_t index) { return slots_[index & mask_]; }
  std::size_t first_index() const { return head_; }
  std::size_t end_index() const { return tail_; }
  void pop() { ++head_; }
  void push(const T& value) {
    if (size() == slots_.size()) grow();
    slots_[tail_++ & mask_] = value;
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

struct Run {
  AddressWalk::Cursor cursor;  ///< the burst that enters next
  std::int64_t arrival = 0;
  std::int64_t end = 0;        ///< of its last known data
  std::uint64_t sequence = 0;  ///< order of submission
  std::uint32_t origin = 0;    ///< index into the counters
  std::uint32_t in_queue = 0;  ///< bursts
  bool entered = false;        ///< no burst is left to enter
};

class FrontEnd {
 public:
  /// A place for the run that is submitted next; its cursor is to be filled in.
  Run& vacant() {
    if (free_.empty()) [[unlikely]]
      add_place();
    return runs_[free_.back()];
  }
  /// The run's first burst is in the cursor of vacant().
  void submit(std::int64_t arrival, std::uint32_t origin, base::Direction direction,
              std::uint64_t ticket) {
    const std::uint32_t index = free_.back();
    free_.pop_back();
    Run& run = runs_[index];
    run.arrival = arrival;
    run.end = 0;
    run.sequence = outstanding_.end_index();
    run.origin = origin;
    run.in_queue = 0;
    run.entered = false;
    last_arrival_ = arrival;
    outstanding_.push({ticket, false});
    list(direction).push(index);
  }

  RingBuffer<std::uint32_t>& list(base::Direction d) { return lists_[static_cast<std::size_t>(d)]; }
  const RingBuffer<std::uint32_t>& list(base::Direction d) const {
    return lists_[static_cast<std::size_t>(d)];
  }
  Run& run(std::uint32_t index) { return runs_[index]; }
  const Run& run(std::uint32_t index) const { return runs_[index]; }
  bool empty() const { return lists_[0].empty() && lists_[1].empty(); }
  /// Arrivals never go back: nothing arrives after it.
  std::int64_t last_arrival() const { return last_arrival_; }

  /// All data of the run are known; it completes at `run.end`. Gives its ticket.
  std::uint64_t finish(std::uint32_t index);
  bool is_outstanding(std::uint64_t ticket);

  /// Completions ordered by cycle, whose cycle has come when `release` hands them over.
  void complete(Completion completion);
  void release(std::int64_t now, std::vector<Completion>& done);
  /// The cycle of a completion that is known and not released; -1 if there is none.
  std::int64_t known_completion(std::uint64_t ticket) const;

 private:
  void add_place();

  struct Ticket {
    std::uint64_t ticket = 0;
    bool finished = false;
  };
  RingBuffer<std::uint32_t> lists_[2];
  std::vector<Run> runs_;
  std::vector<std::uint32_t> free_;
  RingBuffer<Ticket> outstanding_;  ///< in order of submission
  std::vector<Completion> known_;   ///< from `known_first_` on
  std::size_t known_first_ = 0;
  std::int64_t last_arrival_ = 0;
};

inline std::uint64_t FrontEnd::finish(std::uint32_t index) {
  Ticket& entry = outstanding_.at(runs_[index].sequence);
  entry.finished = true;
  const std::uint64_t ticket = entry.ticket;
  while (!outstanding_.empty() && outstanding_.front().finished) outstanding_.pop();
  free_.push_back(index);
  return ticket;
}

inline void FrontEnd::complete(Completion completion) {
  known_.push_back(completion);
  for (std::size_t i = known_.size() - 1;
       i > known_first_ && known_[i - 1].cycle > completion.cycle; --i) {
    std::swap(known_[i - 1], known_[i]);
  }
}

}  // namespace diffram::ctrl
