#pragma once
// Request traces of other simulators: a stream of (time, address, direction). One folder a format;
// this issue reads DRAMsim3's text ("hexaddress op cycle").

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/request.h"
#include "base/result.h"

namespace diffram::trace {

struct TraceRequest {
  std::uint64_t cycle = 0;
  std::uint64_t address = 0;
  base::Direction direction = base::Direction::read;
  int line = 0;  ///< 1-based

  bool operator==(const TraceRequest&) const = default;
};

/// What was read so far.
struct RequestTraceCounts {
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t unknown_words = 0;  ///< operation words that `lenient` took for reads
  /// Writes (W, or a word in mixed case) that DRAMsim3 itself would take for reads.
  std::uint64_t writes_dramsim3_reads = 0;
  std::uint64_t cycles_going_back = 0;  ///< requests whose cycle is before the one above them

  bool operator==(const RequestTraceCounts&) const = default;
};

/// Pulls one batch of requests after the other; nothing else is held in memory.
class RequestSource {
 public:
  virtual ~RequestSource() = default;
  /// Requests into `out` from the front, and how many; 0 = the file has ended. What comes before an
  /// error is given first. An error names file and line.
  virtual base::Result<std::size_t> read(std::span<TraceRequest> out) = 0;
  virtual RequestTraceCounts counts() const { return {}; }
};

struct RequestTraceOptions {
  bool lenient = false;  ///< map unknown operation words to reads and count them
  /// DRAMsim3's own rule: a write only if exactly WRITE, write, P_MEM_WR or BOFF, any other word
  /// is a read. To compare runs with DRAMsim3; otherwise W and mixed case mean what they say.
  bool dramsim3_words = false;
};

/// Open a trace; gzip and zstd are recognised by content, whatever the name. Requests come in file
/// order: cycles may go back, as DRAMsim3 allows, and are counted.
base::Result<std::unique_ptr<RequestSource>> open_request_trace(
    const std::string& file, const RequestTraceOptions& options = {});

}  // namespace diffram::trace
