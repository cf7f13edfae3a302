// The heat of a run: where its watts go in a package, and how hot they make it.

#include "physics/heat/run_heat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "physics/heat/package_model.h"
#include "physics/heat/power_map.h"
#include "physics/heat/solver.h"

namespace diffram::physics::heat {
namespace {

constexpr double kAir = 40, kBoard = 45;

spec::MemorySpec memory(const std::string& name) {
  auto loaded = spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, name);
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return std::move(*loaded);
}

spec::PackageSpec package(const std::string& name, spec::Overrides more = {}) {
  spec::Overrides all = {{"theta.case_to_air", "20"},
                         {"theta.board_to_air", "15"},
                         {"surroundings.air_c", "40"},
                         {"surroundings.board_c", "45"}};
  all.insert(all.end(), more.begin(), more.end());
  auto loaded = spec::load_package({DIFFRAM_SOURCE_DIR "/specs"}, name, all);
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return std::move(*loaded);
}

/// A run of one second in which one bank of one rank is read and the others stand by.
ledger::RunRecord run_of(const spec::MemorySpec& memory, std::size_t hot_bank, double joules) {
  const auto& o = memory.organisation;
  ledger::RunRecord run;
  run.clock = memory.clock;
  run.channels = o.channels;
  run.ranks = o.ranks;
  run.bank_groups = o.bank_groups;
  run.banks_per_group = o.banks_per_group;
  ledger::StepRecord step;
  step.cycles = std::llround(1 / memory.clock.period_s());
  for (std::uint32_t c = 0; c < o.channels; ++c) {
    base::ChannelCounters counters;
    counters.cycles = step.cycles;
    counters.banks.resize(std::size_t{o.ranks} * o.banks());
    counters.ranks.assign(o.ranks, {.closed_cycles = step.cycles});
    if (c == 0) {
      counters.banks[hot_bank].rd = 1000;
      counters.banks[hot_bank].act = 10;
    }
    step.channels.push_back(std::move(counters));
  }
  run.records.push_back(std::move(step));
  run.energy = {
      {"read", ledger::EnergyDriver::reads, joules / 4, true, false},
      {"activate", ledger::EnergyDriver::activation_tickets, joules / 2, true, false},
      {"rank_closed", ledger::EnergyDriver::rank_closed_cycles, joules / 4, false, false}};
  return run;
}

const ledger::LayerHeat& layer(const ledger::RunRecord& run, const std::string& package,
                               const std::string& name) {
  const auto found = std::ranges::find_if(run.heat, [&](const ledger::LayerHeat& each) {
    return each.package == package && each.layer == name;
  });
  if (found == run.heat.end()) throw std::runtime_error("no layer " + name);
  return *found;
}

/// Watts of all packages and what is beside them.
double all_watts(const ledger::RunRecord& run) {
  double watts = 0;
  for (const auto& each : run.heat) watts += static_cast<double>(each.instances) * each.watts;
  return watts;
}

TEST(PowerMap, holds_the_power_of_the_run_where_it_was_counted) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  const auto map = power_map(run_of(ddr4, 5, 8));
  EXPECT_NEAR(map.seconds, 1, 1e-9);
  EXPECT_NEAR(map.total() * map.seconds, 8, 1e-12);
  EXPECT_NEAR(map.of_columns[5] * map.seconds, 2, 1e-12);
  EXPECT_NEAR(map.of_bank[5] * map.seconds, 4, 1e-12);
  EXPECT_NEAR(map.of_rank[0] * map.seconds, 1, 1e-12) << "two channels stand by alike";
  EXPECT_NEAR(map.of_rank[1] * map.seconds, 1, 1e-12);
}

TEST(PackageModel, each_watt_goes_into_a_cell) {
  for (const auto& [package_name, memory_name] :
       {std::pair{"ddr4-module", "ddr4-3200-8g-2ch"}, std::pair{"ddr5-module", "ddr5-4800-32g-4ch"},
        std::pair{"lpddr-on-package", "lpddr5-6400-8g-4ch"},
        std::pair{"gddr6-board", "gddr6-16000-4g-8ch"},
        std::pair{"hbm-stack", "hbm2-2000-4g-8ch"}}) {
    const auto spec = package(package_name);
    const auto chips = memory(memory_name);
    ASSERT_TRUE(spec::check_package(spec, chips).empty()) << package_name;
    const PackageModel model(spec, chips);
    std::vector<double> watts(model.network().size(), 0.0);
    double put_in = 0;
    for (Unit unit = 0; unit < spec.channels * spec.ranks; ++unit) {
      model.heat_unit(watts, unit, 0.5);
      for (std::uint32_t bank = 0; bank < chips.organisation.banks(); ++bank) {
        model.heat_bank(watts, unit, bank, 0.01);
        model.heat_columns(watts, unit, bank, 0.02);
      }
      put_in += 0.5 + 0.03 * chips.organisation.banks();
    }
    EXPECT_NEAR(std::accumulate(watts.begin(), watts.end(), 0.0), put_in, 1e-9) << package_name;
    const auto others = model.other_watts();
    EXPECT_NEAR(std::accumulate(others.begin(), others.end(), 0.0),
                spec.base_watts + spec.logic_watts + (spec.neighbour ? spec.neighbour->watts : 0),
                1e-9)
        << package_name;
    // At steady state all of it leaves by the boundaries.
    auto solver = Solver::make(model.network());
    ASSERT_TRUE(solver) << package_name;
    for (std::size_t i = 0; i < watts.size(); ++i) watts[i] += others[i];
    const double in = std::accumulate(watts.begin(), watts.end(), 0.0);
    const auto flows = solver->network().boundary_flows(solver->steady(watts));
    EXPECT_NEAR(std::accumulate(flows.begin(), flows.end(), 0.0), in, 1e-9 * in) << package_name;
  }
}

