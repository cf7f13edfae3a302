// Speed of one channel of a memory (ddr4-3200-8g-2ch) on made-up traffic; its channels are fed, one
// after the other, as a single-threaded run does. `tools/check_gates.py` runs it under callgrind.
//
//   engine_bench                         the table of rates: all modes, three times
//   engine_bench MODE on|off COUNT [MEMORY]   MODE: long-runs runs-8 random stride-4k
//   engine_bench MODE off COUNT          MODE: compat-sequential compat-random
//   engine_bench MODE on COUNT           MODE: replay-random-memory, replay-sequential-dramsim3 …
//
// COUNT is in bursts of the memory; `on|off` is attribution, which compat has not and replays
// always have.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "compat_bench.h"
#include "ctrl/channel.h"
#include "ctrl/channel_finder.h"
#include "ctrl/memory_tables.h"
#include "replay_bench.h"
#include "spec/memory.h"

namespace {

using namespace diffram;

constexpr const char* kMemory = "ddr4-3200-8g-2ch";
constexpr std::uint64_t kLine = 64;                            // bytes: the traffic of all memories
constexpr std::uint64_t kMostSpan = std::uint64_t{1} << 32;    // of the addresses
constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 20;  // equal traffic for all memories
constexpr std::size_t kOrigins = 64;
constexpr std::size_t kRequests = 65536;  // then the same again

// The n-th run of a mode; the same in every program run.
class Traffic {
 public:
  Traffic(const std::string& mode, std::uint64_t span)
      : is_random_(mode == "random"),
        is_stride_(mode == "stride-4k"),
        bytes_((mode == "long-runs" ? 128 : 8) * kLine),
        span_(span) {}

  base::Request next() {
    base::Request run;
    const std::uint64_t index = index_++;
    if (is_random_) {
      run.address = random_() % (span_ / kLine) * kLine;
      run.bytes = kLine;
      run.direction = random_() % 3 == 0 ? base::Direction::write : base::Direction::read;
      run.origin = base::OriginId(static_cast<std::uint32_t>(index / 4096 % kOrigins));
    } else if (is_stride_) {
      run.address = index * 4096 % span_;
      run.bytes = kLine;
      run.origin = base::OriginId(static_cast<std::uint32_t>(index / 4096 % kOrigins));
    } else {
      // Tensors read and written in turn: 3 runs of one, 1 of the other, as an op does.
      run.bytes = bytes_;
      run.direction = index / 256 % 4 == 3 ? base::Direction::write : base::Direction::read;
      run.address = index * run.bytes % span_;
      run.origin = base::OriginId(static_cast<std::uint32_t>(index / 256 % kOrigins));
    }
    return run;
  }

