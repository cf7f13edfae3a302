// Public bug reports that concern DDR4 timing, as commands and the earliest legal cycle of the next
// (peer_cases "issues"). DDR4-2400R: nCL 16, nCWL 12, nBL 4, nCS 2.

#include <gtest/gtest.h>

#include "oracle/legality.h"
#include "oracle/ramulator_cases.h"

namespace diffram::oracle {
namespace {

using spec::Command;

struct Step {
  Command command;
  naive::Place place;
  std::int64_t cycle;
};

std::int64_t earliest(const Judge& judge, const std::vector<Step>& past, Command next,
                      const naive::Place& place, std::int64_t from) {
  const auto spec = ramulator_ddr4();
  const auto legality = judge.make(spec);
  for (const auto& step : past) {
    EXPECT_TRUE(legality->legal(step.command, step.place, step.cycle))
        << judge.name << ": " << name_of(step.command) << " at " << step.cycle;
    legality->issue(step.command, step.place, step.cycle);
  }
  return legality->earliest(next, place, from);
}

const naive::Place kRank0{0, 0, 0, 0, 0}, kRank1{1, 0, 0, 0, 0};
const std::vector<Step> kBothRanksOpen = {{Command::ACT, kRank0, 0}, {Command::ACT, kRank1, 4}};

std::vector<Step> after_opening(Step step) {
  auto out = kBothRanksOpen;
  out.push_back(step);
  return out;
}

TEST(Ddr4Issue, ramulator2_102_read_after_write_of_another_rank) {
  for (const auto& judge : judges())
    EXPECT_EQ(earliest(judge, after_opening({Command::WR, kRank0, 16}), Command::RD, kRank1, 17),
              20)
        << judge.name;
}

TEST(Ddr4Issue, write_after_read_of_another_rank_waits_for_the_bus) {
  for (const auto& judge : judges())
    EXPECT_EQ(earliest(judge, after_opening({Command::RD, kRank0, 30}), Command::WR, kRank1, 31),
              40)
        << judge.name;
}

TEST(Ddr4Issue, write_after_write_of_another_rank_leaves_a_bubble) {
  for (const auto& judge : judges())
    EXPECT_EQ(earliest(judge, after_opening({Command::WR, kRank0, 30}), Command::WR, kRank1, 31),
              36)
        << judge.name;
}

TEST(Ddr4Issue, ramulator_79_activation_window_rolls) {
  const std::int64_t expected[] = {0, 4, 8, 12, 26};
  for (const auto& judge : judges()) {
    std::vector<Step> past;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const naive::Place place{0, i % 4, i / 4, 0, 0};
      const auto cycle =
          earliest(judge, past, Command::ACT, place, i == 0 ? 0 : past.back().cycle + 1);
      EXPECT_EQ(cycle, expected[i]) << judge.name;
      past.push_back({Command::ACT, place, cycle});
    }
  }
}

TEST(Ddr4Issue, ramulator_57_refresh_waits_for_the_precharge_inside_RDA) {
  const std::vector<Step> past = {{Command::ACT, kRank0, 0}, {Command::RDA, kRank0, 16}};
  for (const auto& judge : judges())
    EXPECT_EQ(earliest(judge, past, Command::REFab, kRank0, 17), 55) << judge.name;
}

TEST(Ddr4Issue, ramulator2_139_no_row_command_during_refresh) {
  const auto rfc = ramulator_timings().at("nRFC");
  for (const auto& judge : judges()) {
    for (const auto next : {Command::ACT, Command::PRE, Command::PREA, Command::REFab})
      EXPECT_EQ(earliest(judge, {{Command::REFab, kRank0, 0}}, next, kRank0, 1), rfc)
          << judge.name << ": " << name_of(next);
    EXPECT_EQ(earliest(judge, {{Command::REFab, kRank0, 0}}, Command::ACT, kRank1, 1), 1);
  }
}

}  // namespace
}  // namespace diffram::oracle
