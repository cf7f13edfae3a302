// Two makers of the integers that energy is computed from: the engine while it runs, and the replay
// of its own command log by the state rules of energy-and-heat.md 2d. They share no code.

#include <gtest/gtest.h>

#include <random>

#include "ctrl/channel.h"
#include "physics/command_replay.h"
#include "physics/core_model.h"

namespace diffram::physics {
namespace {

const spec::SpecFolders kFolders{DIFFRAM_SOURCE_DIR "/specs"};

struct Case {
  const char* memory;
  spec::PagePolicy page_policy;
  std::uint32_t runs;
  std::uint64_t longest_run;  ///< bytes
  std::int64_t longest_pause;
  std::uint32_t power_down_after = 0, self_refresh_after = 0;
};

class EngineAgrees : public testing::TestWithParam<Case> {};

TEST_P(EngineAgrees, with_the_replay_of_its_own_commands) {
  auto memory = spec::load_memory(kFolders, GetParam().memory);
  ASSERT_TRUE(memory) << memory.error().front().text();
  memory->controller.page_policy = GetParam().page_policy;
  memory->controller.power_down_after = GetParam().power_down_after;
  memory->controller.self_refresh_after = GetParam().self_refresh_after;
  CommandReplay replay(replay_timings(*memory));
  ctrl::ChannelOptions options;
  options.on_command = [&](const ctrl::IssuedCommand& c) {
    const std::uint32_t bank = c.bank_group * memory->organisation.banks_per_group + c.bank;
    replay.apply({c.cycle, c.command, c.rank, bank, PowerDown::by_state});
  };
  const auto channel = ctrl::make_channel(*memory, base::ChannelId(0), options);

  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  std::int64_t arrival = 0;
  for (std::uint64_t ticket = 0; ticket < GetParam().runs; ++ticket) {
    base::Request run;
    run.bytes = 64 * (1 + below(GetParam().longest_run / 64));
    run.address = 64 * below((memory->organisation.capacity_bytes() - run.bytes) / 64);
    run.direction = below(3) == 0 ? base::Direction::write : base::Direction::read;
    channel->submit(run, base::Cycles(arrival), ticket);
    arrival =
        std::max(arrival, channel->now().value) +
        static_cast<std::int64_t>(below(static_cast<std::uint64_t>(GetParam().longest_pause)));
  }
  channel->drain();
  channel->advance(base::Cycles(channel->now().value + 100'000));  // idle, but refreshed
  const std::int64_t end = channel->now().value;
  const base::ChannelCounters engine = channel->take_counters();
  const base::ChannelCounters replayed = replay.at(end);

  ASSERT_EQ(engine.banks.size(), replayed.banks.size());
  for (std::size_t b = 0; b < engine.banks.size(); ++b) {
    const base::BankCounters &e = engine.banks[b], &r = replayed.banks[b];
    EXPECT_EQ(e.act, r.act) << b;
    EXPECT_EQ(e.pre, r.pre) << b;
    EXPECT_EQ(e.rd + e.rda, r.rd + r.rda) << b;
    EXPECT_EQ(e.wr + e.wra, r.wr + r.wra) << b;
    EXPECT_EQ(e.refresh, r.refresh) << b;
    EXPECT_EQ(e.open_cycles, r.open_cycles) << b;
  }
  ASSERT_EQ(engine.ranks.size(), replayed.ranks.size());
  for (std::size_t k = 0; k < engine.ranks.size(); ++k) {
    EXPECT_EQ(engine.ranks[k].any_open_cycles, replayed.ranks[k].any_open_cycles) << k;
    EXPECT_EQ(engine.ranks[k].closed_cycles, replayed.ranks[k].closed_cycles) << k;
    EXPECT_EQ(engine.ranks[k].refreshes, replayed.ranks[k].refreshes) << k;
    EXPECT_EQ(engine.ranks[k].power_down_active_cycles, replayed.ranks[k].power_down_active_cycles);
    EXPECT_EQ(engine.ranks[k].power_down_precharge_cycles,
              replayed.ranks[k].power_down_precharge_cycles);
    EXPECT_EQ(engine.ranks[k].self_refresh_cycles, replayed.ranks[k].self_refresh_cycles);
    if (GetParam().self_refresh_after > 0) {
      EXPECT_GT(engine.ranks[k].self_refresh_cycles, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ddr4, EngineAgrees,
    testing::Values(Case{"ddr4-3200-8g-2ch", spec::PagePolicy::open, 3000, 64, 40},
                    Case{"ddr4-3200-8g-2ch", spec::PagePolicy::closed, 3000, 64, 40},
                    Case{"ddr4-3200-64g-2ch", spec::PagePolicy::open, 2000, 4096, 300},
                    Case{"ddr4-3200-64g-2ch", spec::PagePolicy::closed, 2000, 4096, 300},
                    Case{"ddr4-3200-64g-2ch", spec::PagePolicy::closed, 300, 128, 9000},
                    Case{"ddr4-3200-64g-2ch", spec::PagePolicy::open, 1000, 128, 900, 30},
                    Case{"ddr4-3200-64g-2ch", spec::PagePolicy::closed, 1000, 128, 900, 1},
                    Case{"ddr4-3200-64g-2ch", spec::PagePolicy::open, 1000, 128, 3000, 0, 1},
                    Case{"ddr4-3200-64g-2ch", spec::PagePolicy::timeout, 1000, 128, 5000, 40, 700},
                    Case{"ddr4-3200-8g-2ch", spec::PagePolicy::adaptive, 1000, 64, 2000, 10, 900}));

}  // namespace
}  // namespace diffram::physics
