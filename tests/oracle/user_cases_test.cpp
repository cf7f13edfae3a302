// The controller's part of public user cases (golden/user_cases.json): what the engine must give
// for the traffic of U06 (DRAMSys#38) and U10 (gpgpu-sim#298), and U04 (ramulator2#69).

#include <gtest/gtest.h>

#include "ctrl/channel.h"
#include "oracle/ramulator_cases.h"
#include "spec/address_map.h"

namespace diffram::oracle {
namespace {

struct Figures {
  std::int64_t cycles = 0, activations = 0, hits = 0;
};

/// `requests` reads of 64 B, the n-th at `address(n)` and `arrival(n)`.
template <class Address, class Arrival>
Figures replay(const spec::MemorySpec& spec, std::int64_t requests, Address&& address,
               Arrival&& arrival) {
  ctrl::ChannelOptions options;
  options.attribution = false;
  const auto channel = ctrl::make_channel(spec, base::ChannelId(0), options);
  for (std::int64_t n = 0; n < requests; ++n) {
    if (n % 1000 == 0 && arrival(n) > channel->now().value)
      channel->advance(base::Cycles(arrival(n)));
    channel->submit(
        {static_cast<std::uint64_t>(address(n)), 64, base::kNoOrigin, base::Direction::read},
        base::Cycles(arrival(n)), static_cast<std::uint64_t>(n));
    channel->clear_completions();
  }
  Figures out;
  out.cycles = channel->drain().value;
  const auto counters = channel->take_counters();
  for (const auto& bank : counters.banks) out.activations += bank.act;
  out.hits = counters.unnamed.hits;
  return out;
}

/// 8,192 B of row, row bits above column bits, no refresh: activations are those of demand.
spec::MemorySpec ddr4_2400() {
  auto spec = ramulator_ddr4(1);
  spec.timings["nREFI"] = 0;
  spec.map = *spec::build_address_map("ro ba bg ra co ch", {}, spec.organisation);
  return spec;
}

TEST(UserCase, U06_thinning_single_lines_destroys_row_locality) {
  const auto every_10 = [](std::int64_t n) { return 10 * n; };
  const auto whole =
      replay(ddr4_2400(), 1'000'000, [](std::int64_t n) { return 64 * n; }, every_10);
  EXPECT_EQ(whole.activations, 7813);
  EXPECT_EQ(whole.hits, 992'187);
  const auto thin = replay(
      ddr4_2400(), 10'000, [](std::int64_t n) { return 6400 * n; },
      [](std::int64_t n) { return 1000 * n; });
  EXPECT_EQ(thin.activations, 7812);
  EXPECT_EQ(thin.hits, 2188);
}

TEST(UserCase, U06_contiguous_windows_keep_row_locality) {
  // Ten windows of 1,000 lines each.
  const auto line = [](std::int64_t n) { return n / 1000 * 100'000 + n % 1000; };
  const auto windows = replay(
      ddr4_2400(), 10'000, [&](std::int64_t n) { return 64 * line(n); },
      [&](std::int64_t n) { return 10 * line(n); });
  const double per_request = static_cast<double>(windows.activations) / 10'000;
  EXPECT_GE(per_request, 0.0078);
  EXPECT_LE(per_request, 0.0095);
}

/// One channel of the shipped memory at a rate; latencies of the rate's usual speed bin.
spec::MemorySpec at_rate(std::int64_t megatransfers, const std::string& clock_ns, int latency,
                         int write_latency) {
  const auto cycles = [](int n) { return std::to_string(n) + " nCK"; };
  auto memory = spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, "ddr4-3200-8g-2ch",
                                  {{"megatransfers", std::to_string(megatransfers)},
                                   {"clock_ns", clock_ns},
                                   {"timings.tCL", cycles(latency)},
                                   {"timings.tRCD", cycles(latency)},
                                   {"timings.tRP", cycles(latency)},
                                   {"timings.tCWL", cycles(write_latency)},
                                   {"timings.tRC", "46 ns"}});
  if (!memory) throw std::runtime_error(memory.error().front().text());
  memory->organisation.channels = 1;
  memory->map = *spec::build_address_map("ro ra ba co ch bg", {}, memory->organisation);
  return *memory;
}

TEST(UserCase, U10_a_stream_follows_the_device_and_sparse_reads_do_not) {
  struct Times {
    double dense = 0, sparse = 0;  ///< seconds
  };
  const auto times = [](const spec::MemorySpec& memory) {
    const double period = memory.clock.period_s();
    constexpr std::int64_t kDense = 100'000, kSparse = 1000;
    const auto in_order = [](std::int64_t n) { return 64 * n; };
    const auto at_once = [](std::int64_t) { return 0; };
    const auto each_microsecond = [&](std::int64_t n) {
      return static_cast<std::int64_t>(static_cast<double>(n) * 1e-6 / period);
    };
    Times out;
    out.dense = static_cast<double>(replay(memory, kDense, in_order, at_once).cycles) * period;
    out.sparse =
        static_cast<double>(replay(memory, kSparse, in_order, each_microsecond).cycles) * period;
    EXPECT_GE(kDense * 64 / out.dense, 0.85 * memory.peak_bytes_per_s());
    return out;
  };
  const Times slow = times(at_rate(1866, "1.0718", 13, 10));
  const Times fast = times(at_rate(3200, "0.625", 22, 16));
  EXPECT_GE(slow.dense / fast.dense, 1.5);
  EXPECT_LE(slow.dense / fast.dense, 1.85);
  EXPECT_NEAR(slow.sparse / fast.sparse, 1, 0.02);
}

/// What is left of a channel when it is made, fed, ticked and dropped step by step.
class Instance {
 public:
  explicit Instance(const spec::MemorySpec& memory) {
    ctrl::ChannelOptions options;
    options.on_command = [this](const ctrl::IssuedCommand& command) { log_->push_back(command); };
    channel_ = ctrl::make_channel(memory, base::ChannelId(0), options);
  }

  /// One read a cycle, then a hundred cycles at once.
  void step(std::int64_t at) {
    if (at < 1000) {
      channel_->submit(
          {static_cast<std::uint64_t>(64 * at), 64, base::kNoOrigin, base::Direction::read},
          base::Cycles(at), static_cast<std::uint64_t>(at));
      channel_->advance(base::Cycles(at + 1));
    } else {
      channel_->advance(base::Cycles(channel_->now().value + 100));
    }
  }
  const std::vector<ctrl::IssuedCommand>& log() const { return *log_; }

 private:
  std::unique_ptr<std::vector<ctrl::IssuedCommand>> log_ =
      std::make_unique<std::vector<ctrl::IssuedCommand>>();
  std::unique_ptr<ctrl::Channel> channel_;
};

TEST(UserCase, U04_simulators_side_by_side_do_not_see_each_other) {
  constexpr std::int64_t kSteps = 1100;
  const auto memory = at_rate(2400, "0.8333", 16, 12);
  std::vector<std::unique_ptr<Instance>> eight(8);
  for (auto& instance : eight) instance = std::make_unique<Instance>(memory);
  for (std::int64_t at = 0; at < kSteps; ++at) {
    if (at == kSteps / 2) eight[3].reset();
    for (auto& instance : eight) {
      if (instance) instance->step(at);
    }
  }
  Instance alone(memory);
  for (std::int64_t at = 0; at < kSteps; ++at) alone.step(at);
  EXPECT_GE(alone.log().size(), 1000u);
  for (const auto& instance : eight) {
    if (!instance) continue;
    EXPECT_EQ(instance->log(), alone.log());
  }
}

}  // namespace
}  // namespace diffram::oracle
