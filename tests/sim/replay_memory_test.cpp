// A replay keeps what is on the way and what it counts, never the trace: ten times the requests
// take no more memory.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sim/replay.h"
#include "spec/memory.h"

namespace diffram::sim {
namespace {

// Pages of this process in memory. 0 where that says nothing: beside Linux, and under sanitizers,
// which keep freed memory aside and shadow what is used.
std::int64_t resident_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;
#endif
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  constexpr std::int64_t kPage = 4096;
  return statm >> pages >> resident ? resident * kPage : 0;
}

// What is in memory when the last request has been handed over.
std::int64_t resident_after(const spec::MemorySpec& memory, std::uint64_t count) {
  std::uint64_t state = 1;
  std::uint64_t sent = 0;
  std::int64_t resident = 0;
  const auto next = [&](std::span<TimedRequest> out) -> base::Result<std::size_t> {
    if (sent == count) {
      resident = resident_bytes();
      return 0;
    }
    TimedRequest& request = out.front();
    state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
    request.address = (state >> 24) % memory.organisation.capacity_bytes();
    request.direction = state >> 62 == 0 ? base::Direction::write : base::Direction::read;
    request.cycle = sent++ * 5;
    return 1;
  };
  const auto result = replay(next, "made up", memory, {});
  EXPECT_TRUE(result && result->requests_completed == count);
  return resident;
}

TEST(ReplayMemory, does_not_grow_with_the_trace) {
  const auto memory =
      spec::load_memory({std::string(DIFFRAM_SOURCE_DIR) + "/specs"}, "ddr4-3200-8g-2ch");
  ASSERT_TRUE(memory);
  constexpr std::uint64_t kFew = 50'000;
  const std::int64_t after_few = resident_after(*memory, kFew);
  // A byte kept a request would be 450 kB; the allocator's noise is below that.
  EXPECT_LT(resident_after(*memory, 10 * kFew) - after_few, 400'000);
}

}  // namespace
}  // namespace diffram::sim
