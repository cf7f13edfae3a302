// The channel of all policies against the fast channel, on what both can do: the same commands,
// cycles, counters and bill, window by window.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "ctrl/frfcfs.h"
#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;

struct Outcome {
  std::vector<IssuedCommand> commands;
  std::vector<std::pair<std::uint64_t, std::int64_t>> completions;
  std::vector<base::ChannelCounters> windows;
  std::int64_t end = 0;
};

Outcome outcome_of(const spec::MemorySpec& spec, std::uint64_t seed, bool fast, bool attribution) {
  std::mt19937_64 random(seed);
  WatchedChannel memory(spec, attribution, 8, true, fast);
  Outcome out;
  std::int64_t cut = 0;
  for (const auto& timed : random_traffic(seed, 200)) {
    if (random() % 20 == 0 && timed.arrival > cut) {
      cut = timed.arrival;
      memory.channel->advance(base::Cycles(cut));
      out.windows.push_back(memory.channel->take_counters());
    }
    memory.submit(timed.run, timed.arrival);
  }
  out.end = memory.channel->drain().value;
  memory.channel->advance(base::Cycles(out.end + 12'345));
  out.windows.push_back(memory.channel->take_counters());
  out.commands = memory.commands;
  for (const auto& done : memory.channel->completions())
    out.completions.emplace_back(done.ticket, done.cycle);
  return out;
}

bool is_fast(const spec::MemorySpec& memory) {
  const auto channel = make_channel(memory, base::ChannelId(0), {});
  return dynamic_cast<const Frfcfs*>(channel.get()) != nullptr;
}

std::string first_difference(const Outcome& a, const Outcome& b) {
  const auto [left, right] = std::ranges::mismatch(a.commands, b.commands);
  const auto told = [](auto at, auto end) {
    if (at == end) return std::string("none");
    return fmt::format("{} in rank {}, bank {} at {}", spec::name_of(at->command), at->rank,
                       at->bank, at->cycle);
  };
  return told(left, a.commands.end()) + " and " + told(right, b.commands.end());
}

void expect_the_same(const spec::MemorySpec& memory, std::uint64_t seed) {
  ASSERT_TRUE(is_fast(memory));
  const bool attribution = seed % 4 != 0;
  const Outcome fast = outcome_of(memory, seed, true, attribution);
  const Outcome general = outcome_of(memory, seed, false, attribution);
  ASSERT_TRUE(fast.commands == general.commands)
      << "seed " << seed << ": " << first_difference(fast, general);
  ASSERT_EQ(fast.completions, general.completions) << "seed " << seed;
  ASSERT_EQ(fast.end, general.end) << "seed " << seed;
  ASSERT_EQ(fast.windows.size(), general.windows.size());
  for (std::size_t i = 0; i < fast.windows.size(); ++i) {
    ASSERT_EQ(fast.windows[i].bill, general.windows[i].bill) << "seed " << seed << ", " << i;
    ASSERT_TRUE(fast.windows[i] == general.windows[i]) << "seed " << seed << ", window " << i;
  }
}

TEST(PolicyChannel, gives_what_the_fast_channel_gives) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) expect_the_same(random_memory(2 * seed), seed);
}

TEST(PolicyChannel, powers_down_as_the_fast_channel_does) {
  std::size_t tried = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    spec::MemorySpec memory = random_memory(2 * seed);
    if (memory.protocol.split_buses) continue;  // served by the channel of all policies
    constexpr std::array<std::uint32_t, 4> kAfter = {1, 20, 64, 300};
    memory.controller.power_down_after = kAfter[seed % kAfter.size()];
    expect_the_same(memory, seed);
    ++tried;
  }
  EXPECT_GT(tried, 100U);
}

// The fast channel decides the column and the row command of a cycle at once.
TEST(PolicyChannel, serves_two_buses_only_where_the_table_ties_them_together) {
  const spec::MemorySpec memory = random_memory(4);
  ASSERT_TRUE(memory.protocol.split_buses);
  EXPECT_TRUE(is_fast(memory));
  auto tied = memory;
  tied.constraints.push_back({spec::Scope::rank, spec::Command::RD, spec::Command::ACT, 1, 1, 0});
  EXPECT_FALSE(is_fast(tied));
  auto on_whole_clocks = memory;
  on_whole_clocks.protocol.rising_edge_only = 1u << static_cast<int>(spec::Command::ACT);
  EXPECT_FALSE(is_fast(on_whole_clocks));
}

}  // namespace
}  // namespace diffram::ctrl
