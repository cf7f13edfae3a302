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
  bool refresh_by_parts = false;
};

class EngineAgrees : public testing::TestWithParam<Case> {};

TEST_P(EngineAgrees, with_the_replay_of_its_own_commands) {
  auto memory = spec::load_memory(kFolders, GetParam().memory);
  ASSERT_TRUE(memory) << memory.error().front().text();
  memory->controller.page_policy = GetParam().page_policy;
  memory->controller.power_down_after = GetParam().power_down_after;
  memory->controller.self_refresh_after = GetParam().self_refresh_after;
  memory->controller.refresh_by_parts = GetParam().refresh_by_parts;
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
    EXPECT_EQ(engine.part_refreshes_of(b), replayed.part_refreshes_of(b)) << b;
    EXPECT_EQ(e.open_cycles, r.open_cycles) << b;
  }
  CoreCounts of_engine, of_replay;
  of_engine.add(engine);
  of_replay.add(replayed);
  if (memory->currents && !GetParam().power_down_after && !GetParam().self_refresh_after) {
    const CoreParameters core = core_parameters(*memory);
    const double joules = core_energy(core_power(core), of_engine, core.period_s).total();
    EXPECT_GT(joules, 0);
    EXPECT_EQ(joules, core_energy(core_power(core), of_replay, core.period_s).total());
  }
  ASSERT_EQ(engine.ranks.size(), replayed.ranks.size());
  for (std::size_t k = 0; k < engine.ranks.size(); ++k) {
    EXPECT_EQ(engine.ranks[k].any_open_cycles, replayed.ranks[k].any_open_cycles) << k;
    EXPECT_EQ(engine.ranks[k].closed_cycles, replayed.ranks[k].closed_cycles) << k;
    if (!GetParam().refresh_by_parts) {
      EXPECT_EQ(engine.ranks[k].refreshes, replayed.ranks[k].refreshes) << k;
    }
    EXPECT_EQ(engine.ranks[k].power_down_active_cycles, replayed.ranks[k].power_down_active_cycles);
    EXPECT_EQ(engine.ranks[k].power_down_precharge_cycles,
              replayed.ranks[k].power_down_precharge_cycles);
    EXPECT_EQ(engine.ranks[k].self_refresh_cycles, replayed.ranks[k].self_refresh_cycles);
    const std::int64_t asleep = engine.ranks[k].power_down_active_cycles +
                                engine.ranks[k].power_down_precharge_cycles +
                                engine.ranks[k].self_refresh_cycles;
    EXPECT_EQ(engine.ranks[k].any_open_cycles + engine.ranks[k].closed_cycles + asleep, end) << k;
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

// Of every standard: open and closed pages, ranks that sleep, and partial refresh where the table
// has one.
std::vector<Case> cases_of_every_standard() {
  std::vector<Case> cases;
  for (const char* name :
       {"ddr3-1600-8g-2ch", "ddr5-4800-32g-4ch", "ddr5-5600-48g-4ch", "lpddr4-3200-4g-4ch",
        "lpddr5-6400-8g-4ch", "lpddr5x-8533-8g-4ch", "lpddr6-10667-8g-4ch", "gddr6-14000-4g-8ch",
        "gddr7-28000-4g-8ch", "hbm1-2000-2g-8ch", "hbm2-2000-4g-8ch", "hbm3-6400-16g-16ch"}) {
    cases.push_back({name, spec::PagePolicy::open, 1500, 64, 40});
    cases.push_back({name, spec::PagePolicy::closed, 1500, 1024, 300});
    cases.push_back({name, spec::PagePolicy::closed, 500, 128, 900, 1});
    cases.push_back({name, spec::PagePolicy::open, 500, 128, 3000, 30, 700});
    const auto memory = spec::load_memory(kFolders, name);
    if (!memory || !memory->protocol.part_refresh) continue;
    cases.push_back({name, spec::PagePolicy::open, 1500, 64, 100, 0, 0, true});
    cases.push_back({name, spec::PagePolicy::closed, 700, 1024, 600, 20, 0, true});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(EveryStandard, EngineAgrees, testing::ValuesIn(cases_of_every_standard()));

}  // namespace
}  // namespace diffram::physics
