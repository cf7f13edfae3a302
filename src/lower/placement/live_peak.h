#pragma once
// The largest sum of live storages, and what was live then. It belongs to the program: no
// allocator changes it. Repetitions of a step have the sums of its first time, so each stored step
// is walked once.

#include <cstdint>
#include <vector>

#include "lower/placement/playback.h"
#include "trace/tensor_trace.h"

namespace diffram::lower {

struct LivePeak {
  std::int64_t bytes = 0;
  Moment moment;
  std::vector<std::uint32_t> storages;  ///< live at the moment, by id
};

/// Error `too_large` when the sum leaves 64 bits.
base::Result<LivePeak> live_peak(const trace::TensorTrace& trace);

/// "module path: function" of the op that runs at `moment`, or next; of the last one if none does.
std::string op_at(const trace::TensorTrace& trace, Moment moment);

}  // namespace diffram::lower
