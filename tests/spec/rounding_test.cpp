// memory-values.md 1: the figures stated there.
#include "spec/rounding.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace diffram::spec {
namespace {

struct Case {
  double nanoseconds;
  std::int64_t megatransfers;
  std::int64_t cycles;
};

base::Clock clock_of(std::int64_t megatransfers) {
  return base::Clock(2'000'000'000, megatransfers);
}

TEST(Rounding, of_shortest_times_is_jedecs_for_ddr4) {
  for (const auto& c : {Case{350, 2400, 421},
                        {350, 2666, 467},
                        {350, 3200, 560},
                        {260, 3200, 416},
                        {4.9, 3200, 8},
                        {45.75, 3200, 74},
                        {32, 3200, 52},
                        {21, 3200, 34}}) {
    const auto clock = clock_of(c.megatransfers);
    EXPECT_EQ(shortest_time_in_cycles(c.nanoseconds, clock.numerator_fs(), clock.denominator(),
                                      "jedec_ddr4"),
              c.cycles)
        << c.nanoseconds << " ns at " << c.megatransfers;
  }
}

TEST(Rounding, of_shortest_times_is_jedecs_for_ddr5) {
  for (const auto& c : {Case{295, 4800, 708},
                        {295, 5600, 824},
                        {295, 6400, 943},
                        {16, 4800, 39},
                        {16, 5600, 45},
                        {16, 6400, 52},
                        {5, 4800, 12},
                        {5, 6400, 16}}) {
    const auto clock = clock_of(c.megatransfers);
    EXPECT_EQ(shortest_time_in_cycles(c.nanoseconds, clock.numerator_fs(), clock.denominator(),
                                      "jedec_ddr5"),
              c.cycles)
        << c.nanoseconds << " ns at " << c.megatransfers;
  }
}

// DRAMSys#37: 7.8 us at DDR4-2400 is 9360 cycles, neither 4680 nor the 9364 of a truncated period.
TEST(Rounding, of_longest_times_is_down_with_the_true_period) {
  for (const auto& c : {Case{7800, 2400, 9360},
                        {3900, 4800, 9360},
                        {3900, 5600, 10920},
                        {7800, 3200, 12480},
                        {3900, 6400, 12480}}) {
    const auto clock = clock_of(c.megatransfers);
    EXPECT_EQ(longest_time_in_cycles(c.nanoseconds, clock.numerator_fs(), clock.denominator()),
              c.cycles);
  }
}

}  // namespace
}  // namespace diffram::spec
