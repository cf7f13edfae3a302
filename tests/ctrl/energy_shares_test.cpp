// energy-and-heat.md 6 and 7: integers, and every total equals its shares.

#include <gtest/gtest.h>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;
using base::kActivationTickets;

std::vector<base::OriginCounters> everybody(const base::ChannelCounters& counters) {
  auto all = counters.origins;
  all.push_back(counters.unnamed);
  return all;
}

void expect_laws(const base::ChannelCounters& counters, std::uint64_t seed) {
  std::int64_t tickets = counters.shared.wasted_activation_tickets;
  std::int64_t bank_open =
      counters.shared.row_held_open_bank_cycles + counters.shared.refresh_bank_open_cycles;
  std::int64_t rank_open = counters.shared.idle_rank_open_cycles;
  std::int64_t rank_closed = counters.shared.idle_rank_closed_cycles;
  std::int64_t outcomes = 0;
  std::int64_t columns = 0;
  std::int64_t reads = 0;
  std::int64_t latency = 0;
  std::int64_t wasted = 0;
  for (const auto& origin : everybody(counters)) {
    tickets += origin.activation_tickets;
    bank_open += origin.bank_open_cycles;
    rank_open += origin.rank_open_cycles;
    rank_closed += origin.rank_closed_cycles;
    outcomes += origin.hits + origin.misses + origin.conflicts;
    columns += origin.reads + origin.writes;
    reads += origin.reads;
    latency += origin.read_latency_cycles;
    wasted += origin.wasted_activations;
  }
  std::int64_t activations = 0;
  std::int64_t banks_open = 0;
  std::int64_t bank_columns = 0;
  for (const auto& bank : counters.banks) {
    activations += bank.act;
    banks_open += bank.open_cycles;
    bank_columns += bank.rd + bank.rda + bank.wr + bank.wra;
  }
  std::int64_t ranks_open = 0;
  std::int64_t ranks_closed = 0;
  for (const auto& rank : counters.ranks) {
    ranks_open += rank.any_open_cycles;
    ranks_closed += rank.closed_cycles;
    ASSERT_EQ(rank.any_open_cycles + rank.closed_cycles + rank.power_down_active_cycles +
                  rank.power_down_precharge_cycles + rank.self_refresh_cycles,
              counters.cycles)
        << "seed " << seed;
  }
  std::int64_t read_count = 0;
  std::int64_t read_cycles = 0;
  for (const auto& [cycles, count] : counters.read_latency) {
    read_count += count;
    read_cycles += cycles * count;
  }
  ASSERT_EQ(tickets, kActivationTickets * activations) << "seed " << seed;
  ASSERT_EQ(wasted * kActivationTickets, counters.shared.wasted_activation_tickets);
  ASSERT_EQ(bank_open, banks_open) << "seed " << seed;
  ASSERT_EQ(rank_open, ranks_open) << "seed " << seed;
  ASSERT_EQ(rank_closed, ranks_closed) << "seed " << seed;
  ASSERT_EQ(outcomes, columns) << "seed " << seed;
  ASSERT_EQ(bank_columns, columns) << "seed " << seed;
  ASSERT_EQ(read_count, reads) << "seed " << seed;
  ASSERT_EQ(read_cycles, latency) << "seed " << seed;
}

TEST(EnergyShares, add_up_over_random_traffic) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    WatchedChannel memory(random_memory(seed));
    for (const auto& timed : random_traffic(seed, 150)) memory.submit(timed.run, timed.arrival);
    memory.channel->drain();
    expect_laws(memory.channel->take_counters(), seed);
  }
}

TEST(EnergyShares, add_up_in_every_window_cut_in_the_midst) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    WatchedChannel memory(random_memory(seed));
    for (const auto& timed : random_traffic(seed, 150)) memory.submit(timed.run, timed.arrival);
    for (int cut = 0; cut < 20; ++cut) {
      memory.channel->advance(base::Cycles(memory.channel->now().value + 1 +
                                           static_cast<std::int64_t>(random() % 150)));
      expect_laws(memory.channel->take_counters(), seed);
    }
    memory.channel->drain();
    expect_laws(memory.channel->take_counters(), seed);
  }
}

