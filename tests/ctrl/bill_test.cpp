// docs/bill.md.

#include <gtest/gtest.h>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;
using base::Cause;
using spec::Command;

using Bill = std::map<base::BillKey, std::int64_t>;

base::BillKey key(std::uint32_t victim, Cause cause, std::uint32_t culprit = 0xFFFFFFFF) {
  return {base::OriginId(victim), base::OriginId(culprit), cause};
}
std::int64_t total(const Bill& bill) {
  std::int64_t sum = 0;
  for (const auto& [entry, cycles] : bill) sum += cycles;
  return sum;
}
Bill bill_of(WatchedChannel& memory) {
  memory.channel->drain();
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(total(counters.bill), counters.cycles);
  return counters.bill;
}

TEST(Bill, idle_read_of_a_closed_bank) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.row = 1}, 0, 3);
  const Bill expected = {{key(3, Cause::dispatch), 2},
                         {key(3, Cause::row_miss), kRcd},
                         {key(3, Cause::cas), kCl},
                         {key(3, Cause::data_read), kBl}};
  EXPECT_EQ(bill_of(memory), expected);
}

TEST(Bill, row_conflict_is_billed_to_the_reader_and_blamed_on_the_opener) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.row = 1}, 0, 1);
  memory.channel->drain();
  memory.read({.row = 2}, 300, 2);
  Bill bill = bill_of(memory);
  EXPECT_EQ(bill[key(2, Cause::row_conflict, 1)], kRp + kRcd);
  EXPECT_EQ(bill[key(2, Cause::row_hold, 1)], 0);
  EXPECT_EQ(bill[key(2, Cause::cas)], kCl);
  EXPECT_EQ(bill[key(2, Cause::dispatch)], 2);
}

TEST(Bill, wait_for_tRAS_is_row_hold_by_the_opener) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.row = 1}, 0, 1);
  memory.read({.row = 2}, 0, 2);
  Bill bill = bill_of(memory);
  EXPECT_EQ(bill[key(2, Cause::row_conflict, 1)], kRp + kRcd);
  // From the end of the first burst to the precharge, seen a column latency later.
  EXPECT_EQ(bill[key(2, Cause::row_hold, 1)], (2 + kRas) - (2 + kRcd + kBl));
}

TEST(Bill, wait_for_tWR_is_row_hold_by_the_writer) {
  WatchedChannel memory(ddr4_3200());
  memory.write({.row = 1}, 0, 1);
  memory.channel->advance(base::Cycles(30));
  memory.read({.row = 2}, 30, 2);
  Bill bill = bill_of(memory);
  EXPECT_GT(bill[key(2, Cause::row_hold, 1)], 0);
  EXPECT_EQ(bill[key(2, Cause::row_conflict, 1)], kRp + kRcd);
}

TEST(Bill, stream_in_one_bank_group_pays_tCCD_L) {
  WatchedChannel memory(ddr4_3200());
  for (std::uint32_t i = 0; i < 20; ++i) memory.read({.column = i}, 0, 4);
  Bill bill = bill_of(memory);
  EXPECT_EQ(bill[key(4, Cause::bank_group, 4)], 19 * (kCcdL - kBl));
  EXPECT_EQ(bill[key(4, Cause::data_read)], 20 * kBl);
}

TEST(Bill, stream_over_bank_groups_has_no_gap) {
  WatchedChannel memory(ddr4_3200());
  for (std::uint32_t i = 0; i < 32; ++i) memory.read({.bank_group = i % 4, .column = i / 4}, 0, 4);
  memory.channel->drain();
  memory.channel->take_counters();
  const std::int64_t start = memory.channel->now().value;
  for (std::uint32_t i = 0; i < 32; ++i) {
    memory.read({.bank_group = i % 4, .column = 8 + i / 4}, start, 4);
  }
  const Bill expected = {{key(4, Cause::dispatch), 2},
                         {key(4, Cause::cas), kCl},
                         {key(4, Cause::data_read), 32 * kBl}};
  EXPECT_EQ(bill_of(memory), expected);
}

