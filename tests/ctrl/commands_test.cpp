// docs/controller.md, one statement at a time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;
using spec::Command;
using ::testing::ElementsAre;
using Cycles = std::vector<std::int64_t>;

TEST(Commands, read_of_a_closed_bank_is_ACT_after_dispatch_then_RD_after_tRCD) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.row = 5, .column = 3});
  EXPECT_EQ(memory.channel->drain().value, 2 + kRcd + kCl + kBl);
  const std::vector<IssuedCommand> expected = {{2, Command::ACT, 0, 0, 0, 5, 0},
                                               {2 + kRcd, Command::RD, 0, 0, 0, 5, 3}};
  EXPECT_EQ(memory.commands, expected);
}

TEST(Commands, row_conflict_waits_for_tRAS_then_tRP_then_tRCD) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.row = 1});
  memory.read({.row = 2});
  memory.channel->drain();
  EXPECT_EQ(memory.cycles_of(Command::PRE), Cycles{2 + kRas});
  EXPECT_EQ(memory.cycles_of(Command::ACT), (Cycles{2, 2 + kRas + kRp}));
  EXPECT_EQ(memory.cycles_of(Command::RD), (Cycles{2 + kRcd, 2 + kRas + kRp + kRcd}));
}

TEST(Commands, fifth_activation_waits_for_tFAW) {
  WatchedChannel memory(ddr4_3200());
  for (std::uint32_t i = 0; i < 5; ++i) memory.read({.bank_group = i % 4, .bank = i / 4});
  memory.channel->drain();
  EXPECT_EQ(memory.cycles_of(Command::ACT),
            // Legal at 2 + tFAW, a cycle later because the read of the fourth row takes the slot.
            (Cycles{2, 2 + kRrdS, 2 + 2 * kRrdS, 2 + 3 * kRrdS, 2 + kFaw + 1}));
  EXPECT_EQ(memory.cycles_of(Command::RD)[3], 2 + kFaw);
}

TEST(Commands, hits_of_one_group_come_every_tCCD_L_and_of_two_groups_every_tCCD_S) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.column = 0});
  memory.read({.column = 1});
  memory.channel->drain();
  memory.read({.column = 2}, 200);
  memory.read({.bank_group = 1}, 200);
  memory.channel->drain();
  const auto reads = memory.cycles_of(Command::RD);
  ASSERT_EQ(reads.size(), 4u);
  EXPECT_EQ(reads[1] - reads[0], kCcdL);
  EXPECT_EQ(reads[2], 202);
}

TEST(Commands, write_then_read_turns_the_bus_after_tWTR) {
  WatchedChannel memory(ddr4_3200());
  memory.write({.column = 0});
  memory.channel->advance(base::Cycles(30));
  memory.read({.column = 1}, 30);
  memory.channel->drain();
  const auto written = memory.cycles_of(Command::WR);
  EXPECT_EQ(written, Cycles{2 + kRcd});
  EXPECT_EQ(memory.cycles_of(Command::RD), Cycles{written[0] + kCwl + kBl + kWtrL});
}

TEST(Commands, write_drain_starts_at_high_watermark_and_stops_at_low) {
  auto spec = ddr4_3200();
  spec.controller.write_high = 4;
  spec.controller.write_low = 1;
  WatchedChannel memory(spec);
  for (std::uint32_t i = 0; i < 40; ++i) memory.read({.column = i});
  for (std::uint32_t i = 0; i < 3; ++i) memory.write({.bank_group = 1, .column = i});
  memory.channel->advance(base::Cycles(100));
  EXPECT_EQ(memory.cycles_of(Command::WR), Cycles{});
  memory.write({.bank_group = 1, .column = 3}, 100);
  memory.channel->advance(base::Cycles(230));
  EXPECT_EQ(memory.cycles_of(Command::WR).size(), 3u);
  memory.channel->drain();
  EXPECT_EQ(memory.cycles_of(Command::WR).size(), 4u);
  EXPECT_GT(memory.cycles_of(Command::WR).back(), memory.cycles_of(Command::RD).back());
}

