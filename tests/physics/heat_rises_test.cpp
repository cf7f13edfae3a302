// Whose power heats the hottest place: the rises add up to its own, and each watt's part is its
// own.

#include "physics/heat/heat_rises.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <stdexcept>

#include "physics/heat/run_heat.h"

namespace diffram::physics::heat {
namespace {

spec::MemorySpec memory(const std::string& name) {
  auto loaded = spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, name);
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return std::move(*loaded);
}

spec::PackageSpec package(const std::string& name, spec::Overrides more = {}) {
  spec::Overrides all = {{"theta.case_to_air", "2"},
                         {"theta.board_to_air", "15"},
                         {"surroundings.air_c", "40"},
                         {"surroundings.board_c", "45"}};
  all.insert(all.end(), more.begin(), more.end());
  auto loaded = spec::load_package({DIFFRAM_SOURCE_DIR "/specs"}, name, all);
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return std::move(*loaded);
}

/// Random commands of every bank, and standby, for a tenth of a second.
ledger::RunRecord random_run(const spec::MemorySpec& memory, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random);
  };
  const auto& o = memory.organisation;
  ledger::RunRecord run;
  run.clock = memory.clock;
  run.channels = o.channels;
  run.ranks = o.ranks;
  run.bank_groups = o.bank_groups;
  run.banks_per_group = o.banks_per_group;
  ledger::StepRecord step;
  step.weight = 1 + below(3);
  step.cycles = std::llround(0.1 / memory.clock.period_s());
  for (std::uint32_t c = 0; c < o.channels; ++c) {
    base::ChannelCounters counters;
    counters.cycles = step.cycles;
    for (std::uint32_t b = 0; b < o.ranks * o.banks(); ++b)
      counters.banks.push_back({.act = below(50), .rd = below(900), .wr = below(900)});
    for (std::uint32_t r = 0; r < o.ranks; ++r)
      counters.ranks.push_back({.closed_cycles = 1 + below(step.cycles)});
    step.channels.push_back(std::move(counters));
  }
  run.records.push_back(std::move(step));
  using ledger::EnergyDriver;
  run.energy = {{"read", EnergyDriver::reads, 0.30, true, false},
                {"write", EnergyDriver::writes, 0.20, true, false},
                {"activate", EnergyDriver::activation_tickets, 0.25, true, false},
                {"rank_closed", EnergyDriver::rank_closed_cycles, 0.15, false, false},
                {"self_refresh", EnergyDriver::idle, 0.05, false, false}};
  return run;
}

double sum_of(const ledger::HottestPlace& place) {
  return std::accumulate(
      place.of_memory.begin(), place.of_memory.end(),
      place.of_base + place.of_logic + place.of_neighbour + place.of_board,
      [](double sum, const ledger::PlacedRise& rise) { return sum + rise.kelvin; });
}

std::map<std::uint32_t, double> by_component(const ledger::HottestPlace& place) {
  std::map<std::uint32_t, double> sums;
  for (const auto& rise : place.of_memory) sums[rise.component] += rise.kelvin;
  return sums;
}

ledger::RunRecord heated(const spec::PackageSpec& package, const spec::MemorySpec& memory,
                         ledger::RunRecord run) {
  if (auto errors = add_heat(package, memory, {}, run); !errors.empty())
    throw std::runtime_error(errors.front().text());
  return run;
}

