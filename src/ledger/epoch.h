#pragma once
// An epoch: a stretch of a run's time, and what its channels did in it.

#include <cstdint>
#include <vector>

#include "base/counters.h"

namespace diffram::ledger {

struct Epoch {
  std::int64_t begin = 0;   ///< memory cycles of simulated time since the run began
  std::int64_t cycles = 0;  ///< shorter than the others if the run ends in it
  std::vector<base::ChannelCounters> channels;  ///< `cycles`, `banks` and `ranks` only

  bool operator==(const Epoch&) const = default;
};

}  // namespace diffram::ledger