TEST(Commands, overdue_request_stops_hits) {
  for (const std::uint32_t max_wait : {100u, 4096u}) {
    auto spec = ddr4_3200();
    spec.controller.max_wait = max_wait;
    WatchedChannel memory(spec);
    memory.read({.row = 1});
    memory.read({.row = 2, .column = 99}, 1);
    for (std::uint32_t i = 1; i <= 40; ++i) memory.read({.row = 1, .column = i}, 2);
    memory.channel->drain();
    const auto order = memory.columns();
    const auto position = std::find(order.begin(), order.end(), 99u) - order.begin();
    const auto hits_before_overdue = (1 + 100 - (2 + kRcd) + kCcdL - 1) / kCcdL;
    EXPECT_EQ(position, max_wait == 100 ? hits_before_overdue : 41);
  }
}

TEST(Commands, reads_do_not_starve_beside_a_long_write) {
  auto memory = ddr4_3200();
  memory.controller.max_wait = 500;
  WatchedChannel watched(memory);
  constexpr std::uint64_t kWrites =
      8000;  // 32,000 cycles of the bus, always ready to fill the queue
  watched.submit({0, kWrites * kBurst, base::OriginId(0), base::Direction::write}, 0);
  const std::uint64_t first_read = watched.next_ticket;
  for (std::uint32_t i = 0; i < 32; ++i) watched.read({.bank = 3, .row = 7, .column = i}, 10);
  watched.channel->drain();
  std::int64_t last_read = 0, last_write = 0;
  for (const auto& done : watched.channel->completions()) {
    auto& last = done.ticket >= first_read ? last_read : last_write;
    last = std::max(last, done.cycle);
  }
  EXPECT_GT(last_write, 4 * static_cast<std::int64_t>(kWrites));
  EXPECT_LT(last_read, 10 + 4 * 500);
}

TEST(Commands, no_more_hits_pass_than_the_cap) {
  auto spec = ddr4_3200();
  spec.controller.row_hit_cap = 5;
  WatchedChannel memory(spec);
  memory.read({.row = 1});
  memory.read({.row = 2, .column = 99}, 1);
  for (std::uint32_t i = 1; i <= 20; ++i) memory.read({.row = 1, .column = i}, 2);
  memory.channel->drain();
  EXPECT_EQ(memory.columns()[6], 99u);
}

TEST(Commands, closed_page_uses_RDA_for_the_last_burst_to_a_row) {
  auto spec = ddr4_3200();
  spec.controller.page_policy = spec::PagePolicy::closed;
  WatchedChannel memory(spec);
  memory.read({.row = 1, .column = 0});
  memory.read({.row = 1, .column = 1});
  memory.write({.row = 1, .column = 7});
  memory.channel->drain();
  std::vector<Command> order;
  for (const auto& command : memory.commands) order.push_back(command.command);
  EXPECT_THAT(order,
              ElementsAre(Command::ACT, Command::RD, Command::RDA, Command::ACT, Command::WRA));
}

TEST(Commands, refresh_goes_before_requests) {
  auto spec = ddr4_3200();
  spec.timings["nREFI"] = 1000;
  WatchedChannel memory(spec);
  for (std::uint32_t i = 0; i < 30; ++i) memory.read({.row = 1, .column = i}, 900);
  memory.channel->drain();
  const auto reads = memory.cycles_of(Command::RD);
  const auto last_before = *(std::lower_bound(reads.begin(), reads.end(), 1000) - 1);
  EXPECT_EQ(memory.cycles_of(Command::PREA), Cycles{last_before + kRtp});
  const auto refresh = last_before + kRtp + kRp;
  EXPECT_EQ(memory.cycles_of(Command::REFab), Cycles{refresh});
  EXPECT_EQ(memory.cycles_of(Command::ACT), (Cycles{902, refresh + kRfc}));
}

