#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "physics/datasheet_loops.h"
#include "physics/golden_memory.h"

namespace diffram::physics {
namespace {

constexpr double kTolerance = 1e-12;

Lasting lasting(std::int64_t cycles) {
  return {static_cast<double>(cycles), static_cast<double>(cycles)};
}

class RandomMemory {
 public:
  explicit RandomMemory(std::uint64_t seed) : random_(seed) {}

  LoopMemory make() {
    LoopMemory m;
    m.core.devices = static_cast<std::uint32_t>(cycles(1, 16));
    m.core.banks = m.replay.banks = 1u << cycles(1, 5);
    m.core.period_s = uniform(0.3e-9, 2e-9);
    m.replay.ras = cycles(5, 60);
    m.replay.rcd = cycles(3, 30);
    m.replay.rp = cycles(3, 30);
    m.replay.rfc = cycles(20, 600);
    m.core.row = lasting(m.replay.ras);
    m.core.rp = static_cast<double>(m.replay.rp);
    m.core.refresh = lasting(m.replay.rfc);
    m.core.burst = 4;
    m.core.currents.rho = uniform(0, 1);
    for (int rail = 0; rail < 2; ++rail) {
      spec::RailCurrents r;
      r.volts = uniform(1, 3);
      for (double* current :
           {&r.i0, &r.i2n, &r.i3n, &r.i4r, &r.i4w, &r.i5, &r.i6, &r.i2p, &r.i3p, &r.i_beta})
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
  std::mt19937_64 random_;
};

TEST(DatasheetLoops, draw_what_the_data_sheet_says_for_any_rho_and_currents) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const LoopMemory memory = RandomMemory(seed).make();
    for (const Loop& loop : datasheet_loops(memory))
      EXPECT_NEAR(loop_ratio(memory, loop), 1.0, kTolerance) << loop.name << " seed " << seed;
  }
}

TEST(DatasheetLoops, hold_for_the_golden_memory) {
  const GoldenMemory golden = golden_memory("ddr4");
  const LoopMemory memory{golden.core, golden.replay};
  for (const Loop& loop : datasheet_loops(memory))
    EXPECT_NEAR(loop_ratio(memory, loop), 1.0, kTolerance) << loop.name;
}

}  // namespace
}  // namespace diffram::physics
