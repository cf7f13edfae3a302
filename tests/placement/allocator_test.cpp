// What holds for every allocator, and the two plain ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <string>

#include "lower/placement/placement.h"

namespace diffram::lower {
namespace {

std::unique_ptr<Allocator> make(const std::string& name, std::uint64_t capacity) {
  auto allocator = make_allocator(name, capacity);
  EXPECT_TRUE(allocator);
  return std::move(*allocator);
}

class every_allocator : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<Allocator> allocator_ = make(GetParam(), std::uint64_t{1} << 30);
};

TEST_P(every_allocator, gives_a_storage_of_no_bytes_no_memory) {
  const auto address = allocator_->allocate(0, 0);
  ASSERT_TRUE(address);
  EXPECT_EQ(allocator_->occupancy(), (Occupancy{.capacity = 1 << 30}));
  EXPECT_TRUE(allocator_->address_of(0));
  EXPECT_TRUE(allocator_->release(0));
  EXPECT_FALSE(allocator_->address_of(0));
}

TEST_P(every_allocator, refuses_a_storage_that_is_already_live) {
  ASSERT_TRUE(allocator_->allocate(7, 100));
  const auto again = allocator_->allocate(7, 100);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().front().code, "storage_live");
  EXPECT_THAT(again.error().front().message, testing::HasSubstr("storage 7"));
}

TEST_P(every_allocator, refuses_to_release_what_is_not_live) {
  for (const bool was_live : {false, true}) {
    if (was_live) {
      ASSERT_TRUE(allocator_->allocate(3, 100));
      ASSERT_TRUE(allocator_->release(3));
    }
    const auto refused = allocator_->release(3);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "storage_not_live");
  }
}

TEST_P(every_allocator, refuses_negative_and_absurd_sizes) {
  EXPECT_EQ(allocator_->allocate(0, -1).error().front().code, "negative_size");
  EXPECT_EQ(allocator_->allocate(0, INT64_MAX).error().front().code, "out_of_memory");
  EXPECT_EQ(allocator_->live_bytes(), 0);
}

TEST_P(every_allocator, names_what_is_carried_over_anew_and_moves_nothing) {
  const auto before = allocator_->allocate(0, 4096);
  const auto after = allocator_->allocate(1, 4096);
  ASSERT_TRUE(before && after);
  ASSERT_TRUE(allocator_->release(0));
  const std::vector<trace::Carry> carries = {{.after = 1, .before = 0}};
  ASSERT_TRUE(allocator_->carry(carries));
  EXPECT_EQ(allocator_->address_of(0), *after);
  EXPECT_FALSE(allocator_->address_of(1));
  EXPECT_FALSE(allocator_->carry(carries)) << "nothing is left to carry";
}

TEST_P(every_allocator, keeps_live_storages_apart_and_its_sums_true) {
  std::mt19937_64 random(1);
  std::map<std::uint32_t, std::int64_t> live;
  for (int turn = 0; turn < 3000; ++turn) {
    const auto storage = static_cast<std::uint32_t>(random() % 200);
    if (live.contains(storage)) {
      ASSERT_TRUE(allocator_->release(storage));
      live.erase(storage);
    } else {
      const auto bytes =
          static_cast<std::int64_t>(random() % (std::uint64_t{1} << (random() % 25)));
      if (allocator_->allocate(storage, bytes)) live[storage] = bytes;
    }
    if (turn % 100 != 0) continue;
    std::int64_t live_bytes = 0, allocated = 0;
    for (const auto& [id, bytes] : live) live_bytes += bytes;
    std::uint64_t behind = 0;
    for (const auto& block : allocator_->blocks()) {
      ASSERT_GE(block.address, behind);
      behind = block.address + block.bytes;
      if (block.storage == Block::kCached) continue;
      allocated += static_cast<std::int64_t>(block.bytes);
      ASSERT_GE(static_cast<std::int64_t>(block.bytes), live.at(block.storage));
      ASSERT_EQ(allocator_->address_of(block.storage), block.address);
    }
    ASSERT_LE(behind, std::uint64_t{1} << 30);
    ASSERT_EQ(allocator_->live_bytes(), live_bytes);
    ASSERT_EQ(allocator_->occupancy().allocated, allocated);
    ASSERT_LE(allocated, allocator_->reserved_bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(placement, every_allocator, testing::Values("cuda", "cpu", "bump"),
                         [](const auto& named) { return std::string(named.param); });

TEST(allocators, a_name_nobody_knows_is_refused_with_the_nearest) {
  const auto refused = make_allocator("cudaa", 1 << 30);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().expected, "cuda");
  EXPECT_FALSE(make_allocator("cpu", 1 << 30, {{"max_split_size_mb", "32"}}));
}

TEST(cpu_allocator, aligns_small_storages_to_64_bytes_and_large_ones_to_pages) {
  const auto allocator = make("cpu", 1 << 30);
  ASSERT_TRUE(allocator->allocate(0, 1));
  EXPECT_EQ(*allocator->allocate(1, 1) - *allocator->address_of(0), 64u);
  const auto large = allocator->allocate(2, (128 << 10) + 1);
  ASSERT_TRUE(large);
  EXPECT_EQ(*large % 4096, 0u);
  EXPECT_EQ(allocator->occupancy().allocated, 2 * 64 + (132 << 10));
}

TEST(cpu_allocator, gives_pages_of_large_storages_back_at_once) {
  const auto allocator = make("cpu", 1 << 30);
  ASSERT_TRUE(allocator->allocate(0, 1 << 20));
  ASSERT_TRUE(allocator->release(0));
  EXPECT_EQ(allocator->reserved_bytes(), 0);
}

TEST(bump_allocator, puts_one_storage_behind_the_other_and_reuses_only_the_end) {
  const auto allocator = make("bump", 4096);
  EXPECT_EQ(*allocator->allocate(0, 100), 0u);
  EXPECT_EQ(*allocator->allocate(1, 100), 128u);
  ASSERT_TRUE(allocator->release(0));
  EXPECT_EQ(*allocator->allocate(2, 64), 256u);
  ASSERT_TRUE(allocator->release(2));
  ASSERT_TRUE(allocator->release(1));
  EXPECT_EQ(*allocator->allocate(3, 64), 0u);
}

}  // namespace
}  // namespace diffram::lower
