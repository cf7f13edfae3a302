// State rules that no golden case guards (energy-and-heat.md 2f), with figures of our own.

#include "physics/command_replay.h"

#include <gtest/gtest.h>

#include "physics/golden_memory.h"

namespace diffram::physics {
namespace {

using spec::Command;

constexpr double kPicojoule = 1e-12;
constexpr double kShownDigits = 5e-7;  // the figures of 2f have six decimals, in pJ

GoldenMemory golden() { return golden_memory("ddr4"); }

base::ChannelCounters replay(const GoldenMemory& memory, const std::vector<TimedCommand>& commands,
                             std::int64_t end) {
  return memory.replayed(commands, end);
}

const std::vector<TimedCommand> kReadsAndRefresh = {
    {0, Command::ACT, 0, 0},   {15, Command::RD, 0, 0}, {20, Command::ACT, 0, 3},
    {35, Command::RD, 0, 3},   {40, Command::RD, 0, 0}, {50, Command::PREA, 0, 0},
    {65, Command::REFab, 0, 0}};

TEST(CoreEnergy, second_rail_adds_its_own_currents) {
  GoldenMemory memory = golden();
  spec::RailCurrents& vpp = memory.core.currents.rails.at(1);
  vpp.volts = 2.5;
  vpp.i0 = 3.0e-3;
  vpp.i2n = 2.5e-3;
  vpp.i3n = 2.7e-3;
  vpp.i4r = 2.8e-3;
  vpp.i4w = 2.9e-3;
  vpp.i5 = 9e-3;
  vpp.i6 = 2.1e-3;
  vpp.i2p = 2.3e-3;
  vpp.i3p = 2.4e-3;
  vpp.i_beta = 3.0e-3;
  const CoreEnergy e = memory.energy(replay(memory, kReadsAndRefresh, 100));
  EXPECT_NEAR(e.activate / kPicojoule, 374.134615, kShownDigits);
  EXPECT_NEAR(e.precharge / kPicojoule, 434.615385, kShownDigits);
  EXPECT_NEAR(e.read / kPicojoule, 1309.384615, kShownDigits);
  EXPECT_NEAR(e.refresh / kPicojoule, 2114.423077, kShownDigits);
  EXPECT_NEAR((e.bank_open + e.rank_open) / kPicojoule, 2995.961538, kShownDigits);
  EXPECT_NEAR(e.rank_open / kPicojoule, 2910.576923, kShownDigits);
  EXPECT_NEAR(e.rank_closed / kPicojoule, 899.038462, kShownDigits);
  EXPECT_NEAR(e.total() / kPicojoule, 8127.557692, kShownDigits);
}

TEST(CommandReplay, auto_precharge_waits_for_tRAS) {
  GoldenMemory memory = golden();
  memory.replay.ras = 40;
  const auto counters = replay(memory, {{0, Command::ACT, 0, 0}, {15, Command::RDA, 0, 0}}, 100);
  EXPECT_EQ(counters.banks[0].open_cycles, 40);
  EXPECT_EQ(counters.banks[0].pre, 0);  // the one inside RDA is no command
}

TEST(CommandReplay, precharge_of_a_bank_that_closes_by_itself_is_free) {
  const auto counters = replay(golden(),
                               {{0, Command::ACT, 0, 0},
                                {8, Command::RDA, 0, 0},  // closes at 13
                                {10, Command::PRE, 0, 0},
                                {11, Command::PREA, 0, 0}},
                               50);
  EXPECT_EQ(counters.banks[0].pre, 0);
  EXPECT_EQ(counters.banks[0].open_cycles, 13);
}

TEST(CommandReplay, auto_precharge_closes_only_its_own_row) {
  const auto counters = replay(golden(),
                               {{0, Command::ACT, 0, 0},
                                {8, Command::RDA, 0, 0},    // would close at 13
                                {10, Command::ACT, 0, 0}},  // illegal, as logs of others may be
                               50);
  EXPECT_EQ(counters.banks[0].open_cycles, 50);
}

TEST(CommandReplay, precharge_of_a_closed_bank_is_free) {
  const auto counters = replay(golden(), {{5, Command::PRE, 0, 0}, {9, Command::PREA, 0, 0}}, 20);
  EXPECT_EQ(counters.banks[0].pre, 0);
  EXPECT_EQ(counters.ranks[0].closed_cycles, 20);
}

TEST(CommandReplay, refresh_opens_every_bank_and_its_end_is_no_precharge) {
  const auto counters = replay(golden(), {{10, Command::REFab, 0, 0}}, 100);
  for (const base::BankCounters& bank : counters.banks) {
    EXPECT_EQ(bank.open_cycles, 25);
    EXPECT_EQ(bank.pre, 0);
    EXPECT_EQ(bank.refresh, 1);
  }
  EXPECT_EQ(counters.ranks[0].refreshes, 1);
}

TEST(CommandReplay, second_power_down_waits_tRCD_from_the_exit_of_the_first) {
  GoldenMemory memory = golden();
  memory.replay.rcd = 20;
  const auto counters = replay(memory,
                               {{0, Command::ACT, 0, 0},
                                {20, Command::PDE, 0, 0},
                                {30, Command::PDX, 0, 0},
                                {35, Command::PDE, 0, 0}},  // enters at 50
                               60);
  EXPECT_EQ(counters.ranks[0].power_down_active_cycles, 10 + 10);
}

TEST(CommandReplay, power_down_is_active_while_a_bank_is_open) {
  const auto open = replay(golden(), {{0, Command::ACT, 0, 0}, {20, Command::PDE, 0, 0}}, 50);
  EXPECT_EQ(open.ranks[0].power_down_active_cycles, 30);
  const auto closed = replay(golden(), {{20, Command::PDE, 0, 0}}, 50);
  EXPECT_EQ(closed.ranks[0].power_down_precharge_cycles, 30);
}

TEST(CommandReplay, states_of_a_rank_partition_the_window) {
  const auto counters = replay(golden(),
                               {{0, Command::ACT, 0, 0},
                                {30, Command::PDE, 0, 0},
                                {50, Command::PDX, 0, 0},
                                {60, Command::PRE, 0, 0},
                                {80, Command::PDE, 0, 0},
                                {90, Command::PDX, 0, 0},
                                {100, Command::SREFE, 0, 0},
                                {200, Command::SREFX, 0, 0}},
                               250);
  const base::RankCounters& r = counters.ranks[0];
  EXPECT_EQ(r.any_open_cycles + r.closed_cycles + r.power_down_active_cycles +
                r.power_down_precharge_cycles + r.self_refresh_cycles,
            250);
  EXPECT_EQ(r.self_refresh_cycles, 75);
}

}  // namespace
}  // namespace diffram::physics
