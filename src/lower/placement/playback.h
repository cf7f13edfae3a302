#pragma once
// A whole program played on an allocator: every step with its repetitions.

#include <cstdint>
#include <optional>

#include "lower/placement/placement.h"
#include "trace/tensor_trace.h"

namespace diffram::lower {

/// A place in the program.
struct Moment {
  std::size_t step = 0;   ///< index into TensorTrace::steps
  std::size_t event = 0;  ///< index into Step::events
};

struct PlaybackResult {
  std::int64_t peak_reserved = 0;
  std::optional<Moment> stopped_at;  ///< where memory ran out; nothing = played to the end
};

/// Errors are mistakes of the trace (a storage allocated twice …), not a lack of memory. A step
/// whose repetition leaves every block where it was is not played again: all further repetitions
/// would be the same.
base::Result<PlaybackResult> play(const trace::TensorTrace& trace, Allocator& allocator);

}  // namespace diffram::lower
