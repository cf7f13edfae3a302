#include "sim/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "ctrl/channel_finder.h"
#include "ctrl/memory_tables.h"
#include "sim/channel_team.h"

namespace diffram::sim {

namespace {

// Times are 64-bit numbers; this leaves room to add to them, and is 20 years at 1.6 GHz.
constexpr std::int64_t kLastArrival = std::int64_t{1} << 60;
constexpr std::uint64_t kRequestsAProgress = 65536;  // some 10 ms

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
    run.address = request.bytes > 0 ? request.address : request.address & ~(burst_ - 1);
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
  std::uint64_t capacity_, burst_;  // a burst is a power of two of bytes
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

class Replay {
 public:
  Replay(const spec::MemorySpec& memory, const ReplayOptions& options, base::RequestFeed& feed,
         const std::string& file)
      : memory_(memory),
        options_(options),
        feed_(feed),
        file_(file),
        fitting_(memory, options.allow_overcommit),
        finder_(memory.map),
        team_(memory.organisation.channels, options.threads, 1) {
    ctrl::ChannelOptions channel_options;
    channel_options.tables = std::make_shared<ctrl::MemoryTables>(memory);
    for (std::uint32_t c = 0; c < memory.organisation.channels; ++c) {
      if (options.on_command) {
        channel_options.on_command = [this, c](const ctrl::IssuedCommand& command) {
          options_.on_command(c, command);
        };
      }
      channels_.push_back(ctrl::make_channel(memory, base::ChannelId(c), channel_options));
    }
    for (Window& window : windows_) window.shares.resize(channels_.size());
    submitted_.resize(channels_.size());
    completed_.resize(channels_.size());
    last_beat_.resize(channels_.size());
    arrivals_.resize(kFrontEndRequests + kWindow);
  }

  base::Result<ReplayResult> run() {
    read_window(windows_[0], kWindow);
    std::size_t turn = 0;
    for (; !is_read_; turn = 1 - turn) let_channels_catch_up(windows_[turn], windows_[1 - turn]);
    if (!errors_.empty()) return tl::unexpected(std::move(errors_));
    result_.requests_beyond_capacity = fitting_.beyond();
    if (fitting_.refuses() && !result_.stopped)
      return base::failure(fitting_.error(file_, memory_.name));
    finish(windows_[turn]);
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kWindow = kFrontEndRequests / 2;

  /// Requests that go to the channels together.
  struct Window {
    std::array<base::Request, kWindow> runs;
    std::array<std::int64_t, kWindow> arrivals{};    ///< never back
    std::vector<std::vector<std::uint32_t>> shares;  ///< by channel: which of them it has bursts of
    std::size_t size = 0;
  };

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

  /// Until the window holds `most` and there is another request, or all is read.
  void read_window(Window& window, std::size_t most) {
    while (!is_read_) {
      if (next_ == held_ && !read_batch()) {
        is_read_ = true;
        return;
      }
      if (window.size == most) return;
      while (next_ < held_ && window.size < most) {
        if (add(batch_[next_++], window)) continue;
        is_read_ = true;
        return;
      }
    }
  }

  bool read_batch() {
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      result_.stopped = true;
      return false;
    }
    if (options_.progress && result_.requests_in_trace >= next_progress_) {
      options_.progress(result_.requests_in_trace);
      next_progress_ = result_.requests_in_trace + kRequestsAProgress;
    }
    auto held = feed_.read(batch_);
    // What does not fit is told before what cannot be read behind it.
    if (!held && !fitting_.refuses()) errors_ = std::move(held.error());
    next_ = 0;
    held_ = held ? *held : 0;
    return held_ > 0;
  }

  /// False: an error.
  bool add(const base::TimedRequest& request, Window& window) {
    base::Request& run = window.runs[window.size];
    run = {};
    // The rest is read to the end, so that the message can say how much does not fit.
    if (!fitting_.fit(request, run)) return true;
    const auto arrival = memory_cycle(request.cycle);
    if (!arrival) {
      errors_ = {too_far_away(file_, request, result_.requests_in_trace + 1)};
      return false;
    }
    ++result_.requests_in_trace;
    last_read_ = std::max(*arrival, last_read_);
    window.arrivals[window.size] = last_read_;
    finder_.for_each(run.address, run.bytes, [&](std::uint32_t c, const auto*) {
      window.shares[c].push_back(static_cast<std::uint32_t>(window.size));
    });
    ++window.size;
    return true;
  }

