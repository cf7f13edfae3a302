// Every shipped DDR4 memory: the model draws what its data sheet says in each loop, no event gives
// energy back, and the currents have the order that the states have (energy-and-heat.md 3).

#include <gtest/gtest.h>

#include <cmath>

#include "physics/datasheet_loops.h"

namespace diffram::physics {
namespace {

using Rail = spec::RailCurrents;

const spec::SpecFolders kFolders{DIFFRAM_SOURCE_DIR "/specs"};

std::vector<spec::MemorySpec> shipped_ddr4() {
  std::vector<spec::MemorySpec> memories;
  for (const std::string& name : spec::list_memories(kFolders)) {
    auto memory = spec::load_memory(kFolders, name);
    if (!memory) throw std::runtime_error(memory.error().front().text());
    if (memory->standard == "DDR4") memories.push_back(std::move(*memory));
  }
  return memories;
}

/// Power of a current, rails and devices summed.
double power(const spec::MemorySpec& memory, double Rail::* current) {
  return datasheet_power(core_parameters(memory), current);
}

TEST(ShippedDdr4, there_are_some_and_all_have_currents) {
  const auto memories = shipped_ddr4();
  EXPECT_FALSE(memories.empty());
  for (const auto& memory : memories) EXPECT_TRUE(missing_currents(memory).empty()) << memory.name;
}

TEST(ShippedDdr4, every_loop_draws_what_the_data_sheet_says) {
  for (const auto& memory : shipped_ddr4()) {
    LoopMemory loops{core_parameters(memory), replay_timings(memory)};
    loops.replay.ranks = 1;  // a data sheet knows one rank; a second one would only idle beside it
    for (const Loop& loop : datasheet_loops(loops)) {
      if (std::isnan(datasheet_power(loops.core, loop.current))) continue;  // not known
      EXPECT_NEAR(loop_ratio(loops, loop), 1.0, 1e-12) << memory.name << " " << loop.name;
    }
  }
}

TEST(ShippedDdr4, no_event_gives_energy_back) {
  for (const auto& memory : shipped_ddr4()) {
    const CorePower p = core_power(core_parameters(memory));
    EXPECT_GE(p.activate, 0) << memory.name;
    EXPECT_GE(p.precharge, 0) << memory.name;
    EXPECT_GT(p.read, 0) << memory.name;
    EXPECT_GT(p.write, 0) << memory.name;
    EXPECT_GT(p.refresh, 0) << memory.name;
    EXPECT_GE(p.bank_open, 0) << memory.name;
    EXPECT_GE(p.rank_open, p.rank_closed) << memory.name;
  }
}

TEST(ShippedDdr4, currents_have_the_order_of_their_states) {
  for (const auto& memory : shipped_ddr4()) {
    SCOPED_TRACE(memory.name);
    const auto expect_le = [&](double low, double high) {
      if (std::isnan(low) || std::isnan(high)) return;
      EXPECT_LE(low, high);
    };
    const double i2n = power(memory, &Rail::i2n), i3n = power(memory, &Rail::i3n),
                 i5 = power(memory, &Rail::i5);
    expect_le(power(memory, &Rail::i2p), i2n);
    expect_le(i2n, i3n);
    expect_le(power(memory, &Rail::i3p), i3n);
    EXPECT_LT(i3n, power(memory, &Rail::i4r));
    EXPECT_LT(i3n, power(memory, &Rail::i4w));
    EXPECT_LT(i2n, i5);
    // Self refresh contains the average refresh.
    expect_le(power(memory, &Rail::i6),
              i2n + (i5 - i2n) * memory.timing("nRFC") / memory.timing("nREFI"));
  }
}

}  // namespace
}  // namespace diffram::physics
