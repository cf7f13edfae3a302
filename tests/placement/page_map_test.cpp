#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "lower/placement/placement.h"

namespace diffram::lower {
namespace {

std::unique_ptr<PageMap> map_of(const std::string& name, std::uint64_t capacity,
                                std::uint64_t seed = 1) {
  auto map = make_page_map(name, capacity, seed);
  EXPECT_TRUE(map);
  return std::move(*map);
}

struct Pages {
  const char* name;
  std::uint64_t page_bytes;
};

class every_page_map : public testing::TestWithParam<Pages> {};

TEST_P(every_page_map, is_one_to_one_on_the_memory_even_when_pages_do_not_fill_it) {
  const auto [name, page] = GetParam();
  const std::uint64_t capacity = 301 * page + 320;
  const auto map = map_of(name, capacity);
  std::set<std::uint64_t> seen;
  for (std::uint64_t address = 0; address < capacity; address += page / 16) {
    const std::uint64_t physical = map->physical(address);
    ASSERT_LT(physical, capacity);
    ASSERT_EQ(physical % 64, address % 64);
    ASSERT_TRUE(seen.insert(physical).second);
  }
}

TEST_P(every_page_map, keeps_together_what_it_says_is_contiguous) {
  const auto [name, page] = GetParam();
  const std::uint64_t capacity = 37 * page + 100;
  const auto map = map_of(name, capacity);
  for (std::uint64_t address = 0; address < capacity;) {
    const std::uint64_t bytes = map->contiguous_bytes(address);
    ASSERT_GT(bytes, 0u);
    ASSERT_LE(address + bytes, capacity);
    ASSERT_EQ(map->physical(address + bytes - 1), map->physical(address) + bytes - 1);
    address += bytes;
  }
}

INSTANTIATE_TEST_SUITE_P(placement, every_page_map,
                         testing::Values(Pages{"identity", 4096}, Pages{"random-4k", 4096},
                                         Pages{"random-2m", 2 << 20}, Pages{"interleaved", 4096}),
                         [](const auto& named) {
                           std::string word = named.param.name;
                           for (char& c : word) c = c == '-' ? '_' : c;
                           return word;
                         });

TEST(page_maps, one_seed_gives_one_map_and_another_seed_another) {
  const auto first = map_of("random-4k", 1 << 30, 1), same = map_of("random-4k", 1 << 30, 1);
  const auto other = map_of("random-4k", 1 << 30, 2);
  int differing = 0;
  for (std::uint64_t address = 0; address < (1 << 24); address += 4096) {
    ASSERT_EQ(first->physical(address), same->physical(address));
    differing += first->physical(address) != other->physical(address);
  }
  EXPECT_GT(differing, 4000) << "of 4096 pages";
}

TEST(page_maps, random_pages_are_spread_over_the_whole_memory) {
  const auto map = map_of("random-2m", std::uint64_t{8} << 30);
  int in_upper_half = 0;
  for (std::uint64_t page = 0; page < 1000; ++page) {
    in_upper_half += map->physical(page << 21) >= std::uint64_t{4} << 30;
  }
  EXPECT_NEAR(in_upper_half, 500, 80) << "five standard deviations of a fair coin";
}

TEST(page_maps, interleaved_pages_go_round_robin_to_the_parts_of_the_memory) {
  const std::uint64_t capacity = 64 * 4096;
  const auto map = map_of("interleaved", capacity);
  for (std::uint64_t page = 0; page < 8; ++page) {
    EXPECT_EQ(map->physical(page * 4096) / (capacity / kInterleavedRegions),
              page % kInterleavedRegions);
  }
}

TEST(page_maps, a_memory_smaller_than_a_page_is_left_as_it_is) {
  const auto map = map_of("random-2m", 4096);
  EXPECT_EQ(map->physical(4095), 4095u);
  EXPECT_EQ(map->contiguous_bytes(0), 4096u);
}

TEST(page_maps, a_name_nobody_knows_is_refused_with_the_nearest) {
  const auto refused = make_page_map("random-4m", 1 << 30, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().field, "page_map");
  EXPECT_FALSE(refused.error().front().expected.empty());
}

}  // namespace
}  // namespace diffram::lower
