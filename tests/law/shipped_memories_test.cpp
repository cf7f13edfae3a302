// What must hold in every shipped memory (memory-values.md 6), written out a second time from the
// data, not by calling the loader's own laws.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "spec/shipped.h"

namespace diffram::spec {
namespace {

class ShippedMemory : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto loaded = load_memory(shipped_folders(), GetParam());
    ASSERT_TRUE(loaded) << all_texts(loaded.error());
    memory = std::move(*loaded);
  }
  std::int64_t n(const char* timing) const { return memory.timing(timing); }
  MemorySpec memory;
};

TEST_P(ShippedMemory, rate_times_period_is_two) {
  EXPECT_EQ(memory.clock.numerator_fs() * memory.megatransfers,
            2'000'000'000 * memory.clock.denominator());
}

TEST_P(ShippedMemory, tRC_is_tRAS_and_tRP) { EXPECT_EQ(n("nRC"), n("nRAS") + n("nRP")); }

TEST_P(ShippedMemory, short_delays_do_not_exceed_long_ones) {
  EXPECT_LE(n("nCCD_S"), n("nCCD_L"));
  EXPECT_LE(n("nRRD_S"), n("nRRD_L"));
  EXPECT_LE(n("nWTR_S"), n("nWTR_L"));
}

TEST_P(ShippedMemory, activation_window_acts) { EXPECT_GT(n("nFAW"), 4 * n("nRRD_S")); }

TEST_P(ShippedMemory, bursts_do_not_overlap) {
  EXPECT_EQ(n("nBL"), memory.organisation.burst_length / 2);
  EXPECT_GE(n("nCCD_S"), n("nBL"));
}

TEST_P(ShippedMemory, tRFC_is_that_of_the_die) {
  const std::map<std::uint64_t, double> nanoseconds = {{4, 260}, {8, 350}, {16, 550}};
  const double stated = static_cast<double>(n("nRFC")) * memory.clock.period_s() * 1e9;
  EXPECT_NEAR(stated, nanoseconds.at(memory.organisation.device_bits >> 30), 0.626);
}

TEST_P(ShippedMemory, refreshes_8192_times_in_64_ms) {
  const double window_ms = 8192 * static_cast<double>(n("nREFI")) * memory.clock.period_s() * 1e3;
  EXPECT_LE(window_ms, 64.0);
  EXPECT_GT(window_ms, 0.96 * 64);
  EXPECT_GE(n("nXS"), n("nRFC"));
}

TEST_P(ShippedMemory, organisation_makes_the_density) {
  const auto& o = memory.organisation;
  EXPECT_EQ(std::uint64_t{o.banks()} * o.rows * o.columns * o.device_width, o.device_bits);
  EXPECT_EQ(o.capacity_bytes(), o.device_bits / 8 * o.devices() * o.ranks * o.channels);
}

TEST_P(ShippedMemory, current_order) {
  ASSERT_TRUE(memory.currents);
  const auto& c = memory.currents->rails.at(0);
  EXPECT_LE(c.i2p, c.i2n);
  EXPECT_LE(c.i2n, c.i3n);
  EXPECT_LE(c.i3p, c.i3n);
  EXPECT_LT(c.i3n, c.i4r);
  EXPECT_LT(c.i3n, c.i4w);
  EXPECT_LT(c.i2n, c.i5);
  EXPECT_LE(c.i6, c.i2n + (c.i5 - c.i2n) * static_cast<double>(n("nRFC")) /
                              static_cast<double>(n("nREFI")));
  for (const auto& rail : memory.currents->rails) {
    for (const double i : {rail.i0, rail.i2n, rail.i3n, rail.i4r, rail.i4w, rail.i5})
      EXPECT_TRUE(std::isnan(i) || i > 0) << rail.name;
  }
}

TEST_P(ShippedMemory, name_states_rate_capacity_and_channels) {
  const auto& o = memory.organisation;
  EXPECT_EQ(memory.name, "ddr4-" + std::to_string(memory.megatransfers) + "-" +
                             std::to_string(o.capacity_bytes() >> 30) + "g-" +
                             std::to_string(o.channels) + "ch");
}

TEST_P(ShippedMemory, consecutive_bursts_go_to_other_channels_and_groups) {
  const auto parity = [](std::uint64_t v) { return std::popcount(v) & 1; };
  for (std::uint64_t a = 0; a < (1u << 16); a += 128)
    EXPECT_NE(parity(a & memory.map.channel[0]), parity((a + 64) & memory.map.channel[0]));
}

// No row may let a command through that a stricter pair forbids: a gap between banks of one group
// is never shorter than between groups.
TEST_P(ShippedMemory, constraint_rows_are_positive_and_name_their_rule) {
  EXPECT_GT(memory.constraints.size(), 60u);
  for (const auto& row : memory.constraints) {
    EXPECT_GT(row.cycles, 0);
    ASSERT_LT(row.rule, memory.rules.size());
    EXPECT_FALSE(memory.rules[row.rule].name.empty());
    EXPECT_FALSE(memory.rules[row.rule].clause.empty());
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string out = info.param;
  for (char& c : out) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

INSTANTIATE_TEST_SUITE_P(All, ShippedMemory, testing::ValuesIn(list_memories(shipped_folders())),
                         test_name);

}  // namespace
}  // namespace diffram::spec
