// A channel at another operating point: refreshed more often, and with fewer column slots.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;

base::OperatingPoint at_rate(double rate) {
  base::OperatingPoint point;
  point.refresh_rate = rate;
  return point;
}

TEST(OperatingPoint, the_interval_that_runs_ends_and_the_next_has_the_new_length) {
  constexpr std::int64_t interval = 12480;
  spec::MemorySpec memory = ddr4_3200();
  memory.timings["nREFI"] = interval;
  WatchedChannel watched(memory);
  watched.channel->advance(base::Cycles(3 * interval + interval / 2));
  watched.channel->set_operating_point(at_rate(2));
  watched.channel->advance(base::Cycles(6 * interval + 10));
  watched.channel->set_operating_point(at_rate(1));
  watched.channel->advance(base::Cycles(8 * interval));
  auto cycles = watched.cycles_of(spec::Command::REFab);
  std::vector<std::int64_t> apart;
  for (std::size_t i = 1; i < cycles.size(); ++i) apart.push_back(cycles[i] - cycles[i - 1]);
  const std::int64_t half = interval / 2;
  EXPECT_EQ(apart, (std::vector<std::int64_t>{interval, interval, interval, half, half, half, half,
                                              half, interval}));
}

struct Told {
  std::vector<base::ChannelCounters> windows;
  std::vector<IssuedCommand> commands;
};

enum class Way { fast, stepped, all_policies };

// Random traffic with long pauses; the rate changes at each of them.
Told tell(std::uint64_t seed, Way way) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  spec::MemorySpec memory = random_memory(seed);
  memory.timings["nREFI"] = static_cast<std::int32_t>(4000 + below(9000));
  Told told;
  ChannelOptions options;
  options.origins = 8;
  options.fast = way != Way::all_policies;
  if (way != Way::fast)
    options.on_command = [&](const IssuedCommand& command) { told.commands.push_back(command); };
  const auto channel = make_channel(memory, base::ChannelId(0), options);
  std::uint64_t ticket = 0;
  for (std::uint64_t round = 0; round < 10; ++round) {
    std::int64_t arrival = channel->now().value;
    for (const auto& timed : random_traffic(seed * 100 + round, 20))
      channel->submit(timed.run, base::Cycles(arrival += below(40)), ticket++);
    channel->drain();
    channel->clear_completions();
    channel->set_operating_point(at_rate(static_cast<double>(1 << below(2))));
    channel->advance(base::Cycles(channel->now().value + 1 + below(200'000)));
    told.windows.push_back(channel->take_counters());
  }
  return told;
}

TEST(OperatingPoint, idle_time_is_passed_with_the_counters_of_each_refresh_stepped) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    EXPECT_EQ(tell(seed, Way::fast).windows, tell(seed, Way::stepped).windows) << seed;
}

TEST(OperatingPoint, both_channels_answer_alike) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto fast = tell(seed, Way::stepped), slow = tell(seed, Way::all_policies);
    EXPECT_EQ(fast.commands, slow.commands) << seed;
    EXPECT_EQ(fast.windows, slow.windows) << seed;
  }
}

TEST(OperatingPoint, a_throttled_channel_uses_its_share_of_the_slots) {
  std::vector<IssuedCommand> commands;
  ChannelOptions options;
  options.origins = 1;
  options.throttles = true;
  options.on_command = [&](const IssuedCommand& command) { commands.push_back(command); };
  const auto channel = make_channel(ddr4_3200(), base::ChannelId(0), options);
  base::OperatingPoint point;
  point.column_share = 0.25;
  channel->set_operating_point(point);
  channel->submit({0, 1 << 20, base::OriginId(0), base::Direction::read}, base::Cycles(0), 0);
  constexpr std::int64_t kPeriods = 40, kPeriod = 1024;
  channel->advance(base::Cycles(kPeriods * kPeriod));
  std::int64_t columns = 0;
  for (const auto& each : commands) {
    if (each.command != spec::Command::RD) continue;
    ++columns;
    EXPECT_LT(each.cycle % kPeriod, kPeriod / 4);
  }
  const auto counters = channel->take_counters();
  std::map<base::Cause, std::int64_t> bill;
  std::int64_t all = 0;
  for (const auto& [key, cycles] : counters.bill) {
    bill[key.cause] += cycles;
    all += cycles;
  }
  EXPECT_EQ(all, kPeriods * kPeriod);
  EXPECT_GT(columns * 4, kPeriods * kPeriod / 4 * 8 / 10) << "most open slots are used";
  EXPECT_GT(bill[base::Cause::idle_throttle], kPeriods * kPeriod * 6 / 10);
}

}  // namespace
}  // namespace diffram::ctrl
