// The rules of the CUDA caching allocator, one by one, and how it runs out of memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "lower/placement/cuda_size_rules.h"
#include "lower/placement/placement.h"

namespace diffram::lower {
namespace {

using testing::HasSubstr;
constexpr std::int64_t MiB = 1 << 20;

std::unique_ptr<Allocator> cuda(std::uint64_t capacity, const AllocatorOptions& options = {}) {
  auto allocator = make_allocator("cuda", capacity, options);
  EXPECT_TRUE(allocator) << allocator.error().front().text();
  return std::move(*allocator);
}

std::uint64_t address(Allocator& allocator, std::uint32_t storage, std::int64_t bytes) {
  const auto result = allocator.allocate(storage, bytes);
  EXPECT_TRUE(result) << result.error().front().text();
  return result.value_or(0);
}

std::string code_of(const base::Errors& errors) { return errors.front().code; }

// pytorch/pytorch#1529: the order of two batch shapes decides whether memory runs out.
TEST(cuda_allocator, a_smaller_batch_first_leaves_too_little_in_one_piece_for_the_larger) {
  const auto allocator = cuda(67108864);
  address(*allocator, 0, 31457280);
  ASSERT_TRUE(allocator->release(0));
  address(*allocator, 1, 12582912);
  const auto refused = allocator->allocate(2, 41943040);
  ASSERT_FALSE(refused);
  EXPECT_EQ(code_of(refused.error()), "out_of_memory");
  const auto& failure = allocator->failure();
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->at.reserved, 31457280);
  EXPECT_EQ(failure->at.allocated, 12582912);
  EXPECT_EQ(failure->at.cached(), 18874368);
  EXPECT_EQ(failure->at.device_free(), 35651584);
  EXPECT_EQ(failure->at.cached() + failure->at.device_free(), 54525952);
  EXPECT_TRUE(failure->is_fragmentation());
  EXPECT_THAT(refused.error().front().message, HasSubstr("fragmentation"));
}

TEST(cuda_allocator, the_larger_batch_first_leaves_a_segment_that_serves_both) {
  const auto allocator = cuda(67108864);
  address(*allocator, 0, 41943040);
  ASSERT_TRUE(allocator->release(0));
  address(*allocator, 1, 31457280);
  ASSERT_TRUE(allocator->release(1));
  address(*allocator, 2, 12582912);
  EXPECT_EQ(allocator->reserved_bytes(), 41943040);
  EXPECT_FALSE(allocator->failure());
}

TEST(cuda_allocator, a_lack_of_memory_is_not_called_fragmentation) {
  const auto allocator = cuda(32 * MiB);
  address(*allocator, 0, 20 * MiB);
  ASSERT_FALSE(allocator->allocate(1, 30 * MiB));
  EXPECT_FALSE(allocator->failure()->is_fragmentation());
  EXPECT_EQ(allocator->failure()->segment_bytes, 30 * MiB);
}

TEST(cuda_allocator, cached_segments_go_back_before_a_request_fails) {
  const auto allocator = cuda(64 * MiB);
  address(*allocator, 0, 20 * MiB);
  address(*allocator, 1, 20 * MiB);
  ASSERT_TRUE(allocator->release(0));
  ASSERT_TRUE(allocator->release(1));
  EXPECT_EQ(allocator->reserved_bytes(), 40 * MiB);
  address(*allocator, 2, 50 * MiB);
  EXPECT_EQ(allocator->reserved_bytes(), 50 * MiB);
}

TEST(cuda_allocator, a_segment_with_one_live_block_does_not_go_back) {
  const auto allocator = cuda(64 * MiB);
  address(*allocator, 0, 4 * MiB);
  address(*allocator, 1, 4 * MiB);
  ASSERT_TRUE(allocator->release(0));
  ASSERT_FALSE(allocator->allocate(2, 50 * MiB));
  EXPECT_EQ(allocator->reserved_bytes(), 20 * MiB);
}

TEST(cuda_allocator, a_program_that_grows_fragments_until_the_device_is_full) {
  // Every sequence is longer than the one before: no cached piece is ever large enough.
  const auto allocator = cuda(160 * MiB);
  std::uint32_t storage = 0;
  for (std::int64_t bytes = 12 * MiB; bytes <= 24 * MiB; bytes += 4 * MiB) {
    address(*allocator, storage, bytes);
    address(*allocator, storage + 1, 2 * MiB);
    ASSERT_TRUE(allocator->release(storage));
    storage += 2;
  }
  EXPECT_EQ(allocator->live_bytes(), 8 * MiB);
  EXPECT_GT(allocator->reserved_bytes(), 60 * MiB);
}

TEST(cuda_allocator, a_small_block_is_cut_from_two_mebibytes_and_a_medium_one_from_twenty) {
  const auto allocator = cuda(64 * MiB);
  address(*allocator, 0, 1 * MiB);
  EXPECT_EQ(allocator->reserved_bytes(), 2 * MiB);
  address(*allocator, 1, 1 * MiB + 1);
  EXPECT_EQ(allocator->reserved_bytes(), 22 * MiB);
  address(*allocator, 2, 10 * MiB);
  EXPECT_EQ(allocator->reserved_bytes(), 22 * MiB) << "fits behind the medium block";
}

TEST(cuda_allocator, from_ten_mebibytes_on_a_segment_is_rounded_to_two) {
  EXPECT_EQ(CudaSizeRules::segment_bytes(10 * MiB - 512), 20u * MiB);
  EXPECT_EQ(CudaSizeRules::segment_bytes(10 * MiB), 10u * MiB);
  EXPECT_EQ(CudaSizeRules::segment_bytes(10 * MiB + 512), 12u * MiB);
}

TEST(cuda_allocator, a_small_piece_is_split_down_to_512_bytes_a_large_one_only_above_a_mebibyte) {
  const auto allocator = cuda(64 * MiB);
  address(*allocator, 0, 1 * MiB);
  address(*allocator, 1, 1 * MiB - 512);
  EXPECT_EQ(allocator->occupancy().cached(), 512);
  const auto large = cuda(64 * MiB);
  address(*large, 0, 11 * MiB);
  EXPECT_EQ(large->occupancy().allocated, 12 * MiB) << "a rest of 1 MiB is not split off";
  const auto larger = cuda(64 * MiB);
  address(*larger, 0, 11 * MiB - 512);
  EXPECT_EQ(larger->occupancy().allocated, 11 * MiB - 512);
}

TEST(cuda_allocator, the_smallest_piece_that_fits_is_taken_and_the_lowest_of_equal_ones) {
  const auto allocator = cuda(64 * MiB);
  const auto first = address(*allocator, 0, 4 * MiB);
  address(*allocator, 1, 2 * MiB);
  const auto smaller = address(*allocator, 2, 3 * MiB);
  address(*allocator, 3, 2 * MiB);
  const auto equal = address(*allocator, 4, 3 * MiB);
  address(*allocator, 5, 2 * MiB);
  for (const std::uint32_t storage : {0u, 2u, 4u}) ASSERT_TRUE(allocator->release(storage));
  EXPECT_EQ(address(*allocator, 6, 3 * MiB), smaller);
  EXPECT_EQ(address(*allocator, 7, 3 * MiB), equal);
  EXPECT_EQ(address(*allocator, 8, 3 * MiB), first);
}

TEST(cuda_allocator, freed_neighbours_become_one_piece) {
  const auto allocator = cuda(64 * MiB);
  const auto first = address(*allocator, 0, 6 * MiB);
  address(*allocator, 1, 6 * MiB);
  address(*allocator, 2, 8 * MiB);
  ASSERT_TRUE(allocator->release(0));
  ASSERT_TRUE(allocator->release(2));
  ASSERT_TRUE(allocator->release(1));
  EXPECT_EQ(allocator->blocks().size(), 1u);
  EXPECT_EQ(address(*allocator, 3, 20 * MiB), first);
  EXPECT_EQ(allocator->reserved_bytes(), 20 * MiB);
}

TEST(cuda_allocator, pieces_of_neighbouring_segments_stay_apart) {
  const auto allocator = cuda(64 * MiB);
  address(*allocator, 0, 20 * MiB);
  address(*allocator, 1, 20 * MiB);
  ASSERT_TRUE(allocator->release(0));
  ASSERT_TRUE(allocator->release(1));
  EXPECT_EQ(allocator->blocks().size(), 2u);
}

TEST(cuda_allocator, roundup_power2_divisions_rounds_to_equal_steps_between_powers_of_two) {
  const auto rules = CudaSizeRules::from({{"roundup_power2_divisions", "4"}});
  ASSERT_TRUE(rules);
  EXPECT_EQ(rules->block_bytes(2048), 2048u) << "up to 512 bytes a division: 512-byte steps";
  EXPECT_EQ(rules->block_bytes(2049), 2560u);
  EXPECT_EQ(rules->block_bytes(4097), 5120u);
  EXPECT_EQ(rules->block_bytes(33 * MiB), 40u * MiB);
  EXPECT_EQ(rules->block_bytes(64 * MiB), 64u * MiB);
}

TEST(cuda_allocator, max_split_size_keeps_a_large_piece_for_large_requests) {
  const auto allocator = cuda(128 * MiB, {{"max_split_size_mb", "32"}});
  const auto large = address(*allocator, 0, 40 * MiB);
  ASSERT_TRUE(allocator->release(0));
  EXPECT_NE(address(*allocator, 1, 12 * MiB), large);
  EXPECT_EQ(address(*allocator, 2, 36 * MiB), large);
  EXPECT_EQ(allocator->occupancy().allocated, 52 * MiB) << "and gives it whole";
}

TEST(cuda_allocator, max_split_size_gives_back_one_oversize_segment_not_all) {
  const auto allocator = cuda(128 * MiB, {{"max_split_size_mb", "32"}});
  address(*allocator, 0, 12 * MiB);
  address(*allocator, 1, 64 * MiB);
  ASSERT_TRUE(allocator->release(0));
  ASSERT_TRUE(allocator->release(1));
  // 64 MiB is 20 MiB and more too large for it, and 52 MiB are free on the device.
  ASSERT_TRUE(allocator->allocate(2, 44 * MiB));
  address(*allocator, 3, 40 * MiB);
  EXPECT_EQ(allocator->reserved_bytes(), (12 + 44 + 40) * MiB);
}

TEST(cuda_allocator, an_option_it_does_not_know_is_refused_with_the_nearest) {
  const auto refused = make_allocator("cuda", 1 << 30, {{"max_split_size", "32"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(code_of(refused.error()), "unknown_key");
  EXPECT_EQ(refused.error().front().expected, "max_split_size_mb");
}

TEST(cuda_allocator, expandable_segments_are_refused_not_ignored) {
  const auto refused = make_allocator("cuda", 1 << 30, {{"expandable_segments", "True"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(code_of(refused.error()), "not_modelled");
  EXPECT_TRUE(make_allocator("cuda", 1 << 30, {{"expandable_segments", "False"}}));
}

TEST(cuda_allocator, values_out_of_range_are_all_named_at_once) {
  const auto refused = make_allocator(
      "cuda", 1 << 30, {{"max_split_size_mb", "20"}, {"roundup_power2_divisions", "3"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().size(), 2u);
}

}  // namespace
}  // namespace diffram::lower
