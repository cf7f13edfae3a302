#include "sim/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "sim/channel_team.h"

namespace diffram::sim {

namespace {

// Times are 64-bit numbers; this leaves room to add to them, and is 20 years at 1.6 GHz.
constexpr std::int64_t kLastArrival = std::int64_t{1} << 60;

class Replay {
 public:
  Replay(const spec::MemorySpec& memory, const ReplayOptions& options)
      : memory_(memory), options_(options), team_(memory.organisation.channels, options.threads) {
    for (std::uint32_t c = 0; c < memory.organisation.channels; ++c) {
      ctrl::ChannelOptions channel_options;
      if (options.on_command) {
        channel_options.on_command = [this, c](const ctrl::IssuedCommand& command) {
          options_.on_command(c, command);
        };
      }
      channels_.push_back(ctrl::make_channel(memory, base::ChannelId(c), channel_options));
    }
    submitted_.resize(channels_.size());
    completed_.resize(channels_.size());
    last_beat_.resize(channels_.size());
  }

  /// The cycle of the memory clock that a cycle of the trace falls into; none if it is too far away
  /// to be counted.
  std::optional<std::int64_t> memory_cycle(std::uint64_t trace_cycle) const {
    if (!options_.trace_clock) {
      if (trace_cycle > std::uint64_t{kLastArrival}) return std::nullopt;
      return static_cast<std::int64_t>(trace_cycle);
    }
    const base::Clock& memory = memory_.clock;
    const base::Clock& trace = *options_.trace_clock;
    const double cycles = static_cast<double>(trace_cycle) * trace.period_s() / memory.period_s();
    // `cover` multiplies in 128 bits.
    constexpr double kWidest = 0x1p126;
    const double product = cycles * static_cast<double>(memory.numerator_fs()) *
                           static_cast<double>(trace.denominator());
    if (cycles > static_cast<double>(kLastArrival) || product > kWidest) return std::nullopt;
    return memory.cover(static_cast<std::int64_t>(trace_cycle), trace).value;
  }

  void submit(const TimedRequest& request, std::int64_t arrival) {
    if (window_.size() == kFrontEndRequests / 2) let_channels_catch_up();
    last_arrival_ = std::max(arrival, last_arrival_);
    arrivals_.push_back(last_arrival_);
    window_.push_back(
        {request.address, memory_.organisation.burst_bytes(), base::kNoOrigin, request.direction});
  }

  /// Simulate to the end of the last answer (or the cycle asked for) and close the books.
  ReplayResult finish(ReplayResult result) {
    const std::int64_t horizon = options_.stop_after_cycles;
    team_.for_each_channel([&](std::size_t c) {
      submit_window(c);
      if (horizon > 0) {
        channels_[c]->advance(base::Cycles(std::max(horizon, channels_[c]->now().value)));
      } else {
        channels_[c]->drain();
      }
      take_completions(c);
    });
    result.cycles = horizon;
    if (horizon <= 0) {
      result.cycles = *std::max_element(last_beat_.begin(), last_beat_.end());
      for (const auto& channel : channels_)
        result.cycles = std::max(result.cycles, channel->now().value);
    }
    for (auto& channel : channels_)
      channel->advance(base::Cycles(std::max(result.cycles, channel->now().value)));
    for (auto& channel : channels_) result.channels.push_back(channel->take_counters());
    result.requests_completed = first_ticket_ + window_.size();
    for (const auto done : completed_)
      result.requests_completed = std::min(result.requests_completed, done);
    return result;
  }

 private:
  // On the channel's own thread: decoding addresses for all channels is a tenth of the run.
  void submit_window(std::size_t c) {
    const auto* arrival = arrivals_.data() + (arrivals_.size() - window_.size());
    std::uint64_t ticket = first_ticket_;
    for (const base::Request& run : window_) {
      channels_[c]->submit(run, base::Cycles(*arrival++), ticket++);
    }
    submitted_[c] = ticket;
  }

  // Every channel works until its front end is half empty, or has nothing left to do before the
  // last arrival that it knows; both depend on the trace alone, not on threads.
  void let_channels_catch_up() {
    team_.for_each_channel([&](std::size_t c) {
      auto& channel = *channels_[c];
      submit_window(c);
      take_completions(c);
      int steps_in_vain = 0;
      while (submitted_[c] - completed_[c] > kFrontEndRequests / 2) {
        const std::uint64_t before = completed_[c];
        const std::int64_t steps =
            steps_in_vain < kInVain ? 1 : steps_to_arrival(channel.now().value);
        channel.advance(base::Cycles(channel.now().value + steps * kCatchUpCycles));
        take_completions(c);
        steps_in_vain = completed_[c] == before ? steps_in_vain + 1 : 0;
      }
      if (channel.now().value < last_arrival_) channel.advance(base::Cycles(last_arrival_));
      take_completions(c);
    });
    // Requests to come arrive when the channels are as far as that.
    for (const auto& channel : channels_)
      last_arrival_ = std::max(last_arrival_, channel->now().value);
    first_ticket_ += window_.size();
    window_.clear();
    const auto kept = std::min<std::size_t>(arrivals_.size(), kFrontEndRequests);
    arrivals_.erase(arrivals_.begin(), arrivals_.end() - static_cast<std::ptrdiff_t>(kept));
  }

