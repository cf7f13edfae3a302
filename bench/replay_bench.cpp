#include "replay_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "sim/replay.h"
#include "spec/memory.h"
#include "trace/request_encoder.h"

namespace diffram::bench {

namespace {

constexpr std::uint64_t kRequestBytes = 64;
constexpr std::uint64_t kSpan = std::uint64_t{1} << 32;  // of the addresses, half the memory
constexpr std::size_t kRequests = 400'000;               // then the same again
constexpr base::Clock kClock = base::Clock::from_hertz(1'600'000'000);

std::vector<base::TimedRequest> made_up(bool is_random) {
  std::vector<base::TimedRequest> requests(kRequests);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < kRequests; ++i) {
    requests[i].cycle = i * 2;
    requests[i].address =
        is_random ? random() % (kSpan / kRequestBytes) * kRequestBytes : i * kRequestBytes;
    if (is_random ? random() % 3 == 0 : i / 4096 % 4 == 3)
      requests[i].direction = base::Direction::write;
  }
  return requests;
}

/// The first `left` requests of what is there, again and again.
class Feed final : public base::RequestFeed {
 public:
  Feed(std::vector<base::TimedRequest> requests, std::int64_t left)
      : requests_(std::move(requests)), left_(left) {}
  Feed(std::string bytes, std::int64_t left) : bytes_(std::move(bytes)), left_(left) {}

  base::Result<std::size_t> read(std::span<base::TimedRequest> out) override {
    out = out.first(std::min(out.size(), static_cast<std::size_t>(left_)));
    auto held = bytes_.empty() ? copy(out) : decode(out);
    if (held) left_ -= static_cast<std::int64_t>(*held);
    return held;
  }

 private:
  std::size_t copy(std::span<base::TimedRequest> out) {
    if (next_ == requests_.size()) next_ = 0;
    const std::size_t held = std::min(out.size(), requests_.size() - next_);
    std::copy_n(requests_.begin() + static_cast<std::ptrdiff_t>(next_), held, out.begin());
    next_ += held;
    return held;
  }
  base::Result<std::size_t> decode(std::span<base::TimedRequest> out) {
    if (out.empty()) return 0;
    for (int tries = 0; tries < 2; ++tries) {
      if (source_ != nullptr) {
        auto held = source_->read(out);
        if (!held || *held > 0) return held;
      }
      auto source = trace::open_request_memory(bytes_, "trace");
      if (!source) return tl::unexpected(source.error());
      source_ = std::move(*source);
    }
    return 0;
  }

  std::vector<base::TimedRequest> requests_;
  std::size_t next_ = 0;
  std::string bytes_;
  std::unique_ptr<trace::RequestSource> source_;
  std::int64_t left_;
};

/// Empty: there is no such format.
std::string trace_of(std::vector<base::TimedRequest> requests, const std::string& format) {
  std::string bytes;
  for (const trace::RequestFormat& known : trace::request_formats()) {
    if (known.name != format) continue;
    if (known.needs_bytes) {
      for (auto& request : requests) request.bytes = kRequestBytes;
    }
    const auto encoder = known.make();
    trace::RequestTraceFacts facts;
    facts.clock = kClock;
    encoder->begin(facts, bytes);
    encoder->encode(requests, bytes);
    encoder->end(bytes);
  }
  return bytes;
}

}  // namespace

int run_replay(const std::string& mode, std::int64_t requests) {
  const auto dash = mode.find('-', mode.find('-') + 1);
  const std::string traffic = mode.substr(0, dash);
  const std::string format = dash == std::string::npos ? "" : mode.substr(dash + 1);
  const auto made = made_up(traffic == "replay-random");
  const std::string bytes = format == "memory" ? "" : trace_of(made, format);
  if ((traffic != "replay-random" && traffic != "replay-sequential") ||
      (format != "memory" && bytes.empty())) {
    fmt::print(stderr, "replay-random-FORMAT or replay-sequential-FORMAT, not {}\n", mode);
    return 2;
  }
  const auto memory =
      spec::load_memory({std::string(DIFFRAM_SOURCE_DIR) + "/specs"}, "ddr4-3200-8g-2ch");
  if (!memory) {
    fmt::print(stderr, "ddr4-3200-8g-2ch does not load\n");
    return 3;
  }
  Feed feed = bytes.empty() ? Feed(made, requests) : Feed(bytes, requests);
  const auto started = std::chrono::steady_clock::now();
  const auto result = sim::replay(feed, "trace", *memory, {});
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().front().text());
    return 3;
  }
  fmt::print("{}: {} requests, {} cycles, {:.3f} s, {:.2f} M requests/s\n", mode,
             result->requests_completed, result->cycles, seconds.count(),
             static_cast<double>(result->requests_completed) / seconds.count() / 1e6);
  return 0;
}

}  // namespace diffram::bench
