// Ramulator's resolved DDR4 table: the shortest gap of every ordered pair of commands, by the
// deepest level that their targets share. Equality, but for what DEVIATIONS.md states.

#include <gtest/gtest.h>

#include "oracle/legality.h"
#include "oracle/ramulator_cases.h"

namespace diffram::oracle {
namespace {

constexpr std::int64_t kStart = 10'000;
const naive::Place kHome{0, 1, 2, 0, 0};

struct Level {
  const char* name;
  naive::Place other;
};
const Level kLevels[] = {{"Channel", {1, 1, 2, 0, 0}},
                         {"Rank", {0, 2, 2, 0, 0}},
                         {"BankGroup", {0, 1, 3, 0, 0}},
                         {"Bank", {0, 1, 2, 0, 0}}};
const char* const kCommands[] = {"ACT", "PREpb", "PREab", "RD", "RDA", "WR", "WRA", "REFab"};

std::int64_t gap(const Judge& judge, const spec::MemorySpec& spec, const std::string& before,
                 const std::string& after, const naive::Place& other) {
  const auto legality = judge.make(spec);
  legality->issue(command_of(before), kHome, kStart);
  return legality->earliest(command_of(after), other, kStart) - kStart;
}

std::int64_t peer_gap(const std::string& before, const std::string& after, const char* level) {
  const auto& table = ramulator_cases()["timing_table"]["min_gap_by_deepest_common_level"];
  const auto pair = table.find(before + ">" + after);
  return pair == table.end() ? 0 : pair->value(level, 0);
}

bool is_column(const std::string& command, char kind) {
  return command[0] == kind && command != "REFab";
}

bool is_known_wrong(const std::string& before, const std::string& after, const char* level) {
  return std::string(level) == "Channel" && is_column(after, 'W') &&
         (is_column(before, 'R') || is_column(before, 'W'));
}

bool is_stated_addition(const std::string& before, const std::string& after, const char* level) {
  return before == "REFab" && std::string(level) != "Channel" &&
         (after == "REFab" || after == "PREpb");
}

TEST(RamulatorTable, equals_ours_but_for_stated_deviations) {
  const auto spec = ramulator_ddr4();
  for (const auto& judge : judges()) {
    for (const std::string before : kCommands) {
      for (const std::string after : kCommands) {
        for (const auto& level : kLevels) {
          if (is_known_wrong(before, after, level.name)) continue;
          const auto expected = is_stated_addition(before, after, level.name)
                                    ? spec.timing("nRFC")
                                    : peer_gap(before, after, level.name);
          EXPECT_EQ(gap(judge, spec, before, after, level.other), expected)
              << judge.name << ": " << before << " > " << after << ", common " << level.name;
        }
      }
    }
  }
}

TEST(RamulatorTable, known_wrong_entries_are_put_right) {
  const auto spec = ramulator_ddr4();
  ASSERT_EQ(ramulator_cases()["known_wrong"].size(), 2u);
  for (const auto& judge : judges()) {
    for (const auto& entry : ramulator_cases()["known_wrong"]) {
      const auto pair = entry["pair"].get<std::string>();
      const auto arrow = pair.find('>');
      const auto& figures = entry["examples"]["DDR4_2400R"];
      for (const std::string suffix : {"", "A"}) {
        const auto before = pair.substr(0, arrow) + suffix, after = pair.substr(arrow + 1) + suffix;
        EXPECT_EQ(peer_gap(before, after, "Channel"), figures[0].get<int>()) << pair;
        EXPECT_EQ(gap(judge, spec, before, after, kLevels[0].other), figures[1].get<int>()) << pair;
      }
    }
  }
}

TEST(RamulatorTable, activation_window_is_the_fourth_last) {
  const auto spec = ramulator_ddr4();
  const auto& window = ramulator_cases()["timing_table"]["windows"][0];
  ASSERT_EQ(window["window"], 4);
  for (const auto& judge : judges()) {
    const auto legality = judge.make(spec);
    for (std::uint32_t group = 0; group < 4; ++group)
      legality->issue(spec::Command::ACT, {0, group, 0, 0, 0}, kStart + 4 * group);
    EXPECT_EQ(legality->earliest(spec::Command::ACT, {0, 0, 1, 0, 0}, kStart + 12) - kStart,
              window["gap"].get<int>())
        << judge.name;
  }
}

TEST(RamulatorTable, read_latency_is_CL_and_burst) {
  const auto timings = ramulator_timings();
  EXPECT_EQ(timings.at("nCL") + timings.at("nBL"),
            ramulator_cases()["timing_table"]["read_latency_ticks"].get<int>());
}

}  // namespace
}  // namespace diffram::oracle