TEST(HeatRises, add_up_to_the_rise_of_the_hottest_place_in_every_package) {
  for (const auto& [package_name, memory_name] :
       {std::pair{"ddr4-module", "ddr4-3200-8g-2ch"}, std::pair{"ddr5-module", "ddr5-4800-32g-4ch"},
        std::pair{"lpddr-on-package", "lpddr5-6400-8g-4ch"},
        std::pair{"gddr6-board", "gddr6-16000-4g-8ch"},
        std::pair{"hbm-stack", "hbm2-2000-4g-8ch"}}) {
    const auto chips = memory(memory_name);
    const auto run = heated(package(package_name), chips, random_run(chips, 11));
    const auto& place = run.hottest;
    ASSERT_TRUE(place.is_known()) << package_name;
    EXPECT_GT(place.rise(), 1) << package_name;
    EXPECT_NEAR(sum_of(place), place.rise(), 1e-9) << package_name;
    EXPECT_EQ(by_component(place).size(), run.energy.size()) << package_name;
    double hottest = -1e9;
    for (const auto& layer : run.heat)
      if (layer.role == "memory") hottest = std::max(hottest, layer.steady_peak);
    EXPECT_EQ(place.celsius, hottest) << package_name;
  }
}

TEST(HeatRises, twice_the_power_of_a_component_is_twice_its_rise_and_no_others) {
  const auto hbm = memory("hbm2-2000-4g-8ch");
  // Read heat is so small a part that the place stays where it is.
  auto run = random_run(hbm, 12);
  run.energy[0].joules = 1e-3;
  auto doubled = run;
  doubled.energy[0].joules = 2e-3;
  const auto before = heated(package("hbm-stack"), hbm, run).hottest;
  const auto after = heated(package("hbm-stack"), hbm, doubled).hottest;
  ASSERT_EQ(before.layer, after.layer);
  ASSERT_EQ(std::pair(before.column, before.row), std::pair(after.column, after.row));
  auto expected = by_component(before);
  EXPECT_NEAR(after.celsius, before.celsius + expected[0], 1e-9);
  expected[0] *= 2;
  for (const auto& [component, kelvin] : by_component(after))
    EXPECT_NEAR(kelvin, expected[component], 1e-12) << component;
  EXPECT_EQ(after.of_neighbour, before.of_neighbour);
}

TEST(HeatRises, only_the_hottest_package_s_own_channel_heats_it) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  const auto place = heated(package("ddr4-module"), ddr4, random_run(ddr4, 13)).hottest;
  ASSERT_FALSE(place.of_memory.empty());
  for (const auto& rise : place.of_memory)
    EXPECT_EQ("channel " + std::to_string(rise.channel) + ", rank " + std::to_string(rise.rank),
              place.package);
}

TEST(HeatRises, a_neighbour_a_logic_die_and_a_cool_board_have_parts_of_their_own) {
  const auto hbm = memory("hbm2-2000-4g-8ch");
  const auto stack =
      heated(package("hbm-stack", {{"surroundings.board_c", "30"}}), hbm, random_run(hbm, 14))
          .hottest;
  EXPECT_GT(stack.of_neighbour, 0);
  EXPECT_LT(stack.of_board, 0) << "a board cooler than the air takes heat away";
  const auto lpddr = memory("lpddr5-6400-8g-4ch");
  const auto with_logic = [&](const char* watts) {
    return heated(package("lpddr-on-package", {{"watts.logic", watts}}), lpddr,
                  random_run(lpddr, 15))
        .hottest;
  };
  EXPECT_EQ(with_logic("0").of_logic, 0);
  EXPECT_GT(with_logic("2").of_logic, 0);
  EXPECT_EQ(with_logic("2").of_base, 0) << "it has no base die";
}

TEST(HeatRises, a_board_as_warm_as_the_air_adds_nothing) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  const auto place =
      heated(package("ddr4-module", {{"surroundings.board_c", "40"}}), ddr4, random_run(ddr4, 16))
          .hottest;
  EXPECT_EQ(place.of_board, 0);
}

TEST(HeatRises, the_place_tells_the_standard_s_limit_and_where_it_holds) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  const auto run = heated(package("ddr4-module"), ddr4, random_run(ddr4, 17));
  EXPECT_EQ(run.hottest.measured_at, "case");
  EXPECT_EQ(run.hottest.limit, 95);
  EXPECT_LT(run.hottest.measured, run.hottest.celsius) << "the case is cooler than its die";
  EXPECT_GT(run.hottest.measured, run.hottest.air);
}

}  // namespace
}  // namespace diffram::physics::heat
