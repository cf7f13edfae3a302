#include "physics/datasheet_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "physics/golden_memory.h"

namespace diffram::physics {
namespace {

constexpr double kTolerance = 1e-12;

class RandomMemory {
 public:
  explicit RandomMemory(std::uint64_t seed) : random_(seed) {}

  LoopMemory make() {
    LoopMemory m;
    m.core.devices = static_cast<std::uint32_t>(cycles(1, 16));
    m.core.banks = m.replay.banks = 1u << cycles(2, 5);
    m.core.period_s = uniform(0.3e-9, 2e-9);
    m.replay.rcd = cycles(3, 30);
    m.replay.rp = cycles(3, 30);
    m.core.rp = static_cast<double>(m.replay.rp);
    m.core.row = lasting(cycles(5, 60), cycles(-1, 1), m.replay.ras);
    m.core.refresh = lasting(cycles(20, 600), cycles(-1, 0), m.replay.rfc);
    m.core.part = lasting(cycles(20, 300), cycles(-1, 0), m.replay.rfc_part);
    m.core.burst = 4;
    m.core.currents.rho = uniform(0, 1);
    m.core.loops.standby = one_of({spec::OpenBanks::all, spec::OpenBanks::one});
    m.core.loops.columns =
        one_of({spec::OpenBanks::all, spec::OpenBanks::one, spec::OpenBanks::two});
    m.core.loops.part_refresh = "part";
    m.core.loops.part_refreshes = static_cast<std::int32_t>(8 * cycles(0, 1));
    m.core.refi = static_cast<double>(cycles(9 * m.replay.rfc_part + 20, 9000));
    m.core.part_banks = 1u << cycles(0, 2);
    m.replay.part = {m.core.part_banks, m.core.banks / m.core.part_banks};
    for (int rail = 0; rail < 2; ++rail) {
      spec::RailCurrents r;
      r.volts = uniform(1, 3);
      for (double* current : {&r.i0, &r.i2n, &r.i3n, &r.i4r, &r.i4w, &r.i5, &r.i6, &r.i2p, &r.i3p,
                              &r.i_beta, &r.i5_part, &r.i6_deep})
        *current = uniform(1e-3, 0.2);
      m.core.currents.rails.push_back(r);
    }
    return m;
  }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  std::int64_t cycles(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  spec::OpenBanks one_of(const std::vector<spec::OpenBanks>& choices) {
    return choices[static_cast<std::size_t>(
        cycles(0, static_cast<std::int64_t>(choices.size()) - 1))];
  }
  /// A command of several cycles: its bank counts as open for a cycle less, or one more.
  static Lasting lasting(std::int64_t cycles, std::int64_t more, std::int64_t& counted) {
    counted = cycles + more;
    return {static_cast<double>(cycles), static_cast<double>(counted)};
  }
  std::mt19937_64 random_;
};

TEST(DatasheetLoops, draw_what_the_data_sheet_says_for_any_rho_and_currents) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const LoopMemory memory = RandomMemory(seed).make();
    for (const Loop& loop : datasheet_loops(memory))
      EXPECT_NEAR(loop_ratio(memory, loop), 1.0, kTolerance) << loop.name << " seed " << seed;
  }
}

TEST(DatasheetLoops, hold_for_the_golden_memories) {
  int loops = 0;
  for (const char* family : {"ddr4", "ddr5", "lpddr4", "lpddr5", "lpddr6"}) {
    const GoldenMemory golden = golden_memory(family);
    LoopMemory memory{golden.core, golden.replay};
    // The synthetic tREFI of 20 cycles is as long as one partial refresh.
    if (memory.core.loops.part_refreshes > 0) memory.core.refi = 800;
    for (const Loop& loop : datasheet_loops(memory)) {
      if (std::isnan(datasheet_power(memory.core, loop.current))) continue;
      EXPECT_NEAR(loop_ratio(memory, loop), 1.0, kTolerance) << family << " " << loop.name;
      ++loops;
    }
  }
  EXPECT_EQ(loops, 9 + 10 + 10 + 11 + 11);  // I6DS of LPDDR5 and LPDDR6, a partial one but in DDR4
}

}  // namespace
}  // namespace diffram::physics
