#include "physics/core_energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "physics/core_model.h"

namespace diffram::physics {
namespace {

spec::MemorySpec ddr4() {
  spec::MemorySpec m;
  m.name = "ddr4-test";
  m.standard = "DDR4";
  m.organisation.bank_groups = 4;
  m.organisation.banks_per_group = 4;
  m.clock = base::Clock::from_hertz(1'600'000'000);
  m.timings = {{"nRAS", 52}, {"nRP", 22}, {"nRFC", 560}, {"nBL", 4}};
  spec::Currents currents;
  spec::RailCurrents vdd;
  vdd.volts = 1.2;
  vdd.i0 = vdd.i_beta = 0.057;
  vdd.i2n = 0.037;
  vdd.i3n = 0.050;
  vdd.i4r = 0.175;
  vdd.i4w = 0.156;
  vdd.i5 = 0.263;
  vdd.i6 = vdd.i2p = vdd.i3p = std::numeric_limits<double>::quiet_NaN();
  currents.rails = {vdd};
  currents.estimated = true;
  m.currents = currents;
  return m;
}

ledger::RunRecord run_of(std::int64_t weight) {
  ledger::RunRecord run;
  ledger::StepRecord& record = run.records.emplace_back();
  record.weight = weight;
  base::ChannelCounters& channel = record.channels.emplace_back();
  channel.cycles = 1000;
  channel.banks.resize(16);
  channel.banks[3] = {.act = 2,
                      .pre = 2,
                      .rd = 9,
                      .wr = 4,
                      .rda = 1,
                      .wra = 1,
                      .refresh = 1,
                      .conflicts = 1,
                      .open_cycles = 700};
  channel.ranks.push_back({.any_open_cycles = 700,
                           .closed_cycles = 300,
                           .refreshes = 1,
                           .power_down_active_cycles = 0,
                           .power_down_precharge_cycles = 0,
                           .self_refresh_cycles = 0});
  return run;
}

double joules(const RunEnergy& energy, const std::string& name) {
  for (const auto& c : energy.components)
    if (c.name == name) return c.joules;
  return -1;
}

std::vector<std::string> codes(const RunEnergy& energy) {
  std::vector<std::string> all;
  for (const auto& d : energy.diagnostics) all.push_back(d.code);
  return all;
}

TEST(RunEnergy, counts_every_record_by_its_weight) {
  const RunEnergy once = energy_of(ddr4(), run_of(1));
  const RunEnergy many = energy_of(ddr4(), run_of(48));
  ASSERT_EQ(once.components.size(), many.components.size());
  for (std::size_t i = 0; i < once.components.size(); ++i)
    EXPECT_NEAR(many.components[i].joules, 48 * once.components[i].joules,
                1e-12 * many.components[i].joules);
}

TEST(RunEnergy, reads_with_and_without_auto_precharge_cost_the_same) {
  // V(I4R − I3N)·tburst for each of 8 devices
  EXPECT_NEAR(joules(energy_of(ddr4(), run_of(1)), "read"), 10 * 1.2 * 0.125 * 4 * 0.625e-9 * 8,
              1e-18);
}

TEST(RunEnergy, says_that_the_interface_is_missing_and_that_currents_are_estimated) {
  const RunEnergy energy = energy_of(ddr4(), run_of(1));
  EXPECT_THAT(codes(energy), testing::ElementsAre("interface_energy_missing"));
  for (const auto& c : energy.components) EXPECT_TRUE(c.estimated) << c.name;
}

TEST(RunEnergy, is_unknown_without_currents) {
  spec::MemorySpec memory = ddr4();
  memory.currents.reset();
  EXPECT_TRUE(energy_of(memory, run_of(1)).components.empty());
  EXPECT_THAT(codes(energy_of(memory, run_of(1))), testing::ElementsAre("currents_missing"));
}

TEST(RunEnergy, is_unknown_when_a_state_without_a_current_was_entered) {
  ledger::RunRecord run = run_of(1);
  run.records[0].channels[0].ranks[0].self_refresh_cycles = 10;
  EXPECT_TRUE(energy_of(ddr4(), run).components.empty());
}

TEST(RunEnergy, dynamic_energy_is_that_of_commands_made_for_requests) {
  for (const auto& c : energy_of(ddr4(), run_of(1)).components)
    EXPECT_EQ(c.dynamic, c.name == "activate" || c.name == "precharge" || c.name == "read" ||
                             c.name == "write")
        << c.name;
}

}  // namespace
}  // namespace diffram::physics
