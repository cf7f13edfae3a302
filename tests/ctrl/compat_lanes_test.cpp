// The lanes of compat: AVX2 and its twin of four lanes give the same numbers, and time may go on
// for ever.

#include <gtest/gtest.h>

#include <random>

#include "ctrl/compat/bank_lanes.h"
#include "ctrl/compat/controller.h"

namespace diffram::ctrl::compat {
namespace {

class lanes_of : public testing::TestWithParam<std::uint32_t> {};

TEST_P(lanes_of, kernels_of_eight_and_of_four_lanes_agree) {
  const std::uint32_t banks = GetParam();
  BankLanes wide(banks, dram::SimdPath::avx2), plain(banks, dram::SimdPath::plain);
  std::mt19937 random(banks);
  const auto set = [&](BankLanes::Row row, std::uint32_t bank, Near value) {
    wide.at(row, bank) = value;
    plain.at(row, bank) = value;
  };
  std::vector<Near> offsets(2 * wide.lanes());
  const auto of_both = [&](auto each) {
    each(wide);
    each(plain);
  };
  for (int round = 0; round < 200; ++round) {
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
      for (const auto row :
           {BankLanes::kActivate, BankLanes::kPrecharge, BankLanes::kRead, BankLanes::kWrite})
        set(row, bank, static_cast<Near>(random() % 50));
      // ACT alone, or any of PRE, RD and WR.
      const auto some = static_cast<std::uint32_t>(random() % 9);
      const std::uint32_t asks = random() % 4 != 0 ? 0 : some == 8 ? 1 : 2 * some;
      of_both([&](BankLanes& lanes) { lanes.ask(bank, asks); });
      set(BankLanes::kFrozen, bank, random() % 8 == 0 ? kNearNever : 0);
    }
    for (auto& offset : offsets) offset = static_cast<Near>(random() % 40) - 20;
    const auto blocks = wide.blocks_of(banks / 3, banks);
    const Near window = static_cast<Near>(random() % 60);
    of_both([&](BankLanes& lanes) {
      lanes.push_columns(offsets.data(), 30);
      lanes.push_activates(blocks, offsets.data(), 30, window);
    });
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
      for (const auto row : {BankLanes::kActivate, BankLanes::kRead, BankLanes::kWrite})
        ASSERT_EQ(wide.at(row, bank), plain.at(row, bank)) << bank;
    }
    const Near floor = static_cast<Near>(random() % 60);
    const Near least = plain.least(floor);
    ASSERT_EQ(wide.least(floor), least);
    if (least == kNearNever) continue;
    for (std::size_t word = 0; word < plain.words(); ++word)
      ASSERT_EQ(wide.ready_mask(word), plain.ready_mask(word)) << word;
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
      const bool is_ready =
          std::max(plain.ready(bank), plain.at(BankLanes::kFrozen, bank)) <= least;
      ASSERT_EQ((plain.ready_mask(bank / 64) >> (bank % 64) & 1) != 0, is_ready) << bank;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(banks, lanes_of,
                         testing::Values(1, 4, 8, 16, 17, 32, 48, 64, 65, 128, 200));

TEST(lanes, a_move_of_the_base_keeps_times_that_lie_ahead) {
  BankLanes lanes(8);
  const Tick now = BankLanes::kLongestStay + 100;
  lanes.at(BankLanes::kActivate, 0) = lanes.near_of(now + 7);
  lanes.at(BankLanes::kActivate, 1) = 3;
  lanes.at(BankLanes::kActivate, 2) = kNearNever;
  lanes.keep_near(now);
  EXPECT_EQ(lanes.tick_of(lanes.at(BankLanes::kActivate, 0)), now + 7);
  EXPECT_EQ(lanes.tick_of(lanes.at(BankLanes::kActivate, 1)), now);
  EXPECT_EQ(lanes.tick_of(lanes.at(BankLanes::kActivate, 2)), kNever);
}

TEST(compat_controller, an_idle_rank_of_a_long_run_is_refreshed_and_counted_as_if_stepped) {
  const auto config = spec::parse_dramsim3_config("", "default.ini");
  ASSERT_TRUE(config);
  constexpr Tick kCycles = Tick{3} << 30;  // beyond any base
  Controller controller(*config, kCycles, {});
  controller.run_until(kCycles);
  const auto counters = controller.take_counters();
  const auto& ranks = counters.ranks;
  EXPECT_EQ(counters.of(Command::REF), (kCycles - 1) / config->refresh_interval);
  for (const auto& rank : ranks) EXPECT_EQ(rank.idle, kCycles);
}

TEST(compat_controller, commands_do_not_depend_on_how_time_is_cut) {
  const auto config = spec::parse_dramsim3_config("[system]\nchannel_size=4096", "four.ini");
  ASSERT_TRUE(config);
  constexpr Tick kCycles = 20000;
  std::vector<std::string> logs(2);
  for (const Tick step : {Tick{1}, Tick{97}}) {
    auto& log = logs[step == 1 ? 0 : 1];
    Controller controller(*config, kCycles,
                          [&log](const IssuedCommand& command) { append_line(command, log); });
    std::mt19937_64 random(5);
    for (Tick t = 0; t < kCycles; t += 97) {
      for (Tick until = t + step; until <= t + 97; until += step) controller.run_until(until);
      const bool is_write = random() % 3 == 0;
      const std::uint64_t address = random() % (std::uint64_t{1} << 32);
      if (controller.accepts(is_write)) controller.add(address, is_write);
    }
  }
  EXPECT_FALSE(logs[0].empty());
  EXPECT_EQ(logs[0], logs[1]);
}

// R A, W A, then 8 more writes (behaviour text 17): the drain is armed and cancelled for ever.
TEST(compat_controller, a_read_and_a_write_of_one_address_deadlock_the_drain) {
  const auto config = spec::parse_dramsim3_config("", "default.ini");
  ASSERT_TRUE(config);
  constexpr Tick kCycles = 100000;
  Controller controller(*config, kCycles, {});
  controller.add(0, false);
  for (std::uint64_t i = 0; i <= 8; ++i) controller.add(i * 0x100000, true);
  controller.run_until(kCycles);
  EXPECT_TRUE(controller.leftovers().drain_is_stuck);
  const auto counters = controller.take_counters();
  EXPECT_EQ(counters.reads_done, 0u);
  EXPECT_EQ(counters.reads() + counters.writes(), 0u);
}

}  // namespace
}  // namespace diffram::ctrl::compat
