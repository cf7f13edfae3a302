// The channel of all policies against the fast channel, on what both can do: the same commands,
// cycles, counters and bill, window by window.

#include <gtest/gtest.h>

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

Outcome outcome_of(std::uint64_t seed, bool fast, bool attribution) {
  std::mt19937_64 random(seed);
  WatchedChannel memory(random_memory(2 * seed), attribution, 8, true, fast);
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

TEST(PolicyChannel, gives_what_the_fast_channel_gives) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const bool attribution = seed % 4 != 0;
    const Outcome fast = outcome_of(seed, true, attribution);
    const Outcome general = outcome_of(seed, false, attribution);
    ASSERT_EQ(fast.commands, general.commands) << "seed " << seed;
    ASSERT_EQ(fast.completions, general.completions) << "seed " << seed;
    ASSERT_EQ(fast.end, general.end) << "seed " << seed;
    ASSERT_EQ(fast.windows.size(), general.windows.size());
    for (std::size_t i = 0; i < fast.windows.size(); ++i) {
      ASSERT_EQ(fast.windows[i].bill, general.windows[i].bill) << "seed " << seed << ", " << i;
      ASSERT_TRUE(fast.windows[i] == general.windows[i]) << "seed " << seed << ", window " << i;
    }
  }
}

}  // namespace
}  // namespace diffram::ctrl