TEST(Bill, read_after_write_is_blamed_on_the_write_that_turned_the_bus) {
  WatchedChannel memory(ddr4_3200());
  memory.write({.column = 0}, 0, 1);
  memory.channel->advance(base::Cycles(20));
  memory.read({.bank_group = 1, .column = 1}, 20, 2);
  memory.channel->drain();
  memory.channel->take_counters();
  const auto start = memory.channel->now().value;
  memory.write({.column = 0}, start, 1);
  memory.channel->advance(base::Cycles(start + 3));
  memory.read({.bank_group = 1, .column = 1}, start + 3, 2);
  Bill bill = bill_of(memory);
  const auto cas_hidden = kCwl + kBl - 1;  // the write's data end this long after the read arrives
  EXPECT_EQ(bill[key(2, Cause::cas)], kCl - cas_hidden);
  EXPECT_EQ(bill[key(2, Cause::dispatch)], 2);
  EXPECT_EQ(bill[key(2, Cause::turn_wr, 1)],
            kCwl + kBl + kWtrS + kCl - (kCwl + kBl) - (kCl - cas_hidden) - 2);
}

TEST(Bill, write_after_read_is_turn_rw) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.column = 0}, 0, 1);
  memory.write({.bank_group = 1, .column = 1}, 0, 2);
  memory.channel->drain();
  memory.channel->take_counters();
  const auto start = memory.channel->now().value;
  memory.read({.column = 2}, start, 1);
  memory.write({.bank_group = 1, .column = 3}, start, 2);
  Bill bill = bill_of(memory);
  EXPECT_EQ(bill[key(2, Cause::turn_rw, 1)], 2);
}

TEST(Bill, other_rank_costs_the_switch) {
  WatchedChannel memory(ddr4_3200(1, 2));
  for (int twice = 0; twice < 2; ++twice) {
    memory.channel->drain();
    memory.channel->take_counters();
    const auto start = memory.channel->now().value;
    memory.read({.rank = 0}, start, 1);
    memory.read({.rank = 1}, start, 2);
  }
  EXPECT_EQ((bill_of(memory)[key(2, Cause::rank_switch, 1)]), kCs);
}

TEST(Bill, activation_held_back_by_a_long_tFAW_is_act_window) {
  constexpr int kLongFaw = 100;
  auto spec = ddr4_3200();
  for (auto& constraint : spec.constraints) {
    if (constraint.window == 4) constraint.cycles = kLongFaw;
  }
  WatchedChannel memory(spec);
  for (std::uint32_t i = 0; i < 5; ++i) memory.read({.bank_group = i % 4, .bank = i / 4}, 0, i);
  Bill bill = bill_of(memory);
  // From the end of the fourth burst on; the first of the last four activations is to blame.
  EXPECT_EQ(bill[key(4, Cause::row_miss)], kRcd);
  EXPECT_EQ(bill[key(4, Cause::act_window, 0)], kLongFaw - 3 * kRrdS - kRcd - kBl);
}

TEST(Bill, burst_after_refresh_pays_for_refresh) {
  auto spec = ddr4_3200();
  spec.timings["nREFI"] = 1000;
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 0, 1);
  memory.channel->advance(base::Cycles(995));
  memory.channel->take_counters();
  memory.read({.row = 1, .column = 1}, 999, 2);
  Bill bill = bill_of(memory);
  // Visible at 1001, held since 1000; refreshed, opened again and read much later.
  EXPECT_EQ(bill[key(2, Cause::refresh)], memory.cycles_of(Command::RD).back() - 1001);
  EXPECT_EQ(bill[key(2, Cause::dispatch)], 2);
  EXPECT_EQ(bill[key(2, Cause::cas)], kCl);
}

TEST(Bill, row_closed_by_the_page_policy_is_policy) {
  auto spec = ddr4_3200();
  spec.controller.page_policy = spec::PagePolicy::closed;
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 0, 1);
  memory.channel->drain();
  memory.channel->take_counters();
  memory.read({.row = 1, .column = 1}, 300, 2);
  Bill bill = bill_of(memory);
  EXPECT_EQ(bill[key(2, Cause::policy)], kRcd);
}

