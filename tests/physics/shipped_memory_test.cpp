// Every shipped memory with currents: the model draws what its data sheet says in each loop, no
// event gives energy back, and the power has the order that the states have (energy-and-heat.md 3).

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "physics/datasheet_loops.h"

namespace diffram::physics {
namespace {

using Rail = spec::RailCurrents;

const spec::SpecFolders kFolders{DIFFRAM_SOURCE_DIR "/specs"};

std::vector<spec::MemorySpec> shipped_with_currents() {
  std::vector<spec::MemorySpec> memories;
  for (const std::string& name : spec::list_memories(kFolders)) {
    auto memory = spec::load_memory(kFolders, name);
    if (!memory) throw std::runtime_error(memory.error().front().text());
    if (memory->currents) memories.push_back(std::move(*memory));
  }
  return memories;
}

/// Power of a current, rails and devices summed.
double power(const spec::MemorySpec& memory, double Rail::* current) {
  return datasheet_power(core_parameters(memory), current);
}

TEST(ShippedCurrents, are_whole_in_every_family_of_which_some_are_public) {
  std::set<std::string> families;
  for (const auto& memory : shipped_with_currents()) {
    families.insert(memory.standard);
    EXPECT_EQ(missing_currents(memory), std::vector<std::string>{}) << memory.name;
  }
  EXPECT_EQ(families,
            (std::set<std::string>{"DDR3", "DDR4", "DDR5", "GDDR6", "HBM2", "LPDDR4", "LPDDR5"}));
}

TEST(ShippedCurrents, every_loop_draws_what_the_data_sheet_says) {
  for (const auto& memory : shipped_with_currents()) {
    LoopMemory loops{core_parameters(memory), replay_timings(memory)};
    loops.replay.ranks = 1;  // a data sheet knows one rank; a second one would only idle beside it
    int drawn = 0;
    for (const Loop& loop : datasheet_loops(loops)) {
      if (std::isnan(datasheet_power(loops.core, loop.current))) continue;  // not known
      EXPECT_NEAR(loop_ratio(loops, loop), 1.0, 1e-12) << memory.name << " " << loop.name;
      ++drawn;
    }
    EXPECT_GE(drawn, 6) << memory.name;
  }
}

TEST(ShippedCurrents, no_event_gives_energy_back) {
  for (const auto& memory : shipped_with_currents()) {
    SCOPED_TRACE(memory.name);
    const CorePower p = core_power(core_parameters(memory));
    EXPECT_GE(p.activate + p.precharge, 0);
    if (memory.current_loops.splits_activation) {
      EXPECT_GE(p.activate, 0);
    }
    EXPECT_GE(p.precharge, 0);
    EXPECT_GT(p.read, 0);
    EXPECT_GT(p.write, 0);
    EXPECT_GT(p.refresh, 0);
    EXPECT_GT(p.part_refresh, 0);
    if (memory.currents->measured) continue;  // means of parts, in no order
    EXPECT_GE(p.bank_open, 0);
    EXPECT_GE(p.rank_open, p.rank_closed);
  }
}

TEST(ShippedCurrents, have_the_order_of_their_states) {
  for (const auto& memory : shipped_with_currents()) {
    if (memory.currents->measured) continue;
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
