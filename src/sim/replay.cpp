#include "sim/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "ctrl/channel_finder.h"
#include "sim/channel_team.h"

namespace diffram::sim {

namespace {

// Times are 64-bit numbers; this leaves room to add to them, and is 20 years at 1.6 GHz.
constexpr std::int64_t kLastArrival = std::int64_t{1} << 60;
constexpr std::uint64_t kRequestsAProgress = 65536;  // some 10 ms

class Replay {
 public:
  Replay(const spec::MemorySpec& memory, const ReplayOptions& options, base::RequestFeed& feed)
      : memory_(memory),
        options_(options),
        feed_(feed),
        finder_(memory.map),
        team_(memory.organisation.channels, options.threads, 1) {
    for (std::uint32_t c = 0; c < memory.organisation.channels; ++c) {
      ctrl::ChannelOptions channel_options;
      if (options.on_command) {
        channel_options.on_command = [this, c](const ctrl::IssuedCommand& command) {
          options_.on_command(c, command);
        };
      }
      channels_.push_back(ctrl::make_channel(memory, base::ChannelId(c), channel_options));
    }
    shares_.resize(channels_.size());
    submitted_.resize(channels_.size());
    completed_.resize(channels_.size());
    last_beat_.resize(channels_.size());
    window_.resize(kFrontEndRequests / 2);
    arrivals_.resize(kFrontEndRequests + window_.size());
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

  void submit(const base::Request& request, std::int64_t arrival) {
    if (waiting_ == window_.size()) let_channels_catch_up();
    last_arrival_ = std::max(arrival, last_arrival_);
    arrivals_[earlier_ + waiting_] = last_arrival_;
    finder_.for_each(request.address, request.bytes, [this](std::uint32_t c) {
      shares_[c].push_back(static_cast<std::uint32_t>(waiting_));
    });
    window_[waiting_++] = request;
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
    std::uint64_t most_left = 0;
    for (std::size_t c = 0; c < channels_.size(); ++c)
      most_left = std::max(most_left, submitted_[c] - completed_[c]);
    result.requests_completed = first_ticket_ + waiting_ - most_left;
    return result;
  }

 private:
  // On the channel's own thread: decoding addresses for all channels is a tenth of the run.
  void submit_window(std::size_t c) {
    const auto* const arrivals = arrivals_.data() + earlier_;
    for (const std::uint32_t i : shares_[c])
      channels_[c]->submit(window_[i], base::Cycles(arrivals[i]), first_ticket_ + i);
    submitted_[c] += shares_[c].size();
    shares_[c].clear();
  }

  // Every channel works until its front end is half empty, or has nothing left to do before the
  // last arrival that it knows; both depend on the trace alone, not on threads.
  void let_channels_catch_up() {
    // Meanwhile, who is done first reads on: the text of a round is as much work as a third of it.
    const std::size_t parts =
        team_.members() > 1 ? feed_.prepare_ahead(kPartsAMember * team_.members()) : 0;
    const auto read_ahead = [this](std::size_t part) { feed_.read_ahead(part); };
    const auto catch_up = [&](std::size_t c) {
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
    };
    team_.for_each_channel(catch_up, parts, read_ahead);
    // Requests to come arrive when the channels are as far as that.
    for (const auto& channel : channels_)
      last_arrival_ = std::max(last_arrival_, channel->now().value);
    first_ticket_ += waiting_;
    earlier_ += waiting_;
    waiting_ = 0;
    if (earlier_ <= kFrontEndRequests) return;
    const auto* const kept = arrivals_.data() + (earlier_ - kFrontEndRequests);
    std::copy(kept, kept + kFrontEndRequests, arrivals_.data());
    earlier_ = kFrontEndRequests;
  }

  // The channel only waits: as many whole steps as end before the next arrival.
  std::int64_t steps_to_arrival(std::int64_t now) const {
    const auto* const end = arrivals_.data() + earlier_ + waiting_;
    const auto* const next = std::upper_bound(arrivals_.data(), end, now);
    if (next == end) return 1;
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

  /// So small that channels that differ by a tenth end together; so large that a part is not done
  /// before another thread has heard of it.
  static constexpr std::size_t kPartsAMember = 4;

  const spec::MemorySpec& memory_;
  const ReplayOptions& options_;
  base::RequestFeed& feed_;
  const ctrl::ChannelFinder finder_;
  ChannelTeam team_;
  std::vector<std::unique_ptr<ctrl::Channel>> channels_;
  std::vector<std::vector<std::uint32_t>> shares_;    // by channel: places in the window
  std::vector<std::uint64_t> submitted_, completed_;  // by channel, of those given to it
  std::vector<std::int64_t> last_beat_;
  std::vector<std::int64_t> arrivals_;  // of the last `earlier_` submitted, then of the waiting
  std::vector<base::Request> window_;   // the first `waiting_`: read and not yet submitted
  std::size_t earlier_ = 0, waiting_ = 0;
  std::uint64_t first_ticket_ = 0;  // of the window
  std::int64_t last_arrival_ = 0;   // arrivals never go back
};

/// Addresses within the memory, or what does not fit and is wrapped.
class Fitting {
 public:
  Fitting(const spec::MemorySpec& memory, bool wraps)
      : capacity_(memory.organisation.capacity_bytes()),
        burst_(memory.organisation.burst_bytes()),
        wraps_(wraps) {}

  /// False: the run is refused. A request that says no bytes is the burst around its address.
  bool fit(const base::TimedRequest& request, base::Request& run) {
    run.bytes = request.bytes > 0 ? request.bytes : burst_;
    run.address = request.bytes > 0 ? request.address : request.address - request.address % burst_;
    run.direction = request.direction;
    if (run.address < capacity_ && run.bytes <= capacity_ - run.address)
      return beyond_ == 0 || wraps_;
    if (beyond_++ == 0) first_line_ = request.line;
    largest_ = std::max(largest_, run.address);
    run.bytes = std::min(run.bytes, capacity_);
    run.address = std::min(run.address % capacity_, capacity_ - run.bytes);
    return wraps_;
  }

  std::uint64_t beyond() const { return beyond_; }
  bool refuses() const { return beyond_ > 0 && !wraps_; }
  base::Error error(const std::string& file, const std::string& memory) const {
    return {
        .code = "address_beyond_capacity",
        .message = fmt::format("{} {} beyond the capacity of {} ({} B); the largest address is "
                               "{:#x}",
                               beyond_, beyond_ == 1 ? "request goes" : "requests go", memory,
                               capacity_, largest_),
        .file = file,
        .line = first_line_,
        .field = "address",
        .expected = fmt::format("less than {:#x}; --allow-overcommit wraps addresses", capacity_)};
  }

 private:
  std::uint64_t capacity_, burst_;
  bool wraps_;
  std::uint64_t beyond_ = 0, largest_ = 0;
  int first_line_ = 0;
};

base::Error too_far_away(const std::string& file, const base::TimedRequest& request,
                         std::uint64_t number) {
  return {.code = "cycle_too_large",
          .message = fmt::format("request {} comes in cycle {}, too far away to be counted", number,
                                 request.cycle),
          .file = file,
          .line = request.line,
          .field = "cycle",
          .expected = fmt::format("at most {} cycles of the memory clock", kLastArrival)};
}

}  // namespace

base::Result<ReplayResult> replay(base::RequestFeed& feed, const std::string& file,
                                  const spec::MemorySpec& memory, const ReplayOptions& options) {
  ReplayResult result;
  Replay run(memory, options, feed);
  Fitting fitting(memory, options.allow_overcommit);
  std::array<base::TimedRequest, 512> batch;
  std::uint64_t next_progress = kRequestsAProgress;
  while (true) {
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
      result.stopped = true;
      break;
    }
    auto held = feed.read(batch);
    if (!held && fitting.refuses()) break;
    if (!held) return tl::unexpected(held.error());
    if (*held == 0) break;
    for (const base::TimedRequest& request : std::span(batch).first(*held)) {
      base::Request bursts;
      // The rest is read to the end, so that the message can say how much does not fit.
      if (!fitting.fit(request, bursts)) continue;
      const auto arrival = run.memory_cycle(request.cycle);
      if (!arrival) return base::failure(too_far_away(file, request, result.requests_in_trace + 1));
      ++result.requests_in_trace;
      run.submit(bursts, *arrival);
    }
    if (options.progress && result.requests_in_trace >= next_progress) {
      options.progress(result.requests_in_trace);
      next_progress = result.requests_in_trace + kRequestsAProgress;
    }
  }
  result.requests_beyond_capacity = fitting.beyond();
  if (fitting.refuses() && !result.stopped) return base::failure(fitting.error(file, memory.name));
  return run.finish(std::move(result));
}

}  // namespace diffram::sim
