// Where our own rules of interface energy differ from DRAMPower's, and what both share.

#include <gtest/gtest.h>

#include "physics/interface_model.h"
#include "physics/interface_replay.h"

namespace diffram::physics {
namespace {

const std::vector<std::uint8_t> kAllHigh(32, 0xFF);  ///< 16 beats of 16 pins

InterfaceShape lpddr5(std::uint32_t write_clocks_per_clock, InterfaceRules rules) {
  InterfaceShape s;
  s.standard = "LPDDR5";
  s.rules = rules;
  s.device_width = 16;
  s.burst_length = 16;
  s.write_clocks_per_clock = write_clocks_per_clock;
  return s;
}

InterfaceShape ddr4(std::uint32_t ranks = 1) {
  InterfaceShape s;
  s.standard = "DDR4";
  s.ranks = ranks;
  s.devices = 8;
  return s;
}

struct Step {
  std::int64_t cycle;
  const char* name;
  std::uint32_t rank = 0;
  std::vector<std::uint8_t> data{};
};

InterfaceCounts counts_of(const InterfaceShape& shape, const std::vector<Step>& steps,
                          std::int64_t end) {
  InterfaceReplay replay(shape);
  for (const Step& s : steps) replay.apply({s.cycle, s.name, s.rank, {}, s.data});
  return replay.at(end);
}

TEST(InterfaceRules, a_data_beat_of_lpddr5_is_shorter_by_the_write_clock_ratio) {
  for (const std::uint32_t ratio : {2u, 4u}) {
    InterfaceParameters p;
    p.electrics.volts = 0.5, p.period_s = 1e-9, p.burns_low = false;
    p.electrics.pins[PinGroup::write_data] = {true, 50, 0};
    const std::vector<Step> steps = {{0, "WR", 0, kAllHigh}};
    const double watts = 0.25 / 50;  // of a pin that is high

    const InterfaceShape ours = lpddr5(ratio, InterfaceRules::diffram);
    p.data_beats_per_clock = ours.beats_per_clock();
    EXPECT_DOUBLE_EQ(interface_energy(p, counts_of(ours, steps, 100)).total(),
                     256 * watts * 1e-9 / (2 * ratio));
    const InterfaceShape theirs = lpddr5(ratio, InterfaceRules::drampower);
    p.data_beats_per_clock = theirs.beats_per_clock();
    EXPECT_DOUBLE_EQ(interface_energy(p, counts_of(theirs, steps, 100)).total(),
                     256 * watts * 1e-9 / 2);
  }
}

TEST(InterfaceRules, a_window_holds_as_many_beats_as_its_time_has) {
  const InterfaceCounts counts =
      counts_of(lpddr5(4, InterfaceRules::diffram), {{0, "WR", 0, kAllHigh}}, 10);
  const PinCounts& pins = counts.pins[PinGroup::write_data];
  EXPECT_EQ(pins.ones, 16 * 16);
  EXPECT_EQ(pins.ones + pins.zeroes, 16 * 8 * 10);
}

TEST(InterfaceRules, the_write_clock_has_as_many_periods_in_a_clock_as_the_ratio_says) {
  const std::int64_t cycles = 24;
  const auto rises = [&](std::uint32_t ratio, InterfaceRules rules) {
    return counts_of(lpddr5(ratio, rules), {}, cycles).pins[PinGroup::write_clock].rises;
  };
  EXPECT_EQ(rises(2, InterfaceRules::diffram), 2 * 2 * cycles);  // two lines
  EXPECT_EQ(rises(4, InterfaceRules::diffram), 2 * 4 * cycles);
  EXPECT_EQ(rises(2, InterfaceRules::drampower), cycles);
  EXPECT_EQ(rises(4, InterfaceRules::drampower), 0);
}

TEST(InterfaceRules, a_write_clock_on_demand_runs_for_half_as_many_periods_as_a_burst_has_beats) {
  InterfaceShape shape = lpddr5(4, InterfaceRules::diffram);
  shape.write_clock_always_on = false;
  const auto counts = counts_of(shape, {{3, "WR", 0, kAllHigh}, {12, "RD", 0, kAllHigh}}, 24);
  EXPECT_EQ(counts.pins[PinGroup::write_clock].rises, 2 * (8 + 8));
}

std::int64_t clock_periods(const InterfaceShape& shape, const std::vector<Step>& steps) {
  return counts_of(shape, steps, 100).pins[PinGroup::clock].rises / 2;
}

TEST(InterfaceRules, the_clock_stops_in_self_refresh) {
  EXPECT_EQ(clock_periods(ddr4(), {{20, "SREFE"}, {70, "SREFX"}}), 50);
  EXPECT_EQ(clock_periods(ddr4(), {{20, "SREFE"}}), 20);
  InterfaceShape theirs = ddr4();
  theirs.rules = InterfaceRules::drampower;
  EXPECT_EQ(clock_periods(theirs, {{20, "SREFE"}, {70, "SREFX"}}), 100);
}

TEST(InterfaceRules, the_clock_stops_in_power_down_only_where_the_standard_lets_it) {
  const std::vector<Step> steps = {{20, "PDE"}, {70, "PDX"}};
  EXPECT_EQ(clock_periods(ddr4(), steps), 100);
  EXPECT_EQ(clock_periods(lpddr5(4, InterfaceRules::diffram), steps), 50);
}

TEST(InterfaceRules, ranks_share_the_clock_so_it_stops_only_while_all_of_them_sleep) {
  EXPECT_EQ(clock_periods(ddr4(2), {{20, "SREFE", 0}, {70, "SREFX", 0}}), 100);
  EXPECT_EQ(clock_periods(ddr4(2), {{20, "SREFE", 0}, {40, "SREFE", 1}, {70, "SREFX", 0}}), 70);
}

TEST(InterfaceRules, every_device_has_its_strobes_and_one_of_16_pins_has_two_pairs) {
  const auto strobe_rises = [](const InterfaceShape& shape) {
    return counts_of(shape, {{0, "RD", 0, std::vector<std::uint8_t>(shape.data_pins(), 0)}}, 100)
        .pins[PinGroup::read_strobe]
        .rises;
  };
  EXPECT_EQ(strobe_rises(lpddr5(4, InterfaceRules::diffram)), 2 * 4 * 2);
  EXPECT_EQ(strobe_rises(lpddr5(4, InterfaceRules::drampower)), 2 * 4);
  EXPECT_EQ(strobe_rises(ddr4()), 2 * 4 * 8);
}

TEST(InterfaceRules, bursts_with_data_and_bursts_by_rates_share_a_window) {
  InterfaceShape shape = ddr4();
  shape.rates = DataRates{};
  const std::vector<std::uint8_t> zeroes(64, 0);
  const auto both = counts_of(shape, {{10, "RD"}, {20, "RD", 0, zeroes}}, 100);
  const PinCounts& pins = both.pins[PinGroup::read_data];
  EXPECT_EQ(pins.zeroes, 64 * (8 + 4));       // all of one burst, half of the other
  EXPECT_EQ(pins.ones, 64 * (200 - 16 + 4));  // idle is high
  EXPECT_EQ(pins.rises, 64 * (1 + 2));        // of 8 beats by rate half change, half of them up
}

TEST(InterfaceRules, energy_grows_with_what_is_transferred) {  // DRAMPower issue 126
  InterfaceShape shape = ddr4();
  shape.rates = DataRates{};
  InterfaceParameters p;
  p.electrics.volts = 1.2, p.period_s = 0.625e-9;
  p.electrics.pins[PinGroup::write_data] =
      p.electrics.pins[PinGroup::write_strobe] = {true, 50, 1e-12};
  p.electrics.write_amble = {1, 1};
  const auto joules = [&](const std::vector<Step>& steps) {
    return interface_energy(p, counts_of(shape, steps, 100)).total();
  };
  EXPECT_EQ(joules({}), 0);
  const double one = joules({{10, "WR"}});
  EXPECT_GT(one, 0);
  EXPECT_LT(one, 1e-6);
  EXPECT_DOUBLE_EQ(joules({{10, "WR"}, {30, "WR"}}), 2 * one);
  EXPECT_LT(joules({{10, "WR"}, {14, "WR"}}), 2 * one);  // one preamble for both
}

TEST(InterfaceRules, every_beat_of_every_command_has_all_its_pins) {
  for (const char* standard : {"DDR4", "DDR5", "LPDDR4", "LPDDR5"}) {
    const auto pins = CommandPins::of(standard);
    ASSERT_TRUE(pins);
    for (std::size_t c = 0; c < pins->commands(); ++c) {
      EXPECT_EQ(pins->bits(c) % pins->pins(), 0u) << standard << " " << c;
    }
  }
  EXPECT_FALSE(CommandPins::of("HBM2"));
}

TEST(InterfaceRules, a_command_that_cuts_another_one_short_takes_the_pins) {
  PinBus bus(4, false);
  const std::vector<std::uint64_t> high = {15, 15, 15, 15};
  bus.load(0, high);
  bus.load(2, high);
  bus.run_until(10);
  EXPECT_EQ(bus.counts(), (PinCounts{6 * 4, 4 * 4, 4, 4}));
}

}  // namespace
}  // namespace diffram::physics
