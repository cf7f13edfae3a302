// Which peak a kernel's work is divided by.

#include "lower/pacing_rates.h"

#include <gtest/gtest.h>

#include "small_program.h"

namespace diffram::lower {
namespace {

TEST(PacingRates, products_take_the_array_at_the_familys_efficiency) {
  auto machine = testing::edge_machine();
  PacingRates rates(machine);
  EXPECT_DOUBLE_EQ(rates.rate("gemm", trace::DType::f16).macs_per_cycle, 128 * 128 * 0.8);
  EXPECT_DOUBLE_EQ(rates.rate("convolution", trace::DType::f32).macs_per_cycle,
                   128 * 128 * 0.25 * 0.7);
  EXPECT_TRUE(rates.assumptions().empty());
}

TEST(PacingRates, an_efficiency_that_is_not_stated_counts_as_one_and_is_said) {
  auto machine = testing::edge_machine();
  machine.efficiency.erase("gemm");
  PacingRates rates(machine);
  EXPECT_DOUBLE_EQ(rates.rate("gemm", trace::DType::f16).macs_per_cycle, 128 * 128);
  ASSERT_EQ(rates.assumptions().size(), 1u);
  EXPECT_EQ(rates.assumptions()[0].field, "machine.efficiency.gemm");
}

TEST(PacingRates, a_family_that_no_kernel_has_is_refused_with_the_nearest_name) {
  auto machine = testing::edge_machine();
  EXPECT_TRUE(PacingRates::check_families(machine));
  machine.efficiency["convolutoin"] = 0.5;
  const auto checked = PacingRates::check_families(machine);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error()[0].expected, "convolution");
}

}  // namespace
}  // namespace diffram::lower
