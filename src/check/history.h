#pragma once
// The commands that a channel has seen, by kind and by bank, bank group and rank, so that a rule
// can look back: "the fourth last ACT of this rank". Nothing here says when a command is next
// legal. Of each list only as many are kept as the longest window of the table counts.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/command.h"
#include "spec/memory.h"

namespace diffram::check {

class History {
 public:
  explicit History(const spec::MemorySpec& memory);

  /// `open_banks`: by bank within the channel. A PREA counts as a PRE of each of its rank's open
  /// banks (docs/controller.md); another command of a whole rank is one in each of its banks.
  void record(const Command& command, const std::vector<bool>& open_banks);

  /// The `count`-th last (1 = the last) `before` that stands in `scope` to the place of `later`;
  /// nullptr if there were fewer. A later command without a bank has no bank or group scope.
  const Command* look_back(spec::Command before, spec::Scope scope, const Command& later,
                           std::size_t count) const;

  /// The banks that a command with a bank is in: of REFpb and REFsb it may be several.
  std::vector<Command> in_banks(const Command& command) const;

  std::size_t bank_index(const Command& c) const {
    return c.rank * banks_per_rank_ + c.bank_group * banks_per_group_ + c.bank;
  }

 private:
  struct Past {
    Command command;
    std::uint64_t order = 0;  ///< of the log
  };
  using List = std::vector<Past>;  ///< the last one first

  std::size_t group_index(const Command& c) const { return c.rank * groups_ + c.bank_group; }
  void put(std::vector<List>& lists, std::size_t place, spec::Command as, const Past& past);
  const List& list(const std::vector<List>& lists, std::size_t place, spec::Command name) const {
    return lists[place * spec::kCommandCount + static_cast<std::size_t>(name)];
  }

  std::size_t ranks_, groups_, groups_per_stack_, banks_per_group_, banks_per_rank_;
  spec::RefreshUnit unit_;
  std::size_t kept_ = 1;
  std::uint64_t seen_ = 0;
  std::vector<List> by_bank_, by_group_, by_rank_;
};

}  // namespace diffram::check