// JESD15-3 with the package's own resistances: a die of one cell is the two-resistor model.
TEST(RunHeat, a_die_of_one_cell_is_the_two_resistor_model) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  const auto spec = package("ddr4-module", {{"die.cells_x", "1"}, {"die.cells_y", "1"}});
  auto run = run_of(ddr4, 0, 8);
  ASSERT_TRUE(add_heat(spec, ddr4, {}, run).empty());
  const auto& die = layer(run, "channel 0, rank 0", "0 die");
  EXPECT_EQ(die.instances, 8) << "devices of the rank";
  EXPECT_NEAR(die.watts, 7.0 / 8, 1e-8);
  const double up = 3.2 + 20, down = 12 + 15;
  const double expected = (die.watts + kAir / up + kBoard / down) / (1 / up + 1 / down);
  EXPECT_NEAR(die.steady_peak, expected, 1e-9);
  EXPECT_NEAR(die.end_peak, expected, 1e-6) << "it starts from the steady state";
  const auto& top = layer(run, "channel 0, rank 0", "case");
  EXPECT_NEAR(top.steady_peak, kAir + (expected - kAir) / up * 20, 1e-9);
}

TEST(RunHeat, the_bank_that_works_is_the_hottest) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  auto run = run_of(ddr4, 13, 8);  // group 3, bank 1
  ASSERT_TRUE(add_heat(package("ddr4-module"), ddr4, {}, run).empty());
  const auto& die = layer(run, "channel 0, rank 0", "0 die");
  const auto hottest = std::ranges::max_element(die.map) - die.map.begin();
  const auto rows = static_cast<std::int64_t>(die.map.size()) / die.columns;
  EXPECT_EQ(hottest % die.columns * 4 / die.columns, 3);
  EXPECT_EQ(hottest / die.columns * 4 / rows, 1);
  EXPECT_GT(die.steady_peak, die.steady_mean);
  EXPECT_NEAR(all_watts(run), 8, 1e-7);
  EXPECT_LT(layer(run, "channel 1, rank 0", "0 die").steady_peak, die.steady_mean);
}

TEST(RunHeat, a_stack_is_hottest_at_its_base_and_heated_by_its_neighbour) {
  const auto hbm = memory("hbm2-2000-4g-8ch");
  auto alone = run_of(hbm, 0, 4), beside = run_of(hbm, 0, 4);
  const spec::Overrides cooling = {{"theta.case_to_air", "0.35"}};
  auto cold = cooling;
  cold.emplace_back("neighbour.watts", "0");
  ASSERT_TRUE(add_heat(package("hbm-stack", cold), hbm, {}, alone).empty());
  ASSERT_TRUE(add_heat(package("hbm-stack", cooling), hbm, {}, beside).empty());
  const std::string all = "channels 0-7, rank 0";
  EXPECT_GT(layer(alone, all, "0 base").steady_peak, layer(alone, all, "8 top die").steady_peak);
  EXPECT_GT(layer(beside, all, "2 die").steady_mean, layer(alone, all, "2 die").steady_mean + 1);
  EXPECT_NEAR(layer(beside, all, "neighbour").watts, 75, 1e-12);
}

TEST(RunHeat, a_short_run_does_not_warm_a_cold_package) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  auto run = run_of(ddr4, 0, 8e-3);
  run.records[0].cycles /= 1000;  // a millisecond at the same power
  ASSERT_TRUE(add_heat(package("ddr4-module"), ddr4, {.initial = 30}, run).empty());
  const auto& die = layer(run, "channel 0, rank 0", "0 die");
  EXPECT_GT(die.steady_mean, 45);
  EXPECT_LT(die.end_mean, 31) << "the whole die warms by its own heat capacity only";
  EXPECT_GT(die.end_peak, 30);
}

TEST(RunHeat, power_samples_shape_the_end) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  const auto end_of = [&](double first, double second) {
    auto run = run_of(ddr4, 0, 8);
    const std::int64_t half = run.records[0].cycles / 2;
    run.power = {{0, half, first}, {half, half, second}};
    EXPECT_TRUE(add_heat(package("ddr4-module"), ddr4, {}, run).empty());
    return layer(run, "channel 0, rank 0", "0 die");
  };
  const auto early = end_of(8, 0), even = end_of(4, 4), late = end_of(0, 8);
  EXPECT_LT(early.end_mean, even.end_mean);
  EXPECT_LT(even.end_mean, late.end_mean);
  EXPECT_EQ(early.steady_peak, late.steady_peak);
}

TEST(RunHeat, is_unknown_without_energy) {
  const auto ddr4 = memory("ddr4-3200-8g-2ch");
  auto run = run_of(ddr4, 0, 8);
  run.energy.clear();
  ASSERT_TRUE(add_heat(package("ddr4-module"), ddr4, {}, run).empty());
  EXPECT_TRUE(run.heat.empty());
  ASSERT_EQ(run.diagnostics.size(), 1u);
  EXPECT_EQ(run.diagnostics[0].code, "heat_unknown");
}

}  // namespace
}  // namespace diffram::physics::heat
