#include <gtest/gtest.h>

#include "sim/program.h"

namespace diffram::sim {
namespace {

/// Two origins: one moves nearly all bytes, one very few.
ledger::StepRecord record(std::int64_t cycles, std::int64_t activations, std::int64_t large_billed,
                          std::int64_t small_billed) {
  ledger::StepRecord step;
  step.cycles = cycles;
  step.flow.resize(2);
  base::ChannelCounters channel;
  channel.cycles = cycles;
  channel.origins.resize(2);
  channel.origins[0].reads = 1'000'000;
  channel.origins[1].reads = 10;
  channel.banks.resize(1);
  channel.banks[0].act = activations;
  channel.bill[{base::OriginId(0), base::kNoOrigin, base::Cause::data_read}] = large_billed;
  channel.bill[{base::OriginId(1), base::kNoOrigin, base::Cause::data_read}] = small_billed;
  step.channels.push_back(channel);
  return step;
}

bool agreement(const ledger::StepRecord& a, const ledger::StepRecord& b) {
  double difference = 0;
  return agree(a, b, difference);
}

TEST(Steady, equal_steps_agree_with_difference_zero) {
  double difference = 0;
  EXPECT_TRUE(agree(record(100000, 500, 90000, 100), record(100000, 500, 90000, 100), difference));
  EXPECT_EQ(difference, 0);
}

TEST(Steady, total_time_must_agree_within_a_thousandth) {
  EXPECT_TRUE(agreement(record(100000, 500, 90000, 100), record(100099, 500, 90000, 100)));
  EXPECT_FALSE(agreement(record(100000, 500, 90000, 100), record(100200, 500, 90000, 100)));
}

TEST(Steady, activations_must_agree_within_a_thousandth) {
  EXPECT_FALSE(agreement(record(100000, 1000, 90000, 100), record(100000, 1002, 90000, 100)));
}

TEST(Steady, an_origin_with_many_bytes_must_agree_within_a_hundredth) {
  EXPECT_TRUE(agreement(record(100000, 500, 90000, 100), record(100000, 500, 90800, 100)));
  EXPECT_FALSE(agreement(record(100000, 500, 90000, 100), record(100000, 500, 91000, 100)));
}

TEST(Steady, small_origins_may_differ_by_half_a_percent_of_the_time_in_all) {
  EXPECT_TRUE(agreement(record(100000, 500, 90000, 100), record(100000, 500, 90000, 590)));
  EXPECT_FALSE(agreement(record(100000, 500, 90000, 100), record(100000, 500, 90000, 700)));
}

}  // namespace
}  // namespace diffram::sim
