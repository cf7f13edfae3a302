#pragma once
// For each command of a log: how long the table held it back, and by which row; and how its bank
// had come to be closed (docs/bill.md, "The chain of a request").

#include <cstdint>
#include <optional>
#include <vector>

#include "base/cause.h"
#include "base/ids.h"
#include "check/command.h"
#include "check/queue_replay.h"
#include "spec/memory.h"

namespace diffram::check {

/// Until when the table forbade a command, and who is to blame.
struct Wait {
  std::int64_t legal = INT64_MIN;  ///< the largest end of its constraints
  base::Cause cause = base::Cause::policy;
  base::OriginId culprit = base::kNoOrigin;
  /// Before this cycle a wait for a refresh is the policy's: the rank was not held yet.
  std::int64_t held_since = INT64_MIN;
};

/// How a bank came to be closed: the cause of opening it again.
struct Closing {
  enum class By : std::uint8_t { never_open, scheduler, refresh, policy };
  By by = By::never_open;
  std::size_t command = 0;  ///< of the log, that closed it
  base::Cause cause = base::Cause::row_miss;
  base::OriginId culprit = base::kNoOrigin;
  std::int64_t held_since = INT64_MIN;  ///< the rank, for the refresh that closed the bank
};

/// What the chain of a burst needs to know of its bank when its column command issues.
struct BankPast {
  std::optional<std::size_t> activate;  ///< the last one
  Closing closing;                      ///< before that activation
};

struct Waits {
  std::vector<Wait> of_command;       ///< of ACT, PRE and column commands
  std::vector<BankPast> past_column;  ///< of column commands
  std::vector<Wait> at_edge;          ///< of the next command of the burst that waits at an edge
};

Waits waits_of(const spec::MemorySpec& memory, const BillInput& input, const ServedLog& served);

}  // namespace diffram::check
