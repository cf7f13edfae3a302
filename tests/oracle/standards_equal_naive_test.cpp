// Over the tables of all standards: the engine's commands, cycles and completions are those of the
// naive model, the checker finds nothing in its log, and its bill adds up. A failure prints the
// seed; `DIFFRAM_SEED=n` runs it alone.

#include <gtest/gtest.h>

#include <map>

#include "oracle/difference.h"
#include "oracle/many_runs.h"
#include "oracle/random_standard.h"

namespace diffram::oracle {
namespace {

constexpr std::uint64_t kRuns = 600;

std::string about(const RandomRun& run) {
  const auto& c = run.spec.controller;
  return run.traffic + ", " + std::to_string(run.requests.size()) + " requests, ranks " +
         std::to_string(run.spec.organisation.ranks) + ", " + c.scheduler + ", " +
         name_of(c.page_policy) + (c.refresh_by_parts ? ", by parts" : "") + ", postpone " +
         std::to_string(c.refresh_postpone) + ", pull in " + std::to_string(c.refresh_pull_in) +
         ", sleep " + std::to_string(c.power_down_after) + "/" +
         std::to_string(c.self_refresh_after) + ", map " + run.spec.map.text;
}

bool agrees(std::uint64_t seed) {
  const auto run = random_standard_run(seed);
  const auto naive = run_naive(run.spec, run.channel, run.requests, run.drive);
  const auto engine = run_engine(run.spec, run.channel, run.requests, run.drive);
  const auto found = difference(engine, naive);
  EXPECT_TRUE(found.empty()) << "seed " << seed << ": " << about(run) << "\n  " << found;
  const auto breach = breach_of(run.spec, engine);
  EXPECT_TRUE(breach.empty()) << "seed " << seed << ": " << about(run) << "\n  " << breach;
  return found.empty() && breach.empty();
}

TEST(StandardsEqualNaive, in_random_runs) { in_random_runs(kRuns, agrees); }

// A comparison of what never happens proves nothing.
TEST(StandardsEqualNaive, in_runs_that_meet_every_command_a_channel_issues) {
  std::map<spec::Command, int> issued;
  std::map<std::string, int> standards;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const auto run = random_standard_run(seed);
    ++standards[run.spec.standard];
    for (const auto& c : run_engine(run.spec, run.channel, run.requests, run.drive).commands)
      ++issued[c.command];
  }
  EXPECT_EQ(standards.size(), 12u);
  for (const auto command :
       {spec::Command::ACT, spec::Command::PRE, spec::Command::PREA, spec::Command::RD,
        spec::Command::RDA, spec::Command::WR, spec::Command::WRA, spec::Command::REFab,
        spec::Command::REFpb, spec::Command::REFsb, spec::Command::CAS_RD, spec::Command::CAS_WR,
        spec::Command::PDE, spec::Command::PDX, spec::Command::SREFE, spec::Command::SREFX})
    EXPECT_GE(issued[command], 10) << name_of(command);
}

// Each bus cycle is billed to one cause, whatever the table.
TEST(StandardsEqualNaive, and_every_bus_cycle_has_one_owner) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto run = random_standard_run(seed);
    const auto channel = ctrl::make_channel(run.spec, base::ChannelId(run.channel), {});
    for (std::size_t i = 0; i < run.requests.size(); ++i)
      channel->submit(run.requests[i].request, base::Cycles(run.requests[i].arrival), i);
    const auto end = channel->drain().value;
    std::int64_t billed = 0;
    for (const auto& [key, cycles] : channel->take_counters().bill) billed += cycles;
    EXPECT_EQ(billed, end) << "seed " << seed << ": " << about(run);
  }
}

}  // namespace
}  // namespace diffram::oracle
