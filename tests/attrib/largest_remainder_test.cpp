#include "attrib/largest_remainder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace diffram::attrib {
namespace {

using testing::ElementsAre;

TEST(LargestRemainder, gives_the_rest_to_the_largest_remainders) {
  EXPECT_THAT(cut_by_largest_remainder(10, std::vector<std::int64_t>{1, 1, 1}),
              ElementsAre(4, 3, 3));
  EXPECT_THAT(cut_by_largest_remainder(10, std::vector<std::int64_t>{6, 1, 5}),
              ElementsAre(5, 1, 4));
  EXPECT_THAT(cut_by_largest_remainder(7, std::vector<std::int64_t>{0, 3}), ElementsAre(0, 7));
}

TEST(LargestRemainder, parts_sum_to_the_total_and_stay_within_one_of_their_share) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> weights(1 + random() % 50);
    for (auto& w : weights) w = static_cast<std::int64_t>(random() % 1'000'000'000'000);
    weights[0] += 1;
    const auto total = static_cast<std::int64_t>(random() % 1'000'000'000'000);
    const auto parts = cut_by_largest_remainder(total, weights);
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), total);
    const auto all =
        static_cast<long double>(std::accumulate(weights.begin(), weights.end(), std::int64_t{0}));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const long double share = static_cast<long double>(total) * weights[i] / all;
      EXPECT_LT(std::abs(static_cast<long double>(parts[i]) - share), 1.0L);
    }
  }
}

}  // namespace
}  // namespace diffram::attrib
