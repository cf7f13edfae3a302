#pragma once
// Addresses of places in a memory: its address map turned round.

#include "spec/memory.h"
#include "trace/request_trace.h"

namespace diffram::session {

/// The map of the memory is a bijection (spec checks it), so every place has one address: that of
/// its burst's first byte.
trace::PlaceMap place_map_of(const spec::MemorySpec& memory);

}  // namespace diffram::session
