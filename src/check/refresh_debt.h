#pragma once
// The refreshes that a rank owes (docs/controller.md, 1), and since when one of them held it
// (docs/bill.md).

#include <algorithm>
#include <cstdint>
#include <vector>

#include "check/command.h"
#include "spec/memory.h"

namespace diffram::check {

class RefreshDebt {
 public:
  explicit RefreshDebt(const spec::MemorySpec& memory)
      : postponed_(memory.controller.refresh_postpone),
        pulled_in_(memory.controller.refresh_pull_in) {
    interval_ = memory.timing("nREFI");
    const std::int64_t ranks = memory.organisation.ranks;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const bool staggered = memory.controller.refresh_stagger;
      ranks_.push_back({staggered ? interval_ * (rank + 1) / ranks : interval_});
    }
  }

  /// Since when the refresh that this PREA or REFab serves has held its rank: the due cycle by
  /// which the debt came to be more than may be postponed. One that nothing forces held nobody
  /// before.
  std::int64_t held_since(const Command& command) {
    const Rank& rank = at(command);
    const std::int64_t beyond = rank.debt - postponed_;
    return beyond > 0 ? rank.next_due - interval_ * beyond : command.cycle;
  }

  /// A refresh holds the rank at the begin of a cycle, while a burst waits for the rank.
  bool holds(std::uint32_t rank, std::int64_t cycle) {
    Command before_it;
    before_it.rank = rank;
    before_it.cycle = cycle - 1;
    return at(before_it).debt > postponed_;
  }

  /// Every command of the channel, in order.
  void follow(const Command& command) {
    Rank& rank = at(command);
    if (command.name == spec::Command::REFab) rank.debt = std::max(rank.debt - 1, -pulled_in_);
    if (command.name == spec::Command::SREFE) {
      rank.debt = 0;
      rank.asleep = true;
    }
    if (command.name == spec::Command::SREFX) rank.asleep = false;
  }

 private:
  struct Rank {
    std::int64_t next_due = 0;
    std::int64_t debt = 0;
    bool asleep = false;  ///< due cycles pass without effect
  };

  /// The rank with what fell due up to the command.
  Rank& at(const Command& command) {
    Rank& rank = ranks_[command.rank];
    for (; interval_ > 0 && rank.next_due <= command.cycle; rank.next_due += interval_) {
      if (!rank.asleep) ++rank.debt;
    }
    return rank;
  }

  std::int64_t interval_ = 0, postponed_, pulled_in_;
  std::vector<Rank> ranks_;
};

}  // namespace diffram::check
