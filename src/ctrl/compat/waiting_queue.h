#pragma once
// One of DRAMsim3's transaction queues: read queue, write buffer or the unified one. The oldest
// that can move is the least order among the heads of the command queues with room, so the
// transactions are kept by the command queue they wait for.

#include <algorithm>
#include <vector>

#include "ctrl/compat/bit_mask.h"
#include "ctrl/compat/transactions.h"

namespace diffram::ctrl::compat {

class WaitingQueue {
 public:
  explicit WaitingQueue(std::uint32_t command_queues)
      : waiting_(command_queues), lists_(command_queues) {}

  std::uint32_t size() const { return size_; }

  void append(Transactions& transactions, std::uint32_t id, std::uint32_t queue) {
    Transaction& t = transactions[id];
    t.order = next_order_++;
    t.next = kNone;
    List& list = lists_[queue];
    if (list.head == kNone) {
      list.head = id;
      list.head_order = t.order;
      waiting_.add(queue);
    } else {
      transactions[list.tail].next = id;
    }
    list.tail = id;
    ++size_;
  }

  bool any_can_move(const BitMask& full) const {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < waiting_.words(); ++i) any |= waiting_.word(i) & ~full.word(i);
    return any != 0;
  }

  /// The command queue of the oldest transaction that can move, kNone if none can.
  std::uint32_t oldest_movable(const BitMask& full) const {
    std::uint32_t oldest = kNone;
    std::uint64_t order = ~std::uint64_t{0};
    for (std::size_t i = 0; i < waiting_.words(); ++i) {
      for (std::uint64_t word = waiting_.word(i) & ~full.word(i); word != 0;) {
        const std::uint32_t queue = static_cast<std::uint32_t>(i * 64) + take_lowest(word);
        const std::uint64_t of_head = lists_[queue].head_order;
        oldest = of_head < order ? queue : oldest;
        order = std::min(order, of_head);
      }
    }
    return oldest;
  }

  std::uint32_t head(std::uint32_t queue) const { return lists_[queue].head; }

  void take_head(const Transactions& transactions, std::uint32_t queue) {
    List& list = lists_[queue];
    list.head = transactions[list.head].next;
    if (list.head == kNone) {
      waiting_.remove(queue);
    } else {
      list.head_order = transactions[list.head].order;
    }
    --size_;
  }

 private:
  struct List {
    std::uint64_t head_order = 0;
    std::uint32_t head = kNone, tail = kNone;
  };

  BitMask waiting_;  ///< command queues that somebody waits for
  std::vector<List> lists_;
  std::uint32_t size_ = 0;
  std::uint64_t next_order_ = 0;
};

}  // namespace diffram::ctrl::compat
