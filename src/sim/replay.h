#pragma once
// A request trace replayed on the channels of a memory: open loop, until the last request is
// answered.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "base/clock.h"
#include "base/counters.h"
#include "base/request.h"
#include "base/result.h"
#include "ctrl/channel.h"
#include "spec/memory.h"

namespace diffram::sim {

/// One request of a trace, and where it stands.
struct TimedRequest {
  std::uint64_t cycle = 0;  ///< of the trace's clock
  std::uint64_t address = 0;
  base::Direction direction = base::Direction::read;
  int line = 0;  ///< 1-based, 0 = the trace has no lines
};

/// Fills requests from the front and says how many; 0 = the trace has ended.
using RequestFeed = std::function<base::Result<std::size_t>(std::span<TimedRequest>)>;

struct ReplayOptions {
  std::optional<base::Clock> trace_clock;  ///< of the trace's cycles; none = the memory clock
  std::size_t threads = 1;
  bool allow_overcommit = false;       ///< wrap addresses beyond the capacity instead of refusing
  std::int64_t stop_after_cycles = 0;  ///< 0 = drain
  std::function<void(std::uint32_t channel, const ctrl::IssuedCommand&)> on_command;
  std::function<void(std::uint64_t requests)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct ReplayResult {
  std::uint64_t requests_in_trace = 0;
  std::uint64_t requests_completed = 0;
  std::uint64_t requests_beyond_capacity = 0;  ///< wrapped
  std::uint64_t bytes_read = 0, bytes_written = 0;
  std::int64_t cycles = 0;  ///< to the end of the last data beat, or stop_after_cycles
  std::vector<base::ChannelCounters> channels;
  bool stopped = false;
};

/// The front end of each channel holds at most kFrontEndRequests requests; beyond that the trace
/// waits, in file order, for the slowest channel. Addresses beyond the capacity are an error that
/// counts them and names the first line and the largest.
inline constexpr std::uint64_t kFrontEndRequests = 4096;

base::Result<ReplayResult> replay(const RequestFeed& next, const std::string& file,
                                  const spec::MemorySpec& memory, const ReplayOptions& options);

}  // namespace diffram::sim