TEST(Bill, one_slot_in_the_queue_shows_the_dispatch_of_every_burst) {
  auto spec = ddr4_3200();
  spec.controller.read_queue = 1;
  spec.controller.dispatch = 10;
  WatchedChannel memory(spec);
  memory.read({.column = 0}, 0, 1);
  memory.read({.column = 1}, 0, 2);
  Bill bill = bill_of(memory);
  // The slot is free a cycle after the first read; its data hide the rest of the wait in front.
  EXPECT_EQ(bill[key(2, Cause::dispatch)], 1 + 10 - kBl);
  EXPECT_EQ(bill[key(2, Cause::front)], 0);
}

TEST(Bill, idle_time_goes_to_the_account_of_the_moment) {
  WatchedChannel memory(ddr4_3200());
  memory.channel->advance(base::Cycles(10));
  memory.channel->set_idle_account(Cause::idle_compute, base::OriginId(5));
  memory.channel->advance(base::Cycles(25));
  memory.read({}, 30, 1);
  Bill bill = bill_of(memory);
  EXPECT_EQ(bill[key(0xFFFFFFFF, Cause::idle_end)], 10);
  EXPECT_EQ(bill[key(5, Cause::idle_compute)], 20);
  EXPECT_EQ(bill[key(1, Cause::cas)], kCl);
}

TEST(Bill, sums_to_the_cycles_over_random_traffic) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    WatchedChannel memory(random_memory(seed));
    for (const auto& timed : random_traffic(seed, 150)) memory.submit(timed.run, timed.arrival);
    memory.channel->drain();
    const auto counters = memory.channel->take_counters();
    ASSERT_EQ(total(counters.bill), counters.cycles) << "seed " << seed;
    for (const auto& [entry, cycles] : counters.bill) ASSERT_GT(cycles, 0) << "seed " << seed;
  }
}

TEST(Bill, sums_to_the_cycles_of_every_window_cut_in_the_midst) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    WatchedChannel memory(random_memory(seed));
    for (const auto& timed : random_traffic(seed, 150)) memory.submit(timed.run, timed.arrival);
    std::int64_t data = 0;
    std::int64_t bursts = 0;
    const auto check = [&] {
      const auto counters = memory.channel->take_counters();
      ASSERT_EQ(total(counters.bill), counters.cycles) << "seed " << seed;
      for (const auto& [entry, cycles] : counters.bill) {
        ASSERT_GT(cycles, 0) << "seed " << seed;
        if (entry.cause == Cause::data_read || entry.cause == Cause::data_write) data += cycles;
      }
      for (const auto& origin : counters.origins) bursts += origin.reads + origin.writes;
      bursts += counters.unnamed.reads + counters.unnamed.writes;
    };
    for (int cut = 0; cut < 20; ++cut) {
      memory.channel->advance(base::Cycles(memory.channel->now().value + 1 +
                                           static_cast<std::int64_t>(random() % 120)));
      check();
    }
    memory.channel->drain();
    check();
    ASSERT_EQ(data, bursts * kBl);
  }
}

// The only burst of the queue issued in the cycle before the edge; the next one enters at the edge.
TEST(Bill, a_window_may_end_while_the_queue_is_empty_and_a_run_waits) {
  spec::MemorySpec spec = ddr4_3200();
  spec.controller.read_queue = 1;
  WatchedChannel memory(spec);
  memory.submit({0, 6 * kBurst, base::OriginId(1), base::Direction::read}, 0);
  while (!memory.channel->idle()) {
    memory.channel->advance(base::Cycles(memory.channel->now().value + 1));
    const auto counters = memory.channel->take_counters();
    ASSERT_EQ(total(counters.bill), 1);
    ASSERT_EQ(counters.bill.begin()->first.victim, base::OriginId(1));
  }
}

TEST(Bill, every_entry_has_a_cause_that_can_happen) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto spec = random_memory(seed);
    const bool sleeps = spec.controller.power_down_after + spec.controller.self_refresh_after > 0;
    WatchedChannel memory(spec);
    for (const auto& timed : random_traffic(seed, 150)) memory.submit(timed.run, timed.arrival);
    memory.channel->drain();
    for (const auto& [entry, cycles] : memory.channel->take_counters().bill) {
      // No throttling here; nobody computes.
      if (!sleeps) {
        ASSERT_NE(entry.cause, Cause::power_exit);
      }
      ASSERT_NE(entry.cause, Cause::idle_throttle);
      ASSERT_NE(entry.cause, Cause::idle_compute);
    }
  }
}

}  // namespace
}  // namespace diffram::ctrl
