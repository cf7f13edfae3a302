#include "base/result.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace diffram::base {
namespace {

TEST(Error, text_names_place_field_and_what_was_expected) {
  const Error error{"unknown_key", "unknown key", "m.toml", 3, "controller.schedular", "scheduler"};
  EXPECT_EQ(error.text(), "m.toml:3: controller.schedular: unknown key (expected scheduler)");
  EXPECT_EQ((Error{"x", "message", "", 0, "", ""}).text(), "message");
}

TEST(Nearest, finds_a_swapped_letter_and_refuses_what_is_far) {
  const std::vector<std::string> names = {"ddr4-3200-8g-2ch", "ddr4-3200-32g-2ch"};
  EXPECT_EQ(nearest("ddr4-3200-8g-2hc", names), "ddr4-3200-8g-2ch");
  EXPECT_EQ(nearest("banana", names), "");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Clock, covers_a_time_with_the_fewest_periods) {
  const Clock memory(625'000, 1);  // 0.625 ns
  const Clock machine = Clock::from_hertz(1'000'000'000);
  EXPECT_EQ(memory.cover(5, machine).value, 8);  // 5 ns is exactly 8 periods
  EXPECT_EQ(memory.cover(3, machine).value, 5);  // 4.8 periods
  EXPECT_EQ(memory.cover(0, machine).value, 0);
}

TEST(Clock, keeps_periods_that_are_no_whole_picoseconds) {
  const Clock clock = Clock::from_hertz(2'400'000'000);  // 416.6… ps
  EXPECT_EQ(clock.cover(2'400'000'000, clock).value, 2'400'000'000);
  EXPECT_DOUBLE_EQ(clock.seconds(Cycles(2'400'000'000)).value, 1.0);
}

}  // namespace
}  // namespace diffram::base