  /// Simulate to the end of the last answer (or the cycle asked for) and close the books.
  void finish(Window& window) {
    const std::int64_t horizon = options_.stop_after_cycles;
    note_arrivals(window);
    team_.for_each_channel([&](std::size_t c) {
      submit(window, c);
      if (horizon > 0) {
        channels_[c]->advance(base::Cycles(std::max(horizon, channels_[c]->now().value)));
      } else {
        channels_[c]->drain();
      }
      take_completions(c);
    });
    result_.cycles = horizon;
    if (horizon <= 0) {
      result_.cycles = *std::max_element(last_beat_.begin(), last_beat_.end());
      for (const auto& channel : channels_)
        result_.cycles = std::max(result_.cycles, channel->now().value);
    }
    for (auto& channel : channels_)
      channel->advance(base::Cycles(std::max(result_.cycles, channel->now().value)));
    for (auto& channel : channels_) result_.channels.push_back(channel->take_counters());
    std::uint64_t most_left = 0;
    for (std::size_t c = 0; c < channels_.size(); ++c)
      most_left = std::max(most_left, submitted_[c] - completed_[c]);
    result_.requests_completed = first_ticket_ + window.size - most_left;
  }

  /// Requests arrive when the channels are as far as that, if the trace has them earlier.
  void note_arrivals(const Window& window) {
    std::transform(window.arrivals.begin(),
                   window.arrivals.begin() + static_cast<std::ptrdiff_t>(window.size),
                   arrivals_.begin() + static_cast<std::ptrdiff_t>(earlier_),
                   [this](std::int64_t arrival) { return std::max(arrival, last_arrival_); });
    waiting_ = window.size;
    if (waiting_ > 0) last_arrival_ = arrivals_[earlier_ + waiting_ - 1];
  }

  // On the channel's own thread: decoding addresses for all channels is a tenth of the run.
  void submit(Window& window, std::size_t c) {
    const auto* const arrivals = arrivals_.data() + earlier_;
    auto& share = window.shares[c];
    for (const std::uint32_t i : share)
      channels_[c]->submit(window.runs[i], base::Cycles(arrivals[i]), first_ticket_ + i);
    submitted_[c] += share.size();
    share.clear();
  }

  // Every channel works until its front end is half empty, or has nothing left to do before the
  // last arrival that it knows; both depend on the trace alone, not on threads.
  void let_channels_catch_up(Window& window, Window& next) {
    note_arrivals(window);
    // Meanwhile this thread reads half of the next window, who is done first the other half: were
    // it all read here, the others would wait that long. The text behind it is for whoever is free:
    // that of a round is as much work as a third of it.
    next.size = 0;
    const ChannelTeam::Aside reading{.begin = [&] { read_window(next, kWindow / 2); },
                                     .go_on = [&]() -> std::size_t {
                                       read_window(next, kWindow);
                                       if (is_read_ || team_.members() == 1) return 0;
                                       return feed_.prepare_ahead(kPartsAMember * team_.members());
                                     },
                                     .task = [this](std::size_t part) { feed_.read_ahead(part); }};
    const auto catch_up = [&](std::size_t c) {
      auto& channel = *channels_[c];
      submit(window, c);
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
    team_.for_each_channel(catch_up, reading);
    for (const auto& channel : channels_)
      last_arrival_ = std::max(last_arrival_, channel->now().value);
    first_ticket_ += waiting_;
    earlier_ += waiting_;
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
  const std::string& file_;

  // Reading: one thread's at a time, also while the channels work.
  Fitting fitting_;
  const ctrl::ChannelFinder finder_;
  std::array<base::TimedRequest, 512> batch_;
  std::size_t next_ = 0, held_ = 0;  // of the batch
  bool is_read_ = false;             // to the end, to an error or to a stop
  std::int64_t last_read_ = 0;       // arrival
  std::uint64_t next_progress_ = kRequestsAProgress;
  base::Errors errors_;
  ReplayResult result_;
  std::array<Window, 2> windows_;  // the channels have one, the other is filled

  ChannelTeam team_;
  std::vector<std::unique_ptr<ctrl::Channel>> channels_;
  std::vector<std::uint64_t> submitted_, completed_;  // by channel, of those given to it
  std::vector<std::int64_t> last_beat_;
  std::vector<std::int64_t> arrivals_;  // of the last `earlier_` submitted, then of the window
  std::size_t earlier_ = 0, waiting_ = 0;
  std::uint64_t first_ticket_ = 0;  // of the window
  std::int64_t last_arrival_ = 0;   // arrivals never go back
};

}  // namespace

base::Result<ReplayResult> replay(base::RequestFeed& feed, const std::string& file,
                                  const spec::MemorySpec& memory, const ReplayOptions& options) {
  // On the heap: its windows are some 130 KB.
  return std::make_unique<Replay>(memory, options, feed, file)->run();
}

}  // namespace diffram::sim
