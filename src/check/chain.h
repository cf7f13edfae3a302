#pragma once
// What a burst was doing from the arrival of its run to its column command (docs/bill.md, "The
// chain of a request").

#include <cstdint>
#include <vector>

#include "base/cause.h"
#include "base/ids.h"
#include "check/waits.h"

namespace diffram::check {

struct ChainStep {
  std::int64_t begin = 0, end = 0;  ///< in command time
  base::Cause cause = base::Cause::policy;
  base::OriginId culprit = base::kNoOrigin;
  bool was_legal =
      false;  ///< the command could have come: `command.bus` where another took the cycle
};

/// The steps from the arrival to the column command `column` of the log; they follow each other
/// without a gap. Empty ones are left out.
std::vector<ChainStep> chain_of(const spec::MemorySpec& memory, const std::vector<Command>& log,
                                const ServedLog& served, const Waits& waits, std::size_t column);

/// The steps of a burst that waits at an edge of a window, from its arrival to the edge, as far as
/// they are known.
std::vector<ChainStep> chain_at_edge(const spec::MemorySpec& memory, const Burst& burst,
                                     const Wait& next, std::int64_t edge);

}  // namespace diffram::check
