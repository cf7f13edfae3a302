// What must not change the simulation: how it is cut into calls, and whether it is billed.

#include <gtest/gtest.h>

#include <sstream>

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

// Every idle moment is a place to stop: the channel is thrown away and a new one takes its state.
Outcome run_with_rests(std::uint64_t seed, bool restores) {
  const spec::MemorySpec spec = random_memory(seed);
  auto memory = std::make_unique<WatchedChannel>(spec);
  Outcome outcome;
  const auto take_completions = [&] {
    for (const auto& done : memory->channel->completions()) {
      outcome.completions[done.ticket] = done.cycle;
    }
    memory->channel->clear_completions();
  };
  std::size_t submitted = 0;
  for (const auto& timed : random_traffic(seed, 200)) {
    if (++submitted % 10 == 0) {
      memory->channel->drain();
      take_completions();
      if (restores) {
        std::stringstream state;
        memory->channel->save(state);
        auto fresh = std::make_unique<WatchedChannel>(spec);
        fresh->channel->restore(state);
        fresh->commands = std::move(memory->commands);
        fresh->next_ticket = memory->next_ticket;
        memory = std::move(fresh);
      }
    }
    memory->submit(timed.run, std::max(timed.arrival, memory->channel->now().value));
  }
  outcome.end = memory->channel->drain().value;
  take_completions();
  outcome.commands = memory->commands;
  outcome.counters = memory->channel->take_counters();
  return outcome;
}

TEST(SameRun, a_channel_restored_from_its_state_goes_on_as_if_it_had_not_stopped) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Outcome whole = run_with_rests(seed, false);
    const Outcome restored = run_with_rests(seed, true);
    ASSERT_EQ(whole.commands, restored.commands) << "seed " << seed;
    ASSERT_EQ(whole.completions, restored.completions) << "seed " << seed;
    ASSERT_EQ(whole.end, restored.end) << "seed " << seed;
    ASSERT_TRUE(whole.counters == restored.counters) << "seed " << seed;
  }
}

}  // namespace
}  // namespace diffram::ctrl
