#pragma once
// Speed of a replay on one thread, from requests in memory and from traces of each format.

#include <cstdint>
#include <string>

namespace diffram::bench {

/// Exit code of the program. `mode`: replay-TRAFFIC-FORMAT with TRAFFIC sequential or random (a
/// third of them writes) and FORMAT `memory` (requests, not a trace) or one that `convert` writes.
int run_replay(const std::string& mode, std::int64_t requests);

}  // namespace diffram::bench
