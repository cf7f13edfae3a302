// What no golden case guards (energy-and-heat.md 2f) beside the second rail, and reports of others'
// users that concern core energy, with figures of our own.

#include <gtest/gtest.h>

#include "physics/golden_memory.h"
#include "spec/shipped.h"

namespace diffram::physics {
namespace {

using spec::Command;

constexpr double kPicojoule = 1e-12;
constexpr double kShownDigits = 5e-7;  // the figures of 2f have six decimals, in pJ

const std::vector<TimedCommand> kOneRead = {
    {0, Command::ACT}, {15, Command::RD}, {35, Command::PRE}};

TEST(CoreGaps, lpddr5_bursts_are_measured_with_one_bank_open_or_with_two_groups) {
  GoldenMemory memory = golden_memory("lpddr5");  // 16B mode
  EXPECT_NEAR(memory.energy(memory.replayed(kOneRead, 35)).read / kPicojoule, 226.153846,
              kShownDigits);
  memory = golden_memory("lpddr5", {{"bank_arch", "MBG"}});
  EXPECT_NEAR(memory.energy(memory.replayed(kOneRead, 35)).read / kPicojoule, 225.000000,
              kShownDigits);
}

TEST(CoreGaps, auto_precharge_waits_for_tRAS) {
  const GoldenMemory memory = golden_memory("ddr4", {{"memTimingSpec.tRAS", 40}});
  const auto counters = memory.replayed({{0, Command::ACT}, {15, Command::RDA}}, 100);
  EXPECT_EQ(counters.banks[0].open_cycles, 40);
}

TEST(CoreGaps, fine_refresh_has_its_own_current_and_time) {
  // DDR4 golden spec, VDD alone: V(I5F2 − I3N)·tRFC2 = 1.2 · (100 − 39.5) mA · 16 · 0.769231 ns.
  GoldenMemory memory =
      golden_memory("ddr4", {{"memTimingSpec.tRFC", 16}, {"memPowerSpec[0].iXX5X", 0.100}});
  const auto counters = memory.replayed({{0, Command::REFab}}, 16);
  EXPECT_NEAR(memory.energy(counters).refresh / kPicojoule, 1.2 * 60.5 * 16 / 1.3, 1e-9);
  EXPECT_EQ(counters.banks[5].open_cycles, 16);
}

// The controller asks for the granularity; the memory's file has the current.
TEST(CoreGaps, fine_granularity_takes_the_current_of_its_mode) {
  const auto with = [](const std::string& currents, const char* granularity) {
    std::string text =
        spec::file_text(spec::shipped_folders().root + "/memories/ddr4-3200-8g-2ch.toml");
    for (const char* rail : {"[currents.VDD]\n", "[currents.VPP]\n"})
      text.insert(text.find(rail) + std::string(rail).size(), currents);
    auto memory = spec::parse_memory({"m.toml", text}, spec::shipped_standards(),
                                     {{"memory.controller.refresh_granularity", granularity}});
    if (!memory) throw std::runtime_error(spec::all_texts(memory.error()));
    return std::move(*memory);
  };
  const auto warns = [](const spec::MemorySpec& memory) {
    for (const auto& d : memory.diagnostics)
      if (d.code == "fine_refresh_current") return true;
    return false;
  };
  const std::string fine =
      "I5F2 = { value = 180, source = \"test\" }\n"
      "I5F4 = { value = 150, source = \"test\" }\n";
  EXPECT_DOUBLE_EQ(with(fine, "1").currents->rails[0].i5, 0.250);
  EXPECT_DOUBLE_EQ(with(fine, "2").currents->rails[0].i5, 0.180);
  EXPECT_DOUBLE_EQ(with(fine, "4").currents->rails[0].i5, 0.150);
  EXPECT_FALSE(warns(with(fine, "2")));
  EXPECT_DOUBLE_EQ(with("", "2").currents->rails[0].i5, 0.250);  // I5, and that is said
  EXPECT_TRUE(warns(with("", "2")));
}

TEST(CoreGaps, every_rail_of_lpddr5_adds_its_own_energy) {
  GoldenMemory memory = golden_memory("lpddr5");
  const auto counters = memory.replayed(kOneRead, 35);
  const double first = memory.energy(counters).total();
  // The same currents once more, at other voltages.
  for (std::size_t rail = 1; rail < 3; ++rail) {
    const double volts = rail == 1 ? 1.05 : 0.9;
    const std::string name = memory.core.currents.rails[rail].name;
    memory.core.currents.rails[rail] = memory.core.currents.rails[0];
    memory.core.currents.rails[rail].volts = volts;
    memory.core.currents.rails[rail].name = name;
  }
  EXPECT_NEAR(memory.energy(counters).total(), first * (1.2 + 1.05 + 0.9) / 1.2, 1e-9 * first);
}

// A partial refresh of which no current is stated costs a bank what REFab does.
TEST(CoreGaps, partial_refresh_without_a_current_costs_its_share_of_REFab) {
  GoldenMemory memory = golden_memory("lpddr4");
  for (auto& rail : memory.core.currents.rails) rail.i5_part = spec::kUnknownCurrent;
  EXPECT_FALSE(has_part_current(memory.core));
  const CorePower power = memory.power();
  EXPECT_EQ(power.part_refresh, power.refresh);
}

// Energy is V·I·t: at the same cycles, half the period is half the energy (DRAMsim3 forgot it).
TEST(CoreIssue, dramsim3_49_and_18_energy_has_the_clock_in_it) {
  const auto joules = [](double period) {
    const GoldenMemory memory = golden_memory("ddr4", {{"memTimingSpec.tCK", period}});
    return memory.energy(memory.replayed(kOneRead, 35)).total();
  };
  EXPECT_NEAR(joules(0.625e-9), 0.625 * joules(1e-9), 1e-12 * joules(1e-9));
  const GoldenMemory memory = golden_memory("ddr4", {{"memTimingSpec.tCK", 0.625e-9}});
  // One RD: V · (I4R − I3N) · 4 clocks of 0.625 ns.
  EXPECT_NEAR(memory.energy(memory.replayed(kOneRead, 35)).read / kPicojoule,
              1.2 * (157.5 - 39.5) * 4 * 0.625, 1e-9);
}

TEST(CoreIssue, drampower_35_a_row_is_opened_once_and_closed_once) {
  const GoldenMemory memory = golden_memory("ddr4");
  const auto legal = memory.replayed({{0, Command::ACT}, {20, Command::PRE}}, 50);
  const auto twice = memory.replayed({{0, Command::ACT},
                                      {12, Command::ACT},
                                      {20, Command::PRE},
                                      {25, Command::PRE},
                                      {30, Command::PREA}},
                                     50);
  EXPECT_EQ(twice.banks[0].act, 1);
  EXPECT_EQ(twice.banks[0].pre, 1);
  EXPECT_EQ(memory.energy(twice).total(), memory.energy(legal).total());
}

// A tiny log has a tiny energy: nothing of it is a difference of unsigned numbers (2^64 pJ there).
TEST(CoreIssue, drampower_126_energy_scales_with_activity) {
  const GoldenMemory memory = golden_memory("ddr4");
  const double one = memory.energy(memory.replayed({{0, Command::ACT}}, 1)).total();
  EXPECT_GT(one, 0);
  EXPECT_LT(one, 1e-9);
  EXPECT_EQ(memory.energy(memory.replayed({}, 0)).total(), 0);
}

}  // namespace
}  // namespace diffram::physics
