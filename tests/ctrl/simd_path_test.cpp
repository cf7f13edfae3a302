// Which code path runs changes nothing: commands, completions, counters, bill and energy integers.

#include <gtest/gtest.h>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;

struct Outcome {
  std::vector<IssuedCommand> commands;
  std::vector<std::pair<std::uint64_t, std::int64_t>> completions;
  base::ChannelCounters counters;
};

Outcome run_on(dram::SimdPath path, const spec::MemorySpec& memory, std::uint64_t seed,
               bool attribution) {
  Outcome outcome;
  ChannelOptions options;
  options.origins = 8;
  options.attribution = attribution;
  options.simd = path;
  options.on_command = [&](const IssuedCommand& each) { outcome.commands.push_back(each); };
  const auto channel = make_channel(memory, base::ChannelId(0), options);
  std::uint64_t ticket = 0;
  for (const auto& timed : random_traffic(seed, 300)) {
    channel->submit(timed.run, base::Cycles(timed.arrival), ticket++);
  }
  channel->drain();
  for (const auto& done : channel->completions()) {
    outcome.completions.emplace_back(done.ticket, done.cycle);
  }
  outcome.counters = channel->take_counters();
  return outcome;
}

class SimdPaths : public ::testing::TestWithParam<dram::SimdPath> {};

TEST_P(SimdPaths, gives_the_bytes_of_the_plain_path) {
  if (!dram::is_available(GetParam())) GTEST_SKIP() << "this machine has no such path";
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const spec::MemorySpec memory = random_memory(seed);
    const bool attribution = seed % 3 != 0;
    const Outcome plain = run_on(dram::SimdPath::plain, memory, seed, attribution);
    const Outcome path = run_on(GetParam(), memory, seed, attribution);
    ASSERT_EQ(path.commands, plain.commands) << "seed " << seed;
    ASSERT_EQ(path.completions, plain.completions) << "seed " << seed;
    ASSERT_TRUE(path.counters == plain.counters) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SimdPaths,
                         ::testing::Values(dram::SimdPath::sse2, dram::SimdPath::avx2),
                         [](const auto& path) { return std::string(dram::name_of(path.param)); });

}  // namespace
}  // namespace diffram::ctrl
