// Each policy by what a user would see of it (docs/controller.md). The exact commands are the naive
// model's business (tests/oracle).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;
using base::Cause;
using spec::Command;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Cycles = std::vector<std::int64_t>;

spec::MemorySpec memory_of(const std::string& scheduler, std::uint32_t ranks = 1) {
  auto memory = ddr4_3200(1, ranks);
  memory.controller.scheduler = scheduler;
  return memory;
}

/// One burst to row 1, one to row 2, then eight more to row 1, of one bank: the columns as served.
std::vector<std::uint32_t> order_of_hits_around_a_conflict(const spec::MemorySpec& spec) {
  WatchedChannel memory(spec);
  memory.read({.row = 1, .column = 0});
  memory.read({.row = 2, .column = 100});
  for (std::uint32_t i = 1; i <= 8; ++i) memory.read({.row = 1, .column = i});
  memory.channel->drain();
  return memory.columns();
}

TEST(Fcfs, serves_in_the_order_of_arrival) {
  EXPECT_THAT(order_of_hits_around_a_conflict(memory_of("fcfs")),
              ElementsAre(0, 100, 1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(Fcfs, turns_the_bus_as_often_as_the_requests_do) {
  WatchedChannel memory(memory_of("fcfs"));
  for (std::uint32_t i = 0; i < 6; i += 2) {
    memory.read({.column = i});
    memory.write({.column = i + 1});
  }
  memory.channel->drain();
  EXPECT_THAT(memory.columns(), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Fcfs, hides_no_opening_behind_the_burst_before) {
  WatchedChannel memory(memory_of("fcfs"));
  memory.read({.bank = 1, .row = 1}, 0, 1);
  memory.read({.bank = 2, .row = 1}, 0, 2);  // its bank could open meanwhile
  memory.channel->drain();
  const auto bill = memory.channel->take_counters().bill;
  // Its ACT follows the first RD; only the data of the first hide a part.
  EXPECT_EQ(bill.at({base::OriginId(2), base::kNoOrigin, Cause::row_miss}), 1 + kRcd - kBl);
}

TEST(Strict, lets_four_hits_pass_by_default) {
  EXPECT_THAT(order_of_hits_around_a_conflict(memory_of("frfcfs-strict")),
              ElementsAre(0, 1, 2, 3, 4, 100, 5, 6, 7, 8));
}

TEST(Strict, counts_by_the_burst_that_is_passed_not_by_the_open_row) {
  auto spec = memory_of("frfcfs-strict");
  spec.controller.strict_bypass = 1;
  EXPECT_THAT(order_of_hits_around_a_conflict(spec), ElementsAre(0, 1, 100, 2, 3, 4, 5, 6, 7, 8));
  spec.controller.strict_bypass = 0;
  EXPECT_THAT(order_of_hits_around_a_conflict(spec), ElementsAre(0, 100, 1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(Strict, lets_nothing_pass_a_burst_that_has_waited_long) {
  auto spec = memory_of("frfcfs-strict");
  spec.controller.strict_bypass = 100;
  // Opened at 2, hits each tCCD_L from 24 on: 24, 32, 40 before the burst is 42 cycles old.
  spec.controller.strict_age = 42;
  EXPECT_THAT(order_of_hits_around_a_conflict(spec), ElementsAre(0, 1, 2, 100, 3, 4, 5, 6, 7, 8));
}

TEST(Frfcfs, lets_as_many_hits_pass_as_its_cap_says) {
  EXPECT_THAT(order_of_hits_around_a_conflict(memory_of("frfcfs")),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 100));
}

/// Read and write by turns to one row, all at once: how often the bus turns.
std::int64_t turns_of(const spec::MemorySpec& spec) {
  WatchedChannel memory(spec);
  for (std::uint32_t i = 0; i < 100; i += 2) {
    memory.read({.column = i});
    memory.write({.column = i + 1});
  }
  memory.channel->drain();
  std::int64_t turns = 0;
  bool was_read = true;
  for (const auto& c : memory.commands) {
    if (c.command != Command::RD && c.command != Command::WR) continue;
    turns += was_read != (c.command == Command::RD);
    was_read = c.command == Command::RD;
  }
  return turns;
}

TEST(Grouped, turns_seldom_and_serves_all) {
  auto spec = memory_of("frfcfs-grouped");
  EXPECT_EQ(turns_of(spec), 2);  // 42 reads, all writes (8 reads are no group), 8 reads
  spec.controller.group_high = 8;
  EXPECT_EQ(turns_of(spec), 3);  // 42 reads, 42 writes, the rest of each
  EXPECT_EQ(turns_of(memory_of("fcfs")), 99);
}

TEST(TimeoutPage, closes_a_row_that_was_idle_so_long) {
  auto spec = memory_of("frfcfs");
  spec.controller.page_policy = spec::PagePolicy::timeout;
  spec.controller.page_timeout = 100;
  WatchedChannel memory(spec);
  memory.read({.row = 1});
  memory.channel->advance(base::Cycles(1000));
  EXPECT_EQ(memory.cycles_of(Command::RD), Cycles{24});
  EXPECT_EQ(memory.cycles_of(Command::PRE), Cycles{124});
  memory.read({.row = 1}, 1000, 3);
  memory.channel->drain();
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(counters.origins[0].misses + counters.origins[3].misses, 2);
  // The controller closed the row by itself: its opening is the policy's.
  EXPECT_EQ(counters.bill.at({base::OriginId(3), base::kNoOrigin, Cause::policy}), kRcd);
}

TEST(TimeoutPage, keeps_a_row_that_is_used_or_wanted) {
  auto spec = memory_of("frfcfs");
  spec.controller.page_policy = spec::PagePolicy::timeout;
  spec.controller.page_timeout = 100;
  WatchedChannel memory(spec);
  for (std::int64_t t = 0; t < 1000; t += 90) memory.read({.row = 1}, t);
  memory.channel->drain();
  EXPECT_THAT(memory.cycles_of(Command::PRE), IsEmpty());
}

/// `count` reads of bank 0, 300 cycles apart, of row(i): the commands that open and close.
template <class Row>
WatchedChannel& far_apart(WatchedChannel& memory, std::int64_t count, Row&& row) {
  for (std::int64_t i = 0; i < count; ++i)
    memory.read({.row = row(i), .column = static_cast<std::uint32_t>(i)}, 300 * i);
  memory.channel->drain();
  return memory;
}

TEST(AdaptivePage, learns_to_keep_the_row_that_comes_again) {
  auto spec = memory_of("frfcfs");
  spec.controller.page_policy = spec::PagePolicy::adaptive;
  WatchedChannel memory(spec);
  far_apart(memory, 10, [](std::int64_t) { return 1u; });
  EXPECT_EQ(memory.cycles_of(Command::ACT).size(), 1u);
  EXPECT_THAT(memory.cycles_of(Command::RDA), IsEmpty());
}

TEST(AdaptivePage, learns_to_close_the_row_that_does_not) {
  auto spec = memory_of("frfcfs");
  spec.controller.page_policy = spec::PagePolicy::adaptive;
  WatchedChannel memory(spec);
  far_apart(memory, 10, [](std::int64_t i) { return static_cast<std::uint32_t>(i); });
  EXPECT_EQ(memory.cycles_of(Command::PRE).size(), 1u) << "the first conflict teaches";
  EXPECT_EQ(memory.cycles_of(Command::RDA).size(), 9u);
}

TEST(AdaptivePage, returns_to_its_habit_after_one_surprise) {
  auto spec = memory_of("frfcfs");
  spec.controller.page_policy = spec::PagePolicy::adaptive;
  WatchedChannel memory(spec);
  far_apart(memory, 30, [](std::int64_t i) { return i == 15 ? 2u : 1u; });
  // There and back are two surprises: the next row is closed too early, those after it are kept.
  EXPECT_EQ(memory.cycles_of(Command::PRE).size(), 2u);
  EXPECT_EQ(memory.cycles_of(Command::RDA).size(), 1u);
  EXPECT_EQ(memory.cycles_of(Command::ACT).size(), 4u);
}

TEST(PostponedRefresh, waits_while_there_is_work_and_makes_up_for_it) {
  auto spec = memory_of("frfcfs");
  spec.timings["nREFI"] = 2000;
  spec.controller.refresh_postpone = 7;
  WatchedChannel memory(spec);
  for (std::uint32_t i = 0; i < 1300; ++i)
    memory.read({.row = 1, .column = i % 128}, 0);  // one group: 8 cycles each
  memory.channel->drain();
  EXPECT_THAT(memory.cycles_of(Command::REFab), IsEmpty());
  memory.channel->advance(base::Cycles(16'500));
  EXPECT_EQ(memory.cycles_of(Command::REFab).size(), 8u);
}

TEST(PostponedRefresh, holds_the_rank_when_no_more_may_be_owed) {
  auto spec = memory_of("frfcfs");
  spec.timings["nREFI"] = 2000;
  spec.controller.refresh_postpone = 2;
  WatchedChannel memory(spec);
  for (std::uint32_t i = 0; i < 1300; ++i) memory.read({.row = 1, .column = i % 128}, 0);
  memory.channel->drain();
  ASSERT_FALSE(memory.cycles_of(Command::REFab).empty());
  EXPECT_GE(memory.cycles_of(Command::REFab)[0], 3 * 2000);
  EXPECT_LE(memory.cycles_of(Command::REFab)[0], 3 * 2000 + 100);
}

TEST(PulledInRefresh, comes_early_to_an_idle_rank) {
  auto spec = memory_of("frfcfs");
  spec.timings["nREFI"] = 5000;
  spec.controller.refresh_pull_in = 2;
  WatchedChannel memory(spec);
  memory.channel->advance(base::Cycles(4900));
  EXPECT_EQ(memory.cycles_of(Command::REFab), (Cycles{kRfc, 2 * kRfc}));
  memory.channel->advance(base::Cycles(10'100));  // each due one lets another be pulled in
  EXPECT_EQ(memory.cycles_of(Command::REFab), (Cycles{kRfc, 2 * kRfc, 5000, 10'000}));
}

// A rank that left self-refresh is refreshed before it goes back, which pays no debt in advance.
TEST(SelfRefresh, does_not_put_off_the_next_refresh) {
  auto spec = memory_of("frfcfs");
  spec.timings["nREFI"] = 6000;
  spec.controller.self_refresh_after = 100;
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 1000);
  memory.channel->drain();
  const auto served = memory.channel->now().value;
  memory.channel->advance(base::Cycles(served + 150));  // refreshed, and on the way to sleep
  ASSERT_EQ(memory.cycles_of(Command::REFab).size(), 1u);
  for (std::int64_t t = served + 150; t < 6100; t += 50) memory.read({.row = 1}, t);
  memory.channel->drain();
  ASSERT_EQ(memory.cycles_of(Command::REFab).size(), 2u);
  EXPECT_GE(memory.cycles_of(Command::REFab)[1], 6000);
}

TEST(PowerDown, begins_after_the_idle_time_and_ends_with_an_arrival) {
  auto spec = memory_of("frfcfs");
  spec.controller.power_down_after = 50;
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 0, 1);
  memory.read({.row = 1, .column = 1}, 500, 2);
  memory.channel->drain();
  EXPECT_EQ(memory.cycles_of(Command::PDE), Cycles{24 + 50});
  EXPECT_EQ(memory.cycles_of(Command::PDX), Cycles{500});
  EXPECT_EQ(memory.cycles_of(Command::RD), (Cycles{24, 500 + kXp}));
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(counters.ranks[0].power_down_active_cycles, 500 - 74);
  // Visible at 502, legal at 510.
  EXPECT_EQ(counters.bill.at({base::OriginId(2), base::kNoOrigin, Cause::power_exit}), kXp - 2);
}

// A wait for the exit longer than the column latency shows at an edge of a window too.
TEST(PowerDown, that_may_not_end_yet_is_the_cause_at_the_edge_of_a_window) {
  auto spec = memory_of("frfcfs");
  spec.controller.power_down_after = 50;
  for (auto& c : spec.constraints) {
    if (c.before == Command::PDE) c.cycles = 100;
  }
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 0, 1);
  memory.read({.row = 1, .column = 1}, 80, 2);
  memory.channel->advance(base::Cycles(150));
  const auto bill = memory.channel->take_counters().bill;
  EXPECT_EQ(memory.cycles_of(Command::PDE), Cycles{74});
  // Visible at 82; the bus cycles before 150 are those of commands before 150 - kCl.
  EXPECT_EQ(bill.at({base::OriginId(2), base::kNoOrigin, Cause::power_exit}), 150 - kCl - 82);
  memory.channel->drain();
  EXPECT_EQ(memory.cycles_of(Command::PDX), Cycles{174});
}

TEST(PowerDown, is_precharge_power_down_where_no_row_is_open) {
  auto spec = memory_of("frfcfs");
  spec.controller.power_down_after = 50;
  spec.controller.page_policy = spec::PagePolicy::closed;
  WatchedChannel memory(spec);
  memory.read({.row = 1});
  memory.channel->advance(base::Cycles(1000));
  // The row closes at 2 + tRAS, at rest tRP later.
  EXPECT_EQ(memory.cycles_of(Command::PDE), Cycles{2 + kRas + kRp});
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(counters.ranks[0].power_down_precharge_cycles, 1000 - (2 + kRas + kRp));
  EXPECT_EQ(counters.ranks[0].power_down_active_cycles, 0);
}

TEST(PowerDown, is_left_for_a_refresh_and_entered_again) {
  auto spec = memory_of("frfcfs");
  spec.timings["nREFI"] = 2000;
  spec.controller.power_down_after = 1;
  WatchedChannel memory(spec);
  memory.channel->advance(base::Cycles(5000));
  EXPECT_EQ(memory.cycles_of(Command::PDX), (Cycles{2000, 4000}));
  EXPECT_EQ(memory.cycles_of(Command::REFab), (Cycles{2000 + kXp, 4000 + kXp}));
  EXPECT_EQ(memory.cycles_of(Command::PDE), (Cycles{1, 2000 + kXp + kRfc, 4000 + kXp + kRfc}));
}

TEST(SelfRefresh, takes_over_the_refreshes_of_a_rank_and_gives_them_back) {
  auto spec = memory_of("frfcfs");
  spec.timings["nREFI"] = 2000;
  spec.controller.self_refresh_after = 100;
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 50'000, 1);
  memory.channel->drain();
  EXPECT_EQ(memory.cycles_of(Command::SREFE), Cycles{100});
  EXPECT_EQ(memory.cycles_of(Command::SREFX), Cycles{50'000});
  EXPECT_THAT(memory.cycles_of(Command::REFab), IsEmpty());
  EXPECT_EQ(memory.cycles_of(Command::ACT), Cycles{50'000 + kXs});
  EXPECT_EQ(memory.cycles_of(Command::RD), Cycles{50'000 + kXsdll});
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(counters.ranks[0].self_refresh_cycles, 50'000 - (100 + kRfc));
  EXPECT_EQ(counters.ranks[0].refreshes, 1) << "the one that self-refresh begins with";
  EXPECT_GT(counters.bill.at({base::OriginId(1), base::kNoOrigin, Cause::power_exit}), kXs);
}

TEST(SelfRefresh, is_entered_again_only_after_a_refresh) {
  auto spec = memory_of("frfcfs");
  spec.timings["nREFI"] = 20'000;
  spec.controller.self_refresh_after = 100;
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 5000);
  memory.channel->advance(base::Cycles(15'000));
  const auto entries = memory.cycles_of(Command::SREFE);
  const auto refreshes = memory.cycles_of(Command::REFab);
  ASSERT_EQ(entries.size(), 2u);
  ASSERT_EQ(refreshes.size(), 1u);
  EXPECT_EQ(entries[1], refreshes[0] + kRfc);
}

TEST(SelfRefresh, follows_power_down_after_its_own_time) {
  auto spec = memory_of("frfcfs");
  spec.controller.power_down_after = 50;
  spec.controller.self_refresh_after = 1000;
  WatchedChannel memory(spec);
  memory.channel->advance(base::Cycles(3000));
  EXPECT_EQ(memory.cycles_of(Command::PDE), Cycles{50});
  EXPECT_EQ(memory.cycles_of(Command::PDX), Cycles{1000});
  EXPECT_EQ(memory.cycles_of(Command::SREFE), Cycles{1000 + kRcd});
}

TEST(Sleep, of_one_rank_does_not_stop_the_other) {
  auto spec = memory_of("frfcfs", 2);
  spec.controller.power_down_after = 10;
  WatchedChannel memory(spec);
  for (std::uint32_t i = 0; i < 100; ++i) memory.read({.rank = 1, .row = 1, .column = i}, 0);
  memory.channel->drain();
  const auto counters = memory.channel->take_counters();
  EXPECT_GT(counters.ranks[0].power_down_precharge_cycles, counters.cycles - 20);
  EXPECT_EQ(counters.ranks[1].power_down_active_cycles, 0);
}

TEST(BankQueue, full_of_one_bank_stops_its_list_and_no_other) {
  auto spec = memory_of("frfcfs");
  spec.controller.queue_shape = spec::QueueShape::per_bank;
  spec.controller.bank_queue = 1;
  WatchedChannel memory(spec);
  memory.read({.bank = 0, .row = 1, .column = 0});
  memory.read({.bank = 0, .row = 1, .column = 1});  // waits in front until the first has gone
  memory.read({.bank = 1, .row = 1, .column = 2});  // and this one behind it
  memory.write({.bank = 1, .row = 1, .column = 3});
  memory.channel->drain();
  const auto opened = memory.cycles_of(Command::ACT);
  ASSERT_EQ(opened.size(), 2u);
  EXPECT_EQ(opened[0], 2);
  EXPECT_GE(opened[1], 2 + kRcd) << "only after the second read of bank 0 had entered";
}

}  // namespace
}  // namespace diffram::ctrl
