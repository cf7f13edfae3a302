#pragma once
// Request traces out: one encoder a format. What a format cannot hold is told by its entry; who
// converts names it.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "trace/request_trace.h"

namespace diffram::trace {

class RequestEncoder {
 public:
  virtual ~RequestEncoder() = default;
  /// All append to `out`: what comes before the requests, the requests, what comes behind them.
  virtual void begin(const RequestTraceFacts& /*facts*/, std::string& /*out*/) {}
  virtual void encode(std::span<const TraceRequest> requests, std::string& out) = 0;
  virtual void end(std::string& /*out*/) {}
};

/// How a format states times.
enum class WrittenTime : std::uint8_t {
  none,
  cycles,      ///< of a clock that it does not name
  increments,  ///< the same, since the request above: never back
  picoseconds,
  any  ///< cycles and their clock
};

struct RequestFormat {
  const char* name;    ///< as typed: "dramsim3"
  const char* suffix;  ///< of a file's name that stands for it; empty = none does
  WrittenTime time;
  bool holds_bytes;
  bool needs_bytes;
  std::unique_ptr<RequestEncoder> (*make)();
};

std::span<const RequestFormat> request_formats();

}  // namespace diffram::trace
