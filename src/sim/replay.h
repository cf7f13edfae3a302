#pragma once
// A request trace replayed on the channels of a memory: open loop, until the last request is
// answered.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/clock.h"
#include "base/counters.h"
#include "base/result.h"
#include "base/timed_request.h"
#include "ctrl/channel.h"
#include "spec/memory.h"

namespace diffram::sim {

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
  std::int64_t cycles = 0;  ///< to the end of the last data beat, or stop_after_cycles
  std::vector<base::ChannelCounters> channels;
  bool stopped = false;
};

/// The front end of each channel holds at most kFrontEndRequests requests; beyond that the trace
/// waits, in file order, for the slowest channel. A request that says how many bytes it wants is as
/// many bursts as that touches, and complete with the last; another one is one burst. Addresses
/// beyond the capacity are an error that counts them and names the first line and the largest.
inline constexpr std::uint64_t kFrontEndRequests = 4096;

base::Result<ReplayResult> replay(base::RequestFeed& feed, const std::string& file,
                                  const spec::MemorySpec& memory, const ReplayOptions& options);

}  // namespace diffram::sim
