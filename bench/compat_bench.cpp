#include "compat_bench.h"

#include <fmt/format.h>

#include <chrono>
#include <random>
#include <vector>

#include "sim/dramsim3_client.h"
#include "spec/dramsim3_config.h"

namespace diffram::bench {

namespace {

constexpr std::uint64_t kRequestBytes = 64;
constexpr std::uint64_t kSpan = std::uint64_t{1} << 34;  // of the addresses, half the memory
constexpr std::size_t kRequests = 65536;                 // then the same again
/// A little more than the slower traffic needs for one request, so that nothing idles long.
constexpr std::uint64_t kMostCyclesPerRequest = 12;

/// All requests wait from cycle 0: the queues are always full.
class MemoryFeed final : public sim::ClientFeed {
 public:
  MemoryFeed(bool is_random, std::int64_t count) : left_(count) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < kRequests; ++i) {
      sim::ClientRequest request;
      request.address =
          is_random ? random() % (kSpan / kRequestBytes) * kRequestBytes : i * kRequestBytes;
      request.is_write = is_random && random() % 3 == 0;
      requests_.push_back(request);
    }
  }

  Fetched fetch(sim::ClientRequest& request) override {
    request = requests_[next_++ % kRequests];
    --left_;
    return Fetched::whole;
  }
  bool at_end() const override { return left_ == 0; }

 private:
  std::vector<sim::ClientRequest> requests_;
  std::uint64_t next_ = 0;
  std::int64_t left_;
};

}  // namespace

int run_compat(const std::string& mode, std::int64_t requests) {
  if (mode != "compat-sequential" && mode != "compat-random") {
    fmt::print(stderr, "compat-sequential or compat-random, not {}\n", mode);
    return 2;
  }
  const auto config =
      spec::load_dramsim3_config(std::string(DIFFRAM_SOURCE_DIR) + "/bench/ddr4_3200_2ch.ini");
  if (!config) {
    fmt::print(stderr, "{}\n", config.error().front().text());
    return 3;
  }
  MemoryFeed feed(mode == "compat-random", requests);
  sim::ClientOptions options;
  options.cycles = static_cast<std::uint64_t>(requests) * kMostCyclesPerRequest;
  const auto started = std::chrono::steady_clock::now();
  const auto result = sim::run_dramsim3(*config, feed, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::uint64_t commands = 0, columns = 0;
  for (const auto& channel : result.channels) {
    for (const auto count : channel.commands) commands += count;
    columns += channel.reads() + channel.writes();
  }
  fmt::print("{}: {} requests, {} commands, {} of them columns, {:.3f} s, {:.2f} M requests/s\n",
             mode, result.requests_sent, commands, columns, seconds.count(),
             static_cast<double>(result.requests_sent) / seconds.count() / 1e6);
  return 0;
}

}  // namespace diffram::bench
