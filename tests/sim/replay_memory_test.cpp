// A replay keeps what is on the way and what it counts, never the trace: ten times the requests
// take no more memory.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "oracle/sanitizers.h"
#include "sim/replay.h"
#include "spec/memory.h"

namespace diffram::sim {
namespace {

// Pages of this process in memory. 0 where that says nothing: beside Linux, and under sanitizers,
// which keep freed memory aside and shadow what is used.
std::int64_t resident_bytes() {
  if (oracle::kSanitized) return 0;
  std::ifstream statm("/proc/self/statm");
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  constexpr std::int64_t kPage = 4096;
  return statm >> pages >> resident ? resident * kPage : 0;
}

/// Random requests, made one at a time.
class MadeUp final : public base::RequestFeed {
 public:
  MadeUp(std::uint64_t capacity, std::uint64_t count) : capacity_(capacity), count_(count) {}

  base::Result<std::size_t> read(std::span<base::TimedRequest> out) override {
    if (sent_ == count_) {
      resident_ = resident_bytes();
      return 0;
    }
    base::TimedRequest& request = out.front();
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX generator
    request.address = (state_ >> 24) % capacity_;
    request.direction = state_ >> 62 == 0 ? base::Direction::write : base::Direction::read;
    request.cycle = sent_++ * 5;
    return 1;
  }
  std::int64_t resident() const { return resident_; }

 private:
  std::uint64_t capacity_, count_;
  std::uint64_t state_ = 1, sent_ = 0;
  std::int64_t resident_ = 0;
};

// What is in memory when the last request has been handed over.
std::int64_t resident_after(const spec::MemorySpec& memory, std::uint64_t count) {
  MadeUp feed(memory.organisation.capacity_bytes(), count);
  const auto result = replay(feed, "made up", memory, {});
  EXPECT_TRUE(result && result->requests_completed == count);
  return feed.resident();
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
