#pragma once
// What a log can break: the rows of the standard's table, by the names they have there, and the
// rules of state that no distance between two commands can express.

#include <cstdint>
#include <string>
#include <vector>

#include "spec/memory.h"

namespace diffram::check {

enum class StateRule : std::uint8_t {
  activate_open_bank,      ///< ACT while a row is open
  column_closed_bank,      ///< RD or WR while no row is open
  column_other_row,        ///< RD or WR of a row that is not the open one
  refresh_open_bank,       ///< REFab while a bank of the rank is open
  self_refresh_open_bank,  ///< SREFE while a bank of the rank is open
  rank_asleep,             ///< a command to a rank in power-down or self refresh, but its exit
  rank_awake,              ///< PDX or SREFX of a rank that is awake
  command_bus,             ///< two commands in one cycle of a channel
  data_bus,                ///< data of two bursts at once, where no row of the table forbids it
  refresh_late,            ///< more than 9 × tREFI without a refresh
  data_clock,              ///< RD or WR while the rank's data clock does not run
  clock_edge,              ///< a command that may not begin in the midst of a clock
};
inline constexpr std::size_t kStateRuleCount = 12;

/// Refreshes may be put off, but not more than eight (DDR4): from one to the next at most nine
/// intervals. Known from practice; no JEDEC document was opened for this project.
inline constexpr std::int64_t kMostRefreshIntervals = 9;

struct RuleText {
  std::string name;    ///< "tRCD", "activate-open-bank"
  std::string clause;  ///< where it was read
  std::string about;   ///< one line for people; empty for rows of the table
};

/// The rules of the memory's table in its order, then the rules of state.
std::vector<RuleText> rules_of(const spec::MemorySpec& memory);
inline std::size_t index_of(const spec::MemorySpec& memory, StateRule rule) {
  return memory.rules.size() + static_cast<std::size_t>(rule);
}

}  // namespace diffram::check
