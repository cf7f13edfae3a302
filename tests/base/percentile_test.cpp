#include "base/percentile.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace diffram::base {
namespace {

TEST(Percentile, is_the_nearest_rank) {
  const std::map<std::int64_t, std::int64_t> counts = {{10, 1}, {20, 2}, {90, 1}};
  EXPECT_EQ(percentile(counts, 0.25), 10);
  EXPECT_EQ(percentile(counts, 0.26), 20);
  EXPECT_EQ(percentile(counts, 0.75), 20);
  EXPECT_EQ(percentile(counts, 0.76), 90);
  EXPECT_EQ(percentile(counts, 1.0), 90);
}

TEST(Percentile, of_nothing_is_zero) {
  EXPECT_EQ(percentile(std::map<std::uint64_t, std::uint64_t>{}, 0.95), 0u);
}

}  // namespace
}  // namespace diffram::base
