#pragma once
// The clock of a trace's cycles, as a user types it.

#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace diffram::session {

/// "0.833" (ns) → exactly 833/1000 ns. Errors: `bad_value`.
base::Result<base::Clock> parse_trace_clock(const std::string& nanoseconds);

/// "0.625 ns (1600 MHz)".
std::string clock_text(const base::Clock& clock);

}  // namespace diffram::session
