// The engine gives the naive model's commands, figures and aborts in random
// configurations and traffic. A failure prints the seed; `DIFFRAM_SEED=n` runs
// it alone, `DIFFRAM_RUNS=n` that many.

#include <gtest/gtest.h>

#include <cstdlib>

#include "oracle/dramsim3_compare.h"
#include "oracle/dramsim3_engine.h"
#include "oracle/dramsim3_random.h"

namespace diffram::oracle::dramsim3 {
namespace {

constexpr std::uint64_t kRuns = 400;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

bool agrees(std::uint64_t seed) {
  const auto one = random_case(seed);
  const auto naive = run_naive(one.ini, one.trace, one.cycles);
  const auto found = difference(naive, run_engine(one.ini, one.trace, one.cycles));
  EXPECT_EQ(found, "") << "seed " << seed << ", " << one.cycles << " cycles, " << one.ini;
  return found.empty();
}

TEST(dramsim3_random, engine_equals_naive) {
  if (const auto seed = number_from("DIFFRAM_SEED", 0); seed != 0) {
    agrees(seed);
    return;
  }
  constexpr int kMostShown = 5;
  const auto runs = number_from("DIFFRAM_RUNS", kRuns);
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= runs && failures < kMostShown; ++seed)
    failures += !agrees(seed);
}

}  // namespace
}  // namespace diffram::oracle::dramsim3
