#pragma once
// Request traces: streams of (time, address, bytes, direction), ours and other simulators'. One
// folder a format; which one a file has is seen from its first bytes (docs/formats.md).

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/timed_request.h"
#include "trace/level.h"

namespace diffram::trace {

using TraceRequest = base::TimedRequest;

/// What was read so far.
struct RequestTraceCounts {
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t unknown_words = 0;  ///< operation words that `lenient` took for reads
  /// Writes (W, or a word in mixed case) that DRAMsim3 itself would take for reads.
  std::uint64_t writes_dramsim3_reads = 0;
  std::uint64_t cycles_going_back = 0;  ///< requests whose cycle is before the one above them
  /// Requests that say how many bytes they want, and those that carry what no replay uses.
  std::uint64_t with_bytes = 0, with_data = 0, with_ids = 0, with_flags = 0, with_pc = 0;
  /// Addresses of digits only, without 0x, where the format's base is not the usual one.
  std::uint64_t bare_addresses = 0;
  int first_bare_address = 0;  ///< its line

  bool operator==(const RequestTraceCounts&) const = default;
};

/// What the times of a trace are.
enum class Arrivals : std::uint8_t {
  cycles,       ///< of the trace's clock
  order,        ///< none: the n-th request comes in cycle n, from 0
  instructions  ///< a CPU's instructions, one a cycle
};

struct RequestTraceFacts {
  const char* format = "";  ///< "DRAMsim3", "Ramulator 1" …
  Arrivals arrivals = Arrivals::cycles;
  std::optional<base::Clock> clock = {};  ///< of its cycles, where the format says
  int address_base = 16;                  ///< of addresses without 0x
};

/// Nothing but the batch that is read is held in memory.
class RequestSource : public base::RequestFeed {
 public:
  /// Errors of `read` name file and line.
  virtual RequestTraceCounts counts() const { return {}; }
  virtual RequestTraceFacts facts() const { return {}; }
};

/// Where a place of the memory lies, for traces of places.
struct PlaceMap {
  LevelNumbers counts{};  ///< of each level within the one above; columns in bursts
  std::function<std::uint64_t(const LevelNumbers&)> address_of;
};

struct RequestTraceOptions {
  bool lenient = false;  ///< map unknown operation words to reads and count them
  /// DRAMsim3's own rule: a write only if exactly WRITE, write, P_MEM_WR or BOFF, any other word
  /// is a read. To compare runs with DRAMsim3; otherwise W and mixed case mean what they say.
  bool dramsim3_words = false;
  bool relative_times = false;       ///< DRAMSys's cycles count from the request above (.rstl)
  const PlaceMap* places = nullptr;  ///< of the memory, if one is known
};

/// Open a trace; gzip and zstd are recognised by content, whatever the name. Requests come in file
/// order: cycles may go back, as DRAMsim3 allows, and are counted. Only whether DRAMSys's times are
/// relative cannot be seen from the content: they are if the name has `.rstl`.
base::Result<std::unique_ptr<RequestSource>> open_request_trace(
    const std::string& file, const RequestTraceOptions& options = {});

/// The same over memory that outlives the source; `name` stands in for the file.
base::Result<std::unique_ptr<RequestSource>> open_request_memory(
    std::string_view bytes, const std::string& name, const RequestTraceOptions& options = {});

}  // namespace diffram::trace