TEST(EnergyShares, windows_add_up_to_the_whole_run) {
  WatchedChannel whole(random_memory(5));
  WatchedChannel cut(random_memory(5));
  for (const auto& timed : random_traffic(5, 150)) {
    whole.submit(timed.run, timed.arrival);
    cut.submit(timed.run, timed.arrival);
  }
  whole.channel->drain();
  const auto all = whole.channel->take_counters();
  std::vector<std::int64_t> open(all.banks.size());
  std::vector<std::int64_t> any_open(all.ranks.size());
  const auto add = [&] {
    const auto part = cut.channel->take_counters();
    for (std::size_t bank = 0; bank < open.size(); ++bank)
      open[bank] += part.banks[bank].open_cycles;
    for (std::size_t rank = 0; rank < any_open.size(); ++rank) {
      any_open[rank] += part.ranks[rank].any_open_cycles;
    }
  };
  for (int i = 0; i < 30; ++i) {
    cut.channel->advance(base::Cycles(cut.channel->now().value + 37));
    add();
  }
  cut.channel->drain();
  add();
  for (std::size_t bank = 0; bank < open.size(); ++bank) {
    EXPECT_EQ(open[bank], all.banks[bank].open_cycles);
  }
  for (std::size_t rank = 0; rank < any_open.size(); ++rank) {
    EXPECT_EQ(any_open[rank], all.ranks[rank].any_open_cycles);
  }
}

TEST(EnergyShares, an_activation_is_shared_equally_by_the_hits_of_its_row) {
  WatchedChannel memory(ddr4_3200());
  memory.read({.column = 0}, 0, 1);
  for (std::uint32_t i = 1; i < 17; ++i) memory.read({.column = i}, 0, i % 2 == 0 ? 1 : 2);
  memory.channel->drain();
  const auto counters = memory.channel->take_counters();
  const std::int64_t share = kActivationTickets / 17;
  const std::int64_t remainder = kActivationTickets - 17 * share;
  EXPECT_EQ(counters.origins[1].activation_tickets, 9 * share + remainder);
  EXPECT_EQ(counters.origins[2].activation_tickets, 8 * share);
}

TEST(EnergyShares, a_row_closed_by_refresh_before_its_use_is_wasted_by_its_opener) {
  auto spec = ddr4_3200();
  spec.timings["nREFI"] = 1000;
  WatchedChannel memory(spec);
  memory.read({.row = 1}, 990, 3);
  memory.channel->advance_until_complete(0, base::Cycles(100000));
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(counters.origins[3].wasted_activations, 1);
  EXPECT_EQ(counters.shared.wasted_activation_tickets, kActivationTickets);
  EXPECT_EQ(counters.origins[3].activation_tickets, kActivationTickets);
}

TEST(EnergyShares, an_open_row_beyond_its_earliest_precharge_is_held_by_the_policy) {
  WatchedChannel memory(ddr4_3200());
  memory.read({}, 0, 1);
  memory.channel->advance(base::Cycles(1000));
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(counters.origins[1].bank_open_cycles, kRas);
  EXPECT_EQ(counters.shared.row_held_open_bank_cycles, 1000 - 2 - kRas);
  EXPECT_EQ(counters.banks[0].open_cycles, 1000 - 2);
  EXPECT_EQ(counters.ranks[0].closed_cycles, 2);
}

TEST(EnergyShares, auto_precharge_closes_the_bank_after_tRTP_and_tRAS) {
  auto spec = ddr4_3200();
  spec.controller.page_policy = spec::PagePolicy::closed;
  WatchedChannel memory(spec);
  memory.read({}, 0, 1);
  memory.channel->advance(base::Cycles(200));
  EXPECT_EQ(memory.channel->take_counters().banks[0].open_cycles, std::max(kRas, kRcd + kRtp));
}

TEST(EnergyShares, a_refresh_opens_all_banks_for_tRFC) {
  auto spec = ddr4_3200();
  spec.timings["nREFI"] = 1000;
  WatchedChannel memory(spec);
  memory.channel->advance(base::Cycles(1100));
  const auto first = memory.channel->take_counters();
  EXPECT_EQ(first.shared.refresh_bank_open_cycles, 16 * 100);
  EXPECT_EQ(first.ranks[0].any_open_cycles, 100);
  memory.channel->advance(base::Cycles(2000));
  const auto second = memory.channel->take_counters();
  EXPECT_EQ(second.shared.refresh_bank_open_cycles, 16 * (kRfc - 100));
  EXPECT_EQ(second.ranks[0].closed_cycles, 900 - (kRfc - 100));
}

TEST(EnergyShares, rank_time_before_the_arrival_is_idle_and_after_it_the_request_s) {
  WatchedChannel memory(ddr4_3200());
  memory.read({}, 500, 1);
  memory.channel->drain();
  const auto counters = memory.channel->take_counters();
  EXPECT_EQ(counters.origins[1].rank_closed_cycles, 2);
  EXPECT_EQ(counters.origins[1].rank_open_cycles, kRcd);
  EXPECT_EQ(counters.shared.idle_rank_closed_cycles, 500);
}

}  // namespace
}  // namespace diffram::ctrl
