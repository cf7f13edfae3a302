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

TEST(RunEnergy, names_the_currents_that_are_not_stated) {
  spec::MemorySpec memory = ddr4();
  memory.currents->rails[0].name = "VDD";
  memory.currents->rails[0].i5 = spec::kUnknownCurrent;
  const RunEnergy energy = energy_of(memory, run_of(1));
  EXPECT_TRUE(energy.components.empty());
  ASSERT_EQ(energy.diagnostics.size(), 1u);
  EXPECT_THAT(energy.diagnostics[0].message, testing::HasSubstr("VDD.I5"));
}

TEST(RunEnergy, refreshes_of_some_banks_are_a_component_of_their_own) {
  ledger::RunRecord run = run_of(1);
  base::ChannelCounters& channel = run.records[0].channels[0];
  channel.part_refreshes.resize(channel.banks.size());
  channel.part_refreshes[3] = 1;  // the one that there is
  spec::MemorySpec memory = ddr4();
  RunEnergy energy = energy_of(memory, run);
  EXPECT_EQ(joules(energy, "refresh"), 0);
  EXPECT_EQ(joules(energy, "refresh_part"), joules(energy_of(memory, run_of(1)), "refresh"));
  EXPECT_THAT(codes(energy),
              testing::ElementsAre("part_refresh_current", "interface_energy_missing"));
  memory.timings["nRFCpb"] = 100;
  memory.currents->rails[0].i5_part = 0.150;
  energy = energy_of(memory, run);
  EXPECT_THAT(codes(energy), testing::ElementsAre("interface_energy_missing"));
  // V · (I5C − I1) · tRFC of one bank, for each of 8 devices; ρ = 1: I1 = I3N.
  EXPECT_NEAR(joules(energy, "refresh_part"), 1.2 * 0.100 * 100 * 0.625e-9 * 8, 1e-18);
}

TEST(RunEnergy, is_a_figure_per_bit_where_there_are_no_currents) {
  spec::MemorySpec memory = ddr4();
  memory.currents.reset();
  memory.event_energies = spec::EventEnergies{0, 4e-12, 5e-12, "of the device"};
  RunEnergy energy = energy_of(memory, run_of(3));
  ASSERT_EQ(energy.components.size(), 2u);
  EXPECT_DOUBLE_EQ(joules(energy, "read"), 3 * 10 * 512 * 4e-12);
  EXPECT_DOUBLE_EQ(joules(energy, "write"), 3 * 5 * 512 * 5e-12);
  ASSERT_EQ(codes(energy), std::vector<std::string>{"energy_by_bit"});
  EXPECT_THAT(energy.diagnostics[0].message, testing::HasSubstr("of the device"));
  for (const auto& component : energy.components) EXPECT_TRUE(component.estimated);
  memory.event_energies->activate_j = 1e-9;
  energy = energy_of(memory, run_of(3));
  EXPECT_DOUBLE_EQ(joules(energy, "activate"), 3 * 2e-9);
}

TEST(RunEnergy, dynamic_energy_is_that_of_commands_made_for_requests) {
  for (const auto& c : energy_of(ddr4(), run_of(1)).components)
    EXPECT_EQ(c.dynamic, c.name == "activate" || c.name == "precharge" || c.name == "read" ||
                             c.name == "write")
        << c.name;
}

}  // namespace
}  // namespace diffram::physics
