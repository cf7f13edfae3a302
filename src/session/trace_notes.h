#pragma once
// What a user must know about a request trace that was read: what it does not say, what was
// assumed in its place, and what of it is not used.

#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "spec/memory.h"
#include "trace/request_trace.h"

namespace diffram::session {

/// Both clocks and the bytes of a burst. `trace_clock`: none = the memory's.
base::Diagnostic note_of_clocks(const spec::MemorySpec& memory,
                                const trace::RequestTraceFacts& facts,
                                const std::optional<base::Clock>& trace_clock);

/// Of what was read up to now.
std::vector<base::Diagnostic> notes_of_trace(const trace::RequestSource& source);

}  // namespace diffram::session
