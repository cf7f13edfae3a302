// The engine's own commands keep every rule, in random (spec, policy, traffic) runs; and the
// checker is not blind: the same logs with one command moved break some. `DIFFRAM_RUNS=n` asks for
// more runs, `DIFFRAM_SEED=n` for one.

#include <gtest/gtest.h>

#include "check/log_check.h"
#include "check/random_bill.h"
#include "check/small_log.h"
#include "oracle/many_runs.h"
#include "oracle/random_run.h"

namespace diffram::check {
namespace {

constexpr std::uint64_t kRuns = 300;

std::vector<Command> engine_log(const oracle::RandomRun& run) {
  std::vector<Command> log;
  for (const auto& c :
       oracle::run_engine(run.spec, run.channel, run.requests, run.drive).commands) {
    log.push_back(testing::command_of(c));
  }
  return log;
}

bool is_clean(std::uint64_t seed) {
  const auto run = oracle::random_run(seed);
  const auto found = testing::violations_in(run.spec, engine_log(run));
  if (found.empty()) return true;
  const auto rules = rules_of(run.spec);
  ADD_FAILURE() << "seed " << seed << ": " << found.size() << " violations, the first of "
                << rules[found[0].rule].name << ": " << text_of(found[0].after) << " after "
                << (found[0].before ? text_of(*found[0].before) : "nothing");
  return false;
}

TEST(EngineLogs, keep_every_rule_in_random_runs) { oracle::in_random_runs(kRuns, is_clean); }

// Many commands come as early as the table allows: a cycle earlier they must be found.
TEST(EngineLogs, with_a_command_moved_forward_break_a_rule) {
  constexpr std::uint64_t kMovedRuns = 20;
  constexpr std::size_t kMoves = 30;  // a run
  std::size_t found_in = 0;
  for (std::uint64_t seed = 1; seed <= kMovedRuns; ++seed) {
    const auto run = oracle::random_run(seed);
    const auto log = engine_log(run);
    std::size_t found = 0;
    for (std::size_t i = 1; i < log.size(); i += 1 + log.size() / kMoves) {
      if (log[i].cycle - 1 <= log[i - 1].cycle) continue;
      auto moved = log;
      --moved[i].cycle;
      found += testing::violations_in(run.spec, moved).empty() ? 0 : 1;
    }
    found_in += found > 0 ? 1 : 0;
  }
  EXPECT_GT(found_in, kMovedRuns * 3 / 4);
}

}  // namespace
}  // namespace diffram::check
