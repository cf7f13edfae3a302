// The engine issues the naive model's commands at its cycles, and completes its requests then, over
// 1,000 random (spec, policy, traffic) runs. A failure prints the seed; `DIFFRAM_SEED=n` runs it
// alone.

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "oracle/difference.h"
#include "oracle/many_runs.h"
#include "oracle/random_run.h"

namespace diffram::oracle {
namespace {

constexpr std::uint64_t kRuns = 1000;

std::string about(const RandomRun& run) {
  const auto& o = run.spec.organisation;
  const auto& c = run.spec.controller;
  std::string out =
      run.traffic + ", " + std::to_string(run.requests.size()) + " requests, " +
      std::to_string(o.ranks) + " ranks x " + std::to_string(o.bank_groups) + " x " +
      std::to_string(o.banks_per_group) + " banks, " + c.scheduler + ", " + name_of(c.page_policy) +
      " page, queues " + std::to_string(c.read_queue) + "/" + std::to_string(c.write_queue) +
      ", drain " + std::to_string(c.write_high) + "-" + std::to_string(c.write_low) + ", cap " +
      std::to_string(c.row_hit_cap) + ", wait " + std::to_string(c.max_wait) + ", dispatch " +
      std::to_string(c.dispatch) + ", stagger " + std::to_string(c.refresh_stagger) + ", " +
      name_of(c.queue_shape) + " " + std::to_string(c.bank_queue) + ", strict " +
      std::to_string(c.strict_bypass) + "/" + std::to_string(c.strict_age) + ", groups " +
      std::to_string(c.group_high) + "-" + std::to_string(c.group_low) + ", timeout " +
      std::to_string(c.page_timeout) + ", postpone " + std::to_string(c.refresh_postpone) +
      ", pull in " + std::to_string(c.refresh_pull_in) + ", sleep " +
      std::to_string(c.power_down_after) + "/" + std::to_string(c.self_refresh_after) + ", map " +
      run.spec.map.text + "\n ";
  for (const auto& [name, cycles] : run.spec.timings)
    out += " " + name + "=" + std::to_string(cycles);
  return out;
}

bool agrees(std::uint64_t seed) {
  const auto run = random_run(seed);
  const auto naive = run_naive(run.spec, run.channel, run.requests, run.drive);
  const auto engine = run_engine(run.spec, run.channel, run.requests, run.drive);
  const auto found = difference(engine, naive);
  EXPECT_TRUE(found.empty()) << "seed " << seed << ": " << about(run) << "\n  " << found;
  return found.empty();
}

TEST(EngineEqualsNaive, in_a_thousand_random_runs) { in_random_runs(kRuns, agrees); }

// A comparison of what never happens proves nothing: every policy is drawn, every command issues.
TEST(EngineEqualsNaive, in_runs_that_meet_every_policy_and_command) {
  std::set<std::string> policies;
  std::map<spec::Command, int> issued;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const auto run = random_run(seed);
    policies.insert(run.spec.controller.scheduler);
    policies.insert(name_of(run.spec.controller.page_policy));
    policies.insert(name_of(run.spec.controller.queue_shape));
    for (const auto& c : run_engine(run.spec, run.channel, run.requests, run.drive).commands)
      ++issued[c.command];
  }
  EXPECT_EQ(policies.size(), 4u + spec::kPagePolicyNames.size() + spec::kQueueShapeNames.size());
  for (std::size_t c = 0; c <= static_cast<std::size_t>(spec::Command::SREFX); ++c)  // of DDR4
    EXPECT_GE(issued[static_cast<spec::Command>(c)], 20) << spec::kCommandNames[c];
}

// The engine's times are 16 bits wide from a base that moves: pauses around and beyond that.
TEST(EngineEqualsNaive, over_long_pauses) {
  constexpr std::int64_t kPauses[] = {16'300, 16'384, 20'000, 33'000, 70'000};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    auto run = random_run(seed);
    std::int64_t later = 0;
    for (std::size_t i = 0; i < run.requests.size(); ++i) {
      if (i % 40 == 7) later += kPauses[(seed + i / 40) % 5];
      run.requests[i].arrival += later;
    }
    const Drive drive{true, 0, 0, seed % 2 == 0};
    EXPECT_EQ(difference(run_engine(run.spec, run.channel, run.requests, drive),
                         run_naive(run.spec, run.channel, run.requests, drive)),
              "")
        << "seed " << seed << ": " << about(run);
  }
}

// The shipped memories as they are, on long runs and hot rows: the sizes that users meet.
TEST(EngineEqualsNaive, on_the_shipped_memories) {
  for (const auto& name : spec::list_memories({DIFFRAM_SOURCE_DIR "/specs"})) {
    const auto memory = spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, name);
    ASSERT_TRUE(memory);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      SCOPED_TRACE(name + ", seed " + std::to_string(seed));
      Dice dice(seed);
      const std::uint64_t reach = std::uint64_t{1} << (seed % 2 == 0 ? 20 : 33);
      Traffic traffic(dice, std::min(reach, memory->organisation.capacity_bytes()));
      std::vector<TimedRequest> requests;
      for (auto i = most_requests(traffic.kind()); i > 0; --i) requests.push_back(traffic.next());
      const Drive drive{seed % 3 == 0, 0, 0, true};
      const auto channel = static_cast<std::uint32_t>(seed / 4 % memory->organisation.channels);
      EXPECT_EQ(difference(run_engine(*memory, channel, requests, drive),
                           run_naive(*memory, channel, requests, drive)),
                "");
    }
  }
}

}  // namespace
}  // namespace diffram::oracle