TEST(Commands, refresh_owed_is_paid_one_by_one) {
  auto spec = ddr4_3200();
  spec.timings["nREFI"] = kRfc / 2;
  WatchedChannel memory(spec);
  memory.channel->advance(base::Cycles(10 * kRfc));
  const auto refreshes = memory.cycles_of(Command::REFab);
  ASSERT_EQ(refreshes.size(), 10u);
  EXPECT_EQ(refreshes[0], kRfc / 2);
  EXPECT_EQ(refreshes[9] - refreshes[8], kRfc);
}

TEST(Commands, refreshes_of_ranks_are_spread_over_the_interval) {
  auto spec = ddr4_3200(1, 2);
  spec.timings["nREFI"] = 1000;
  WatchedChannel memory(spec);
  memory.channel->advance(base::Cycles(2100));
  EXPECT_EQ(memory.cycles_of(Command::REFab), (Cycles{500, 1000, 1500, 2000}));
}

TEST(Commands, read_of_a_queued_write_is_forwarded) {
  WatchedChannel memory(ddr4_3200());
  memory.write({.row = 3, .column = 4});
  memory.read({.row = 3, .column = 4}, 10);
  memory.channel->advance(base::Cycles(11));
  ASSERT_EQ(memory.channel->completions().size(), 1u);
  EXPECT_EQ(memory.channel->completions()[0].ticket, 1u);
  EXPECT_EQ(memory.channel->completions()[0].cycle, 11);
  memory.channel->drain();
  EXPECT_EQ(memory.cycles_of(Command::RD), Cycles{});
  EXPECT_EQ(memory.channel->take_counters().origins[0].forwarded, 1);
}

TEST(Commands, write_waits_for_a_queued_read_of_its_address) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.row = 3, .column = 4});
  memory.write({.row = 3, .column = 4});
  memory.channel->drain();
  EXPECT_LT(memory.cycles_of(Command::RD)[0], memory.cycles_of(Command::WR)[0]);
  EXPECT_GE(memory.cycles_of(Command::WR)[0], memory.cycles_of(Command::RD)[0] + 1 + 2);
}

TEST(Commands, a_run_is_complete_at_the_end_of_its_last_burst) {
  WatchedChannel memory(ddr4_3200());
  memory.submit({0, 16 * kBurst, base::OriginId(0), base::Direction::read}, 0);
  memory.channel->advance_until_complete(0, base::Cycles(100000));
  ASSERT_EQ(memory.channel->completions().size(), 1u);
  EXPECT_EQ(memory.channel->completions()[0].cycle,
            memory.cycles_of(Command::RD).back() + kCl + kBl);
  EXPECT_EQ(memory.channel->now(), base::Cycles(memory.channel->completions()[0].cycle));
  EXPECT_TRUE(memory.channel->idle());
}

TEST(Commands, a_run_without_a_burst_in_the_channel_completes_at_once) {
  WatchedChannel memory(ddr4_3200(2));
  memory.submit({kBurst, kBurst, base::OriginId(0), base::Direction::read}, 7);
  EXPECT_TRUE(memory.channel->idle());
  ASSERT_EQ(memory.channel->completions().size(), 1u);
  EXPECT_EQ(memory.channel->completions()[0].cycle, 7);
}

TEST(Commands, an_unknown_scheduler_makes_no_channel) {
  auto spec = ddr4_3200();
  spec.controller.scheduler = "frfcsf";
  EXPECT_THROW(make_channel(spec, base::ChannelId(0), {}), std::invalid_argument);
  EXPECT_THAT(scheduler_names(), ElementsAre("frfcfs", "frfcfs-strict", "frfcfs-grouped", "fcfs"));
}

}  // namespace
}  // namespace diffram::ctrl