  // The channel only waits: as many whole steps as end before the next arrival.
  std::int64_t steps_to_arrival(std::int64_t now) const {
    const auto next = std::upper_bound(arrivals_.begin(), arrivals_.end(), now);
    if (next == arrivals_.end()) return 1;
    return std::max<std::int64_t>(1, (*next - now) / kCatchUpCycles);
  }

  void take_completions(std::size_t c) {
    for (const auto& done : channels_[c]->completions())
      last_beat_[c] = std::max(last_beat_[c], done.cycle);
    completed_[c] += channels_[c]->completions().size();
    channels_[c]->clear_completions();
  }

  /// Steps without an answer (16,384 cycles) after which nothing but an arrival can bring one: no
  /// queued burst waits that long (docs/controller.md).
  static constexpr int kInVain = 64;
  static constexpr std::int64_t kCatchUpCycles =
      256;  // some 50 bursts: fine enough not to overshoot far

  const spec::MemorySpec& memory_;
  const ReplayOptions& options_;
  ChannelTeam team_;
  std::vector<std::unique_ptr<ctrl::Channel>> channels_;
  std::vector<std::uint64_t> submitted_, completed_;  // by channel
  std::vector<std::int64_t> last_beat_;
  std::vector<std::int64_t> arrivals_;  // of the last requests, in order
  std::vector<base::Request> window_;   // read and not yet submitted; their arrivals end the list
  std::uint64_t first_ticket_ = 0;      // of the window
  std::int64_t last_arrival_ = 0;       // arrivals never go back
};

}  // namespace

base::Result<ReplayResult> replay(const RequestFeed& next, const std::string& file,
                                  const spec::MemorySpec& memory, const ReplayOptions& options) {
  ReplayResult result;
  Replay run(memory, options);
  const std::uint64_t capacity = memory.organisation.capacity_bytes();
  const std::uint64_t burst = memory.organisation.burst_bytes();
  std::uint64_t largest = 0;
  int first_beyond = 0;
  const auto refuses = [&options](const ReplayResult& so_far) {
    return so_far.requests_beyond_capacity > 0 && !options.allow_overcommit;
  };
  std::array<TimedRequest, 512> batch;
  std::size_t held = 0, used = 0;  // requests of the batch
  while (true) {
    if (used == held) {
      if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
        result.stopped = true;
        break;
      }
      auto more = next(batch);
      if (!more && refuses(result)) break;
      if (!more) return tl::unexpected(more.error());
      if (*more == 0) break;
      held = *more;
      used = 0;
    }
    TimedRequest& request = batch[used++];
    request.address -= request.address % burst;
    if (request.address >= capacity) {
      if (result.requests_beyond_capacity++ == 0) first_beyond = request.line;
      largest = std::max(largest, request.address);
      request.address %= capacity;
    }
    // The rest is read to the end, so that the message can say how much of the trace does not fit.
    if (refuses(result)) continue;
    const auto arrival = run.memory_cycle(request.cycle);
    if (!arrival) {
      return base::failure(
          {.code = "cycle_too_large",
           .message = fmt::format("request {} comes in cycle {}, too far away to be counted",
                                  result.requests_in_trace + 1, request.cycle),
           .file = file,
           .line = request.line,
           .field = "cycle",
           .expected = fmt::format("at most {} cycles of the memory clock", kLastArrival)});
    }
    ++result.requests_in_trace;
    (request.direction == base::Direction::read ? result.bytes_read : result.bytes_written) +=
        burst;
    run.submit(request, *arrival);
    if (options.progress && result.requests_in_trace % 65536 == 0)
      options.progress(result.requests_in_trace);
  }
  if (refuses(result) && !result.stopped) {
    const auto count = result.requests_beyond_capacity;
    return base::failure(
        {.code = "address_beyond_capacity",
         .message = fmt::format("{} {} beyond the capacity of {} ({} B); the largest address is "
                                "{:#x}",
                                count, count == 1 ? "request goes" : "requests go", memory.name,
                                capacity, largest),
         .file = file,
         .line = first_beyond,
         .field = "address",
         .expected = fmt::format("less than {:#x}; --allow-overcommit wraps addresses", capacity)});
  }
  return run.finish(std::move(result));
}

}  // namespace diffram::sim
