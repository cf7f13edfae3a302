// Histories of real CUDA caching allocators: every address they gave is predicted.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "placement/recorded_history.h"

namespace diffram::lower {
namespace {

const std::string kData = std::string(DIFFRAM_SOURCE_DIR) + "/tests/oracle/data/";

void expect_all_predicted(const ReplayScore& score, int allocations, int segment_allocs) {
  EXPECT_EQ(score.allocations, allocations);
  EXPECT_EQ(score.addresses_predicted, allocations);
  EXPECT_EQ(score.segment_allocs, segment_allocs);
  EXPECT_EQ(score.segment_sizes_predicted, segment_allocs);
  EXPECT_TRUE(score.final_blocks_are_equal);
}

/// Files whose licence does not let us pass them on.
std::string not_distributed(const std::string& name) {
  const char* shared = std::getenv("DIFFRAM_SHARED");
  if (!shared) return {};
  const auto file = std::filesystem::path(shared) / "real" / name;
  return std::filesystem::exists(file) ? file.string() : std::string();
}

TEST(recorded_history, an_attention_benchmark_from_an_empty_allocator) {
  const auto history = read_history(kData + "cuda_attention_benchmark.jsonl.gz");
  const auto score = replay(history);
  EXPECT_EQ(score.segments_at_start, 0u);
  expect_all_predicted(score, 36, 9);
}

TEST(recorded_history, forward_passes_in_steady_state_under_autocast) {
  const auto score = replay(read_history(kData + "cuda_lm_forward_steady_bf16.jsonl.gz"));
  EXPECT_EQ(score.segments_at_start, 43u);
  expect_all_predicted(score, 937, 0);
}

TEST(recorded_history, an_adamw_step) {
  const auto file = not_distributed("cuda_caching_allocator_adamw_step.jsonl.gz");
  if (file.empty()) GTEST_SKIP() << "skipped: not distributed";
  const auto score = replay(read_history(file));
  EXPECT_EQ(score.segments_at_start, 999u);
  expect_all_predicted(score, 6488, 0);
}

TEST(recorded_history, forward_passes_that_grow_segments) {
  const auto file = not_distributed("cuda_snapshot/lm_forward_ctx128.pickle.gz");
  if (file.empty()) GTEST_SKIP() << "skipped: not distributed";
  const std::string events = testing::TempDir() + "diffram_lm_forward_ctx128.jsonl";
  const std::string command = "python3 '" + std::string(DIFFRAM_SOURCE_DIR) +
                              "/tools/cuda_events.py' '" + file + "' > '" + events + "'";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto score = replay(read_history(events));
  std::filesystem::remove(events);
  EXPECT_EQ(score.segments_at_start, 227u);
  expect_all_predicted(score, 2058, 289);
}

}  // namespace
}  // namespace diffram::lower