 private:
  bool is_random_, is_stride_;
  std::uint64_t bytes_, span_;
  std::mt19937_64 random_{1};
  std::uint64_t index_ = 0;
};

int run(const std::string& mode, bool attribution, std::int64_t count, const std::string& name) {
  const auto memory = spec::load_memory({std::string(DIFFRAM_SOURCE_DIR) + "/specs"}, name);
  if (!memory) {
    fmt::print(stderr, "{} does not load\n", name);
    return 3;
  }
  std::vector<std::unique_ptr<ctrl::Channel>> channels;
  ctrl::ChannelOptions options;
  options.origins = kOrigins;
  options.attribution = attribution;
  options.tables = std::make_shared<ctrl::MemoryTables>(*memory);
  for (std::uint32_t c = 0; c < memory->organisation.channels; ++c) {
    channels.push_back(ctrl::make_channel(*memory, base::ChannelId(c), options));
  }
  const ctrl::ChannelFinder finder(memory->map, ctrl::MemoryTables::addresses_of(options.tables));
  const std::uint64_t burst_bytes = memory->organisation.burst_bytes();
  Traffic traffic(mode, std::min(kMostSpan, memory->organisation.capacity_bytes() / 2));
  // Made before the count: the generator costs a tenth of the engine.
  std::vector<base::Request> requests;
  for (std::size_t i = 0; i < kRequests; ++i) requests.push_back(traffic.next());
  const auto started = std::chrono::steady_clock::now();
  std::int64_t bursts = 0;
  std::uint64_t ticket = 0;
  while (bursts < count) {
    // Enough in the front end that the channels never wait for it, little enough for the caches.
    const auto most = static_cast<std::int64_t>(kBatchBytes / burst_bytes);
    for (std::int64_t batch = 0; batch < most && bursts < count;) {
      const base::Request& request = requests[ticket % kRequests];
      const auto size = static_cast<std::int64_t>(request.bytes / burst_bytes);
      if (channels.size() <= 2) {  // as the counts of DDR4 have been taken from the beginning
        for (auto& channel : channels) channel->submit(request, channel->now(), ticket);
      } else {
        finder.for_each(request.address, request.bytes, [&](std::uint32_t c, const auto* first) {
          channels[c]->submit(request, channels[c]->now(), ticket, first);
        });
      }
      ++ticket;
      batch += size;
      bursts += size;
    }
    for (auto& channel : channels) {
      channel->drain();
      channel->clear_completions();
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::int64_t cycles = 0;
  std::int64_t hits = 0;
  std::int64_t columns = 0;
  for (auto& channel : channels) {
    const auto counters = channel->take_counters();
    cycles += counters.cycles;
    for (const auto& origin : counters.origins) {
      hits += origin.hits;
      columns += origin.reads + origin.writes;
    }
  }
  fmt::print(
      "{} attribution {}, path {}: {} bursts, {} bus cycles, {:.1f} % row hits, {:.3f} s, {:.2f} M "
      "bursts/s\n",
      mode, attribution ? "on" : "off", dram::name_of(options.simd), bursts, cycles,
      100.0 * static_cast<double>(hits) / static_cast<double>(columns), seconds.count(),
      static_cast<double>(bursts) / seconds.count() / 1e6);
  return 0;
}

struct Row {
  const char* mode;
  bool attribution;
  std::int64_t count;  ///< about a second's
};

constexpr Row kTable[] = {
    {"long-runs", true, 60'000'000},
    {"long-runs", false, 60'000'000},
    {"runs-8", true, 30'000'000},
    {"runs-8", false, 30'000'000},
    {"random", true, 6'000'000},
    {"random", false, 6'000'000},
    {"stride-4k", true, 15'000'000},
    {"compat-sequential", false, 12'000'000},
    {"compat-random", false, 4'000'000},
    {"replay-random-memory", true, 4'000'000},
    {"replay-random-dramsim3", true, 4'000'000},
    {"replay-random-diffram", true, 4'000'000},
    {"replay-sequential-memory", true, 12'000'000},
    {"replay-sequential-dramsim3", true, 12'000'000},
    {"replay-sequential-diffram", true, 12'000'000},
};
// A machine that others use is slow at times, never fast: the best of the three is nearest to it.
constexpr int kTimes = 3;

int run_one(const std::string& mode, bool attribution, std::int64_t count,
            const std::string& memory = kMemory) {
  if (mode.starts_with("compat-")) return bench::run_compat(mode, count);
  if (mode.starts_with("replay-")) return bench::run_replay(mode, count);
  return run(mode, attribution, count, memory);
}

int run_table() {
  for (const Row& row : kTable) {
    for (int time = 0; time < kTimes; ++time) {
      if (const int code = run_one(row.mode, row.attribution, row.count); code != 0) return code;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) return run_table();
  const bool is_engine = !words[0].starts_with("compat-") && !words[0].starts_with("replay-");
  if (words.size() < 3 || words.size() > (is_engine ? 4 : 3) ||
      (words[1] != "on" && words[1] != "off") ||
      (words[0].starts_with("compat-") && words[1] == "on") ||
      (words[0].starts_with("replay-") && words[1] == "off")) {
    fmt::print(stderr,
               "engine_bench                    all rates, or\n"
               "engine_bench long-runs|runs-8|random|stride-4k on|off COUNT [MEMORY], or\n"
               "engine_bench compat-sequential|compat-random off COUNT, or\n"
               "engine_bench replay-sequential-FORMAT|replay-random-FORMAT on COUNT\n");
    return 2;
  }
  return run_one(words[0], words[1] == "on", std::strtoll(words[2].c_str(), nullptr, 10),
                 words.size() == 4 ? words[3] : kMemory);
}
