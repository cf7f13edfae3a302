#pragma once
// Cycles of one clock as cycles of another.

#include <cstdint>
#include <optional>
#include <span>

#include "base/clock.h"
#include "trace/request_trace.h"

namespace diffram::session {

class TimeScale {
 public:
  /// Neither clock: cycles stay as they are.
  TimeScale(std::optional<base::Clock> from, std::optional<base::Clock> to);

  /// False: a time does not fit into 64 bits.
  bool apply(std::span<trace::TraceRequest> requests);
  /// Requests whose time is none of the new clock: it was rounded up.
  std::uint64_t rounded() const { return rounded_; }

 private:
  /// to-cycles a from-cycle, as a fraction.
  __extension__ using Wide = unsigned __int128;
  Wide top_ = 1, bottom_ = 1;
  bool keeps_ = true;
  std::uint64_t rounded_ = 0;
};

}  // namespace diffram::session
