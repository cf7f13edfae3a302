#pragma once
// Request traces of other simulators: a stream of (time, address, direction). One folder a format;
// this issue reads DRAMsim3's text ("hexaddress op cycle").

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/request.h"
#include "base/result.h"

namespace diffram::trace {

struct TraceRequest {
  std::uint64_t cycle = 0;
  std::uint64_t address = 0;
  base::Direction direction = base::Direction::read;
};

/// Pulls one request after the other; nothing is held in memory.
class RequestSource {
 public:
  virtual ~RequestSource() = default;
  /// True: `out` is filled. False: the file ended. An error names file and line.
  virtual base::Result<bool> next(TraceRequest& out) = 0;
  virtual int line() const { return 0; }                     ///< 1-based, of the last request
  virtual std::uint64_t lenient_words() const { return 0; }  ///< unknown words read as reads so far
};

struct RequestTraceOptions {
  bool lenient = false;  ///< map unknown operation words to reads and count them
};

/// Open a trace; `.gz` and `.zst` are recognised by content.
base::Result<std::unique_ptr<RequestSource>> open_request_trace(
    const std::string& file, const RequestTraceOptions& options = {});

}  // namespace diffram::trace
