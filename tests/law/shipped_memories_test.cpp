// What must hold in every shipped memory (memory-values.md 6), written out a second time from the
// data, not by calling the loader's own laws.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>

#include "spec/describe.h"
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

/// Transfers in a cycle of the engine, from the clock; and cycles in a clock of the memory.
struct Beat {
  std::int64_t transfers = 2;
  std::int64_t ticks = 1;
};
Beat beat_of(const std::string& standard) {
  static const std::map<std::string, Beat> beats = {{"LPDDR5", {8, 1}}, {"GDDR6", {8, 1}},
                                                    {"GDDR7", {16, 1}}, {"LPDDR6", {4, 1}},
                                                    {"HBM3", {2, 2}},   {"HBM4", {2, 2}}};
  const auto found = beats.find(standard);
  return found == beats.end() ? Beat{} : found->second;
}

TEST_P(ShippedMemory, rate_times_period_is_the_standards) {
  EXPECT_EQ(memory.clock.numerator_fs() * memory.megatransfers,
            beat_of(memory.standard).transfers * 1'000'000'000 * memory.clock.denominator());
  EXPECT_EQ(memory.protocol.ticks_per_clock, beat_of(memory.standard).ticks);
}

TEST_P(ShippedMemory, tRC_holds_tRAS_and_tRP) { EXPECT_GE(n("nRC"), n("nRAS") + n("nRP")); }

TEST_P(ShippedMemory, short_delays_do_not_exceed_long_ones) {
  for (const std::string name : {"nCCD", "nRRD", "nWTR"}) {
    if (!memory.timings.contains(name + "_S")) continue;
    EXPECT_LE(n((name + "_S").c_str()), n((name + "_L").c_str())) << name;
  }
}

TEST_P(ShippedMemory, activation_window_acts_or_the_memory_says_that_it_does_not) {
  if (!memory.timings.contains("nFAW")) return;
  const auto rrd = memory.timings.contains("nRRD_S") ? n("nRRD_S") : n("nRRD");
  const auto said = std::count_if(memory.diagnostics.begin(), memory.diagnostics.end(),
                                  [](const auto& d) { return d.code == "faw_inert"; });
  EXPECT_EQ(said, n("nFAW") > 4 * rrd ? 0 : 1);
}

TEST_P(ShippedMemory, bursts_do_not_overlap) {
  EXPECT_EQ(n("nBL"), memory.organisation.burst_length / beat_of(memory.standard).transfers);
  EXPECT_GE(memory.timings.contains("nCCD_S") ? n("nCCD_S") : n("nCCD"), n("nBL"));
}

TEST_P(ShippedMemory, tRFC_is_that_of_the_die) {
  // The density of one device as the memory states it: of HBM a pseudo-channel, of GDDR a channel.
  static const std::map<std::pair<std::string, std::uint64_t>, double> nanoseconds = {
      {{"DDR3", 2}, 160},   {{"DDR3", 4}, 260},    {{"DDR3", 8}, 350},  {{"DDR4", 4}, 260},
      {{"DDR4", 8}, 350},   {{"DDR4", 16}, 550},   {{"DDR5", 16}, 295}, {{"DDR5", 24}, 410},
      {{"LPDDR4", 8}, 280}, {{"LPDDR5", 16}, 280}, {{"GDDR6", 4}, 120}, {{"GDDR6", 8}, 120},
      {{"HBM2", 2}, 260},   {{"HBM2", 4}, 350},    {{"HBM3", 4}, 350}};
  const auto found = nanoseconds.find({memory.standard, memory.organisation.device_bits >> 30});
  if (found == nanoseconds.end()) return;  // the four standards of which nothing is verified
  const double period = memory.clock.period_s() * 1e9 * memory.protocol.ticks_per_clock;
  EXPECT_NEAR(static_cast<double>(n("nRFC")) * memory.clock.period_s() * 1e9, found->second,
              1.01 * period + 0.003 * found->second);  // JESD79-5 forgives 0.3 % of the time
}

TEST_P(ShippedMemory, all_rows_are_refreshed_in_time) {
  const std::map<std::string, double> milliseconds = {{"DDR3", 64}, {"DDR4", 64}};
  const auto found = milliseconds.find(memory.standard);
  const bool graphics = memory.standard.starts_with("GDDR");
  const double due = found == milliseconds.end() ? (graphics ? 31.2 : 32.0) : found->second;
  const double window_ms =
      (graphics ? 16384 : 8192) * static_cast<double>(n("nREFI")) * memory.clock.period_s() * 1e3;
  EXPECT_LE(window_ms, due + 1e-9);
  EXPECT_GT(window_ms, 0.96 * due);
  EXPECT_GE(n("nXS"), n("nRFC"));
}

TEST_P(ShippedMemory, a_part_is_refreshed_as_often_as_the_rank) {
  if (!memory.protocol.part_refresh) return;
  const auto& o = memory.organisation;
  std::int64_t parts = o.banks();
  if (memory.protocol.refresh_unit == RefreshUnit::bank_pair) parts /= 2;
  // REFsb is given at the interval of fine granularity refresh.
  if (memory.protocol.refresh_unit == RefreshUnit::same_bank) parts = 2 * o.banks_per_group;
  EXPECT_LE(n("nREFIpb"), n("nREFI") / parts + memory.protocol.ticks_per_clock);
  EXPECT_GE(n("nREFIpb"), n("nREFI") / parts - 2 * memory.protocol.ticks_per_clock);
}

TEST_P(ShippedMemory, organisation_makes_the_density) {
  const auto& o = memory.organisation;
  EXPECT_EQ(std::uint64_t{o.banks()} * o.rows * o.bursts_per_row() * o.burst_bytes() * 8,
            o.device_bits * o.devices());
  EXPECT_EQ(o.capacity_bytes(), o.device_bits / 8 * o.devices() * o.ranks * o.channels);
}

TEST_P(ShippedMemory, current_order) {
  if (!memory.currents) {
    const auto said = std::count_if(memory.diagnostics.begin(), memory.diagnostics.end(),
                                    [](const auto& d) { return d.code == "no_currents"; });
    EXPECT_EQ(said, 1);
    return;
  }
  for (const auto& rail : memory.currents->rails) {
    for (const double i : {rail.i0, rail.i2n, rail.i3n, rail.i4r, rail.i4w, rail.i5})
      EXPECT_GT(i, 0) << rail.name;
  }
  if (memory.currents->measured) return;  // HBM2: I3N below I2N, as measured
  const auto& c = memory.currents->rails.at(0);
  const auto in_order = [](double low, double high) { return !(low > high); };  // or not known
  EXPECT_TRUE(in_order(c.i2p, c.i2n));
  EXPECT_LE(c.i2n, c.i3n);
  EXPECT_TRUE(in_order(c.i3p, c.i3n));
  EXPECT_LT(c.i3n, c.i4r);
  EXPECT_LT(c.i3n, c.i4w);
  EXPECT_LT(c.i2n, c.i5);
  EXPECT_TRUE(in_order(c.i6, c.i2n + (c.i5 - c.i2n) * static_cast<double>(n("nRFC")) /
                                         static_cast<double>(n("nREFI"))));
}

TEST_P(ShippedMemory, name_states_rate_capacity_and_channels) {
  const auto& o = memory.organisation;
  const auto ending = "-" + std::to_string(memory.megatransfers) + "-" +
                      std::to_string(o.capacity_bytes() >> 30) + "g-" +
                      std::to_string(o.channels / o.pseudo_channels) + "ch";
  EXPECT_TRUE(memory.name.ends_with(ending)) << ending;
  std::string standard = memory.standard;
  for (char& c : standard) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  EXPECT_TRUE(memory.name.starts_with(standard)) << standard;  // lpddr5x, gddr6x, hbm2e too
}

TEST_P(ShippedMemory, consecutive_bursts_go_to_other_channels) {
  if (memory.organisation.channels == 1) return;
  const auto parity = [](std::uint64_t v) { return std::popcount(v) & 1; };
  const std::uint64_t burst = memory.organisation.burst_bytes();
  for (std::uint64_t a = 0; a < (1u << 16); a += 2 * burst)
    EXPECT_NE(parity(a & memory.map.channel[0]), parity((a + burst) & memory.map.channel[0]));
}

TEST_P(ShippedMemory, constraint_rows_are_positive_and_name_their_rule) {
  EXPECT_GT(memory.constraints.size(), 60u);
  for (const auto& row : memory.constraints) {
    EXPECT_GT(row.cycles, 0);
    ASSERT_LT(row.rule, memory.rules.size());
    EXPECT_FALSE(memory.rules[row.rule].name.empty());
    EXPECT_FALSE(memory.rules[row.rule].clause.empty());
  }
}

TEST_P(ShippedMemory, describes_itself_and_counts_what_is_unverified) {
  const auto text = describe(memory);
  EXPECT_NE(text.find(memory.title), std::string::npos);
  EXPECT_NE(text.find(" of " + std::to_string(memory.provenance.size()) + " stated values"),
            std::string::npos);
  EXPECT_NE(describe_json(memory).find("unverified_values"), std::string::npos);
}

TEST_P(ShippedMemory, every_value_has_a_source_of_its_list_or_is_unverified) {
  for (const auto& value : memory.provenance) EXPECT_FALSE(value.source.empty()) << value.field;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string out = info.param;
  for (char& c : out) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

TEST(ShippedMemories, are_of_every_standard) {
  std::map<std::string, int> count;
  for (const auto& name : list_memories(shipped_folders()))
    ++count[load_memory(shipped_folders(), name)->standard];
  EXPECT_EQ(count.size(), 12u);
  EXPECT_EQ(list_memories(shipped_folders()).size(), 44u);
}

INSTANTIATE_TEST_SUITE_P(All, ShippedMemory, testing::ValuesIn(list_memories(shipped_folders())),
                         test_name);

}  // namespace
}  // namespace diffram::spec
