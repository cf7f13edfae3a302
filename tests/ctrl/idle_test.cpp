// Idle time is passed in whole refresh intervals: with the counters and the bill of a channel that
// steps through every refresh, as one whose commands are logged does.

#include <gtest/gtest.h>

#include <cstdlib>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;

constexpr std::size_t kOrigins = 8;

struct Told {
  std::vector<base::ChannelCounters> windows;
  std::vector<std::pair<std::uint64_t, std::int64_t>> completions;
};

// Bursts of requests with long pauses, some of them known before; windows end anywhere.
Told tell(std::uint64_t seed, bool attribution, bool step_through) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  spec::MemorySpec memory = random_memory(seed);
  memory.timings["nREFI"] = static_cast<std::int32_t>(700 + below(4000));
  ChannelOptions options;
  options.origins = kOrigins;
  options.attribution = attribution;
  if (step_through) options.on_command = [](const IssuedCommand&) {};
  const auto channel = make_channel(memory, base::ChannelId(0), options);
  Told told;
  std::uint64_t ticket = 0;
  std::int64_t arrival = 0;
  for (int round = 0; round < 12; ++round) {
    arrival = std::max(arrival, channel->now().value);
    for (const auto& timed : random_traffic(seed * 100 + static_cast<std::uint64_t>(round), 20)) {
      if (below(8) == 0) arrival += below(150'000);
      channel->submit(timed.run, base::Cycles(arrival), ticket++);
    }
    if (below(3) == 0) {
      channel->advance(base::Cycles(channel->now().value + 1 + below(100'000)));
      told.windows.push_back(channel->take_counters());
    }
    channel->drain();
    channel->set_idle_account(base::Cause::idle_end, base::OriginId(3));
    for (const auto& done : channel->completions()) {
      told.completions.emplace_back(done.ticket, done.cycle);
    }
    channel->clear_completions();
    channel->advance(base::Cycles(channel->now().value + 1 + below(300'000)));
    if (below(2) == 0) told.windows.push_back(channel->take_counters());
  }
  told.windows.push_back(channel->take_counters());
  return told;
}

// One read whose arrival is known, or that comes when its time has come.
base::ChannelCounters bill_of_one(std::int64_t arrival, bool known, bool fast) {
  spec::MemorySpec memory = ddr4_3200();
  memory.timings["nREFI"] = 1500;
  memory.controller.power_down_after = 10;
  ChannelOptions options;
  options.origins = kOrigins;
  options.fast = fast;
  const auto channel = make_channel(memory, base::ChannelId(0), options);
  if (!known) channel->advance(base::Cycles(arrival));
  channel->submit({0, kBurst, base::OriginId(1), base::Direction::read}, base::Cycles(arrival), 0);
  channel->drain();
  return channel->take_counters();
}

// Also just after a command of a rank: to sleep, to wake up, to refresh.
TEST(IdleTime, ends_with_a_run_in_any_cycle) {
  for (std::int64_t arrival = 1400; arrival < 2100; ++arrival) {
    for (const bool known : {true, false}) {
      ASSERT_EQ(bill_of_one(arrival, known, true).bill, bill_of_one(arrival, known, false).bill)
          << "arrival " << arrival << (known ? ", known before" : "");
    }
  }
}

TEST(IdleTime, counts_what_stepping_through_it_counts) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const bool attribution : {true, false}) {
      const Told passed = tell(seed, attribution, false);
      const Told stepped = tell(seed, attribution, true);
      ASSERT_EQ(passed.completions, stepped.completions) << "seed " << seed;
      ASSERT_EQ(passed.windows.size(), stepped.windows.size());
      for (std::size_t i = 0; i < passed.windows.size(); ++i) {
        ASSERT_TRUE(passed.windows[i] == stepped.windows[i]) << "seed " << seed << " window " << i;
      }
    }
  }
}

// 2^60 cycles: stepping through them would take years.
TEST(IdleTime, takes_no_longer_when_there_is_more_of_it) {
  spec::MemorySpec memory = ddr4_3200(1, 2);
  const std::int64_t interval = 12'480;
  memory.timings["nREFI"] = static_cast<std::int32_t>(interval);
  const std::int64_t far = std::int64_t{1} << 60;
  ChannelOptions options;
  options.origins = kOrigins;
  const auto channel = make_channel(memory, base::ChannelId(0), options);
  channel->submit({0, kBurst, base::OriginId(1), base::Direction::read}, base::Cycles(0), 0);
  channel->submit({0, kBurst, base::OriginId(1), base::Direction::read}, base::Cycles(far), 1);
  channel->drain();
  const auto counters = channel->take_counters();
  ASSERT_EQ(channel->completions().size(), 2u);
  EXPECT_GE(channel->completions().back().cycle, far);
  EXPECT_LT(channel->completions().back().cycle, far + 1000);
  for (const auto& rank : counters.ranks) {
    EXPECT_LE(std::abs(rank.refreshes - far / interval), 1);
    EXPECT_EQ(rank.any_open_cycles + rank.closed_cycles, counters.cycles);
  }
  std::int64_t billed = 0;
  for (const auto& [key, cycles] : counters.bill) billed += cycles;
  EXPECT_EQ(billed, counters.cycles);
}

}  // namespace
}  // namespace diffram::ctrl
