#pragma once
// A statement about random runs, run by run.

#include <cstdint>
#include <cstdlib>

#include "oracle/sanitizers.h"

namespace diffram::oracle {

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// `agrees(seed)` for the seeds 1 to `usual` (with a sanitizer a part of them), until five have
/// failed. $DIFFRAM_RUNS asks for another number of them, $DIFFRAM_SEED for one alone.
template <class Agrees>
void in_random_runs(std::uint64_t usual, Agrees agrees) {
  constexpr int kMostShown = 5;
  if (const auto seed = number_from("DIFFRAM_SEED", 0); seed != 0) {
    agrees(seed);
    return;
  }
  const auto runs = number_from("DIFFRAM_RUNS", usual / kFewer);
  int failures = 0;
  for (std::uint64_t seed = 1; seed <= runs && failures < kMostShown; ++seed) {
    failures += !agrees(seed);
  }
}

}  // namespace diffram::oracle
