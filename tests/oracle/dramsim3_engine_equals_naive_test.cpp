// The engine gives the naive model's commands, figures and aborts in random
// configurations and traffic. A failure prints the seed; `DIFFRAM_SEED=n` runs
// it alone, `DIFFRAM_RUNS=n` that many.

#include <gtest/gtest.h>

#include "oracle/dramsim3_compare.h"
#include "oracle/dramsim3_engine.h"
#include "oracle/dramsim3_random.h"
#include "oracle/many_runs.h"

namespace diffram::oracle::dramsim3 {
namespace {

constexpr std::uint64_t kRuns = 400;

bool agrees(std::uint64_t seed) {
  const auto one = random_case(seed);
  const auto naive = run_naive(one.ini, one.trace, one.cycles);
  const auto found = difference(naive, run_engine(one.ini, one.trace, one.cycles));
  EXPECT_EQ(found, "") << "seed " << seed << ", " << one.cycles << " cycles, " << one.ini;
  return found.empty();
}

TEST(dramsim3_random, engine_equals_naive) { in_random_runs(kRuns, agrees); }

// tFAW = -18: the fourth ACT of rank 0 leaves a window that began below cycle 0, wraps and never
// ends. Rank 1 is not under it.
TEST(dramsim3_negative_window, binds_its_own_rank_alone) {
  const std::string ini =
      "[system]\nchannel_size=4096\naddress_mapping=rochrababgco\n[timing]\ntFAW=-18\n";
  std::string trace;
  for (int rank = 0; rank < 2; ++rank) {
    for (int bank = 0; bank < 4; ++bank)
      trace += hexadecimal(static_cast<std::uint64_t>(rank << 15 | bank << 13)) + " READ " +
               std::to_string(60 * rank) + "\n";
  }
  const auto naive = run_naive(ini, trace, 300);
  EXPECT_NE(naive.channels[0].log.find("ACT 1 1 1 0"), std::string::npos) << naive.channels[0].log;
  EXPECT_EQ(difference(naive, run_engine(ini, trace, 300)), "");
}

}  // namespace
}  // namespace diffram::oracle::dramsim3
