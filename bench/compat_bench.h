#pragma once
// Speed of the `compat` controller and its client on requests in memory, two channels of DDR4-3200.

#include <cstdint>
#include <string>

namespace diffram::bench {

/// Exit code of the program. `mode`: compat-sequential, compat-random (a third of them writes).
int run_compat(const std::string& mode, std::int64_t requests);

}  // namespace diffram::bench
