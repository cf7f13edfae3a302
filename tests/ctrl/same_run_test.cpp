// What must not change the simulation: how it is cut into calls, and whether it is billed.

#include <gtest/gtest.h>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;

struct Outcome {
  std::vector<IssuedCommand> commands;
  std::map<std::uint64_t, std::int64_t> completions;
  base::ChannelCounters counters;
  std::int64_t end = 0;
};

Outcome finish(WatchedChannel& memory) {
  Outcome outcome;
  outcome.end = memory.channel->drain().value;
  outcome.commands = memory.commands;
  for (const auto& done : memory.channel->completions()) {
    outcome.completions[done.ticket] = done.cycle;
  }
  outcome.counters = memory.channel->take_counters();
  return outcome;
}

Outcome run_at_once(std::uint64_t seed, bool attribution) {
  WatchedChannel memory(random_memory(seed), attribution);
  for (const auto& timed : random_traffic(seed, 200)) memory.submit(timed.run, timed.arrival);
  return finish(memory);
}

// Every run is submitted only when its cycle has come, and time is cut at random.
Outcome run_in_pieces(std::uint64_t seed) {
  std::mt19937_64 random(seed + 99);
  WatchedChannel memory(random_memory(seed));
  for (const auto& timed : random_traffic(seed, 200)) {
    while (memory.channel->now().value < timed.arrival) {
      const auto step = 1 + static_cast<std::int64_t>(random() % (random() % 3 == 0 ? 300 : 3));
      memory.channel->advance(
          base::Cycles(std::min(timed.arrival, memory.channel->now().value + step)));
    }
    memory.submit(timed.run, timed.arrival);
  }
  for (int i = 0; i < 200; ++i) {
    if (memory.channel->idle()) break;
    memory.channel->advance(base::Cycles(memory.channel->now().value + 1));
  }
  return finish(memory);
}

TEST(SameRun, cutting_time_into_pieces_changes_nothing) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Outcome whole = run_at_once(seed, true);
    const Outcome pieces = run_in_pieces(seed);
    ASSERT_EQ(whole.commands, pieces.commands) << "seed " << seed;
    ASSERT_EQ(whole.completions, pieces.completions) << "seed " << seed;
    ASSERT_EQ(whole.end, pieces.end) << "seed " << seed;
    ASSERT_TRUE(whole.counters == pieces.counters) << "seed " << seed;
  }
}

TEST(SameRun, attribution_changes_no_command) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Outcome with = run_at_once(seed, true);
    const Outcome without = run_at_once(seed, false);
    ASSERT_EQ(with.commands, without.commands) << "seed " << seed;
    ASSERT_EQ(with.completions, without.completions) << "seed " << seed;
    ASSERT_EQ(with.counters.read_latency, without.counters.read_latency) << "seed " << seed;
    ASSERT_TRUE(without.counters.bill.empty());
  }
}

TEST(SameRun, every_run_completes_once) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    WatchedChannel memory(random_memory(seed));
    for (const auto& timed : random_traffic(seed, 200)) memory.submit(timed.run, timed.arrival);
    memory.channel->drain();
    ASSERT_EQ(memory.channel->completions().size(), 200u);
    std::int64_t before = 0;
    for (const auto& done : memory.channel->completions()) {
      ASSERT_LE(before, done.cycle);
      before = done.cycle;
    }
    ASSERT_TRUE(memory.channel->idle());
  }
}

TEST(SameRun, waiting_for_each_run_in_turn_changes_no_command) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Outcome whole = run_at_once(seed, true);
    WatchedChannel memory(random_memory(seed));
    const auto traffic = random_traffic(seed, 200);
    for (const auto& timed : traffic) memory.submit(timed.run, timed.arrival);
    for (std::uint64_t ticket = 0; ticket < traffic.size(); ++ticket) {
      memory.channel->advance_until_complete(ticket, base::Cycles(INT64_MAX));
      ASSERT_GE(memory.channel->now().value, whole.completions.at(ticket));
    }
    ASSERT_EQ(finish(memory).commands, whole.commands) << "seed " << seed;
  }
}

}  // namespace
}  // namespace diffram::ctrl
