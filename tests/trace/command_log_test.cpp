// Command logs of diffram, DRAMsim3 and Ramulator 2: what a line may look like, and what is
// refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace/command_log/command_log_reader.h"

namespace diffram::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

CommandLogOptions ddr4() {
  return {{{"ACT", Level::row},
           {"PRE", Level::bank},
           {"PREA", Level::rank},
           {"RD", Level::column},
           {"WRA", Level::column},
           {"RDA", Level::column},
           {"WR", Level::column},
           {"REFab", Level::rank},
           {"SREFE", Level::rank},
           {"SREFX", Level::rank}},
          {2, 2, 4, 4, 32768, 128}};
}

struct Reading {
  std::vector<LoggedCommand> commands;
  std::string format;
  base::Errors errors;
};

Reading read_text(const std::string& text) {
  Reading reading;
  auto bytes = open_memory(text, "hand.cmd");
  EXPECT_TRUE(bytes);
  CommandLogReader reader(std::move(*bytes), "hand.cmd", ddr4());
  if (auto known = reader.recognise(); !known) {
    reading.errors = known.error();
    return reading;
  }
  reading.format = reader.format();
  LoggedCommand command;
  while (true) {
    auto more = reader.next(command);
    if (!more) reading.errors = more.error();
    if (!more || !*more) break;
    reading.commands.push_back(command);
  }
  return reading;
}

std::string name_of(const LoggedCommand& command) { return ddr4().commands[command.command].name; }

const std::string kHeader = "# diffram-commands 1 channel rank bank_group bank row column\n";

TEST(command_log, ours_has_as_many_coordinates_as_the_command_needs) {
  const auto reading =
      read_text(kHeader + "2 ACT 0 1 2 3 4\n24 RD 0 1 2 3 4 5  # why\n\n60 REFab 1 0\n");
  ASSERT_TRUE(reading.errors.empty()) << reading.errors[0].text();
  EXPECT_EQ(reading.format, "diffram");
  ASSERT_EQ(reading.commands.size(), 3u);
  EXPECT_EQ(name_of(reading.commands[0]), "ACT");
  EXPECT_THAT(reading.commands[0].place, ElementsAre(0, 1, 2, 3, 4, 0));
  EXPECT_THAT(reading.commands[1].place, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(reading.commands[2].place, ElementsAre(1, 0, 0, 0, 0, 0));
}

TEST(command_log, ours_states_its_levels_and_may_leave_some_out) {
  const auto reading = read_text("# diffram-commands 1 rank bank row column\n2 ACT 1 3 4\n");
  ASSERT_TRUE(reading.errors.empty()) << reading.errors[0].text();
  EXPECT_THAT(reading.commands.at(0).place, ElementsAre(0, 1, 0, 3, 4, 0));
}

TEST(command_log, dramsim3_short_form_begins_a_channel_by_a_line_of_its_own) {
  const auto reading =
      read_text("# channel 0\n2 ACT 0 1 2 9\n24 RDA 0 1 2 9 3\n# channel 1\n1 REF 1\n5 SREFE 0\n");
  ASSERT_TRUE(reading.errors.empty()) << reading.errors[0].text();
  EXPECT_EQ(reading.format, "DRAMsim3 short");
  ASSERT_EQ(reading.commands.size(), 4u);
  EXPECT_THAT(reading.commands[1].place, ElementsAre(0, 0, 1, 2, 9, 3));
  EXPECT_EQ(name_of(reading.commands[2]), "REFab");
  EXPECT_THAT(reading.commands[2].place, ElementsAre(1, 1, 0, 0, 0, 0));
}

// The form of DRAMsim3's own build option; refreshes print -1 for what they have not.
TEST(command_log, dramsim3_command_trace_has_long_names_and_hexadecimal_rows) {
  const auto reading = read_text(
      "2                  activate               0   1   2   3     0x1f      0x0\n"
      "24                 read_p                 0   1   2   3     0x1f     0x2a\n"
      "90                 refresh                0   1  -1  -1     -0x1     -0x1\n"
      "900                self_refresh_exit      1   0   0   0      0x0      0x0\n");
  ASSERT_TRUE(reading.errors.empty()) << reading.errors[0].text();
  EXPECT_EQ(reading.format, "DRAMsim3 command trace");
  ASSERT_EQ(reading.commands.size(), 4u);
  EXPECT_EQ(name_of(reading.commands[1]), "RDA");
  EXPECT_THAT(reading.commands[1].place, ElementsAre(0, 1, 2, 3, 0x1f, 0x2a));
  EXPECT_EQ(name_of(reading.commands[2]), "REFab");
  EXPECT_EQ(name_of(reading.commands[3]), "SREFX");
}

TEST(command_log, ramulator_2_0_lists_all_coordinates_and_minus_one_for_none) {
  const auto reading = read_text(
      "1, ACT, 0, 1, 2, 3, 31, 42\n9, PREA, 1, 0, -1, -1, -1, -1\n11, PRE, 0, 1, 3, 7, 0\n");
  EXPECT_EQ(reading.format, "Ramulator 2.0");
  ASSERT_TRUE(reading.errors.empty()) << reading.errors[0].text();
  ASSERT_EQ(reading.commands.size(), 3u);
  EXPECT_THAT(reading.commands[0].place, ElementsAre(0, 1, 2, 3, 31, 0));
  EXPECT_THAT(reading.commands[1].place, ElementsAre(1, 0, 0, 0, 0, 0));
  // Five coordinates: a standard without bank groups.
  EXPECT_THAT(reading.commands[2].place, ElementsAre(0, 1, 0, 3, 0, 0));
}

TEST(command_log, ramulator_2_1_names_its_columns) {
  const auto reading = read_text(
      "clock,command,Channel,Rank,BankGroup,Bank,Row,Column,type,source\n"
      "1,ACT,0,1,2,3,31,42,0,-1\n40,PREpb,0,1,2,3,31,42,0,-1\n60,PREab,1,1,-1,-1,-1,-1,2,-1\n");
  ASSERT_TRUE(reading.errors.empty()) << reading.errors[0].text();
  EXPECT_EQ(reading.format, "Ramulator 2.1");
  ASSERT_EQ(reading.commands.size(), 3u);
  EXPECT_EQ(name_of(reading.commands[1]), "PRE");
  EXPECT_THAT(reading.commands[1].place, ElementsAre(0, 1, 2, 3, 0, 0));
  EXPECT_EQ(name_of(reading.commands[2]), "PREA");
}

TEST(command_log, the_nearest_command_is_named_for_an_unknown_word) {
  const auto reading = read_text(kHeader + "2 ACT 0 0 0 0 1\n9 REFa 0 0\n");
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_EQ(reading.errors[0].code, "unknown_command");
  EXPECT_EQ(reading.errors[0].line, 3);
  EXPECT_EQ(reading.errors[0].expected, "REFab");
  EXPECT_THAT(reading.errors[0].message, HasSubstr("REFa"));
}

struct BadLog {
  const char* text;
  const char* code;
  int line;
};

void PrintTo(const BadLog& bad, std::ostream* out) { *out << bad.code; }

class bad_log : public testing::TestWithParam<BadLog> {};

TEST_P(bad_log, is_refused_with_file_and_line) {
  const auto reading = read_text(GetParam().text);
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_EQ(reading.errors[0].code, GetParam().code) << reading.errors[0].text();
  EXPECT_EQ(reading.errors[0].file, "hand.cmd");
  EXPECT_EQ(reading.errors[0].line, GetParam().line);
  EXPECT_FALSE(reading.errors[0].expected.empty());
}

INSTANTIATE_TEST_SUITE_P(
    trace, bad_log,
    testing::Values(BadLog{"", "not_a_command_log", 1},
                    BadLog{"0x40 READ 12\n", "not_a_command_log", 1},
                    BadLog{"\n\nhello\n", "not_a_command_log", 3},
                    BadLog{"# diffram-commands 2 channel\n", "unknown_version", 1},
                    BadLog{"# diffram-commands 1\n", "missing_field", 1},
                    BadLog{"# diffram-commands 1 chanel\n", "unknown_level", 1},
                    BadLog{"# diffram-commands 1 rank rank\n", "double_level", 1},
                    BadLog{"# diffram-commands 1 channel rank\nx REFab 0 0\n", "bad_cycle", 2},
                    BadLog{"# diffram-commands 1 channel rank\n-1 REFab 0 0\n", "bad_cycle", 2},
                    BadLog{"# diffram-commands 1 channel rank\n9\n", "missing_field", 2},
                    BadLog{"# diffram-commands 1 channel rank\n9 REFab 0\n", "missing_field", 2},
                    BadLog{"# diffram-commands 1 channel rank\n9 REFab 0 0 0\n", "extra_field", 2},
                    BadLog{"# diffram-commands 1 channel rank\n9 REFab 0 zero\n", "bad_number", 2},
                    BadLog{"# diffram-commands 1 channel rank\n9 REFab 2 0\n", "out_of_range", 2},
                    BadLog{"# diffram-commands 1 channel rank\n9 REFab 0 2\n", "out_of_range", 2},
                    BadLog{"# diffram-commands 1 channel rank\n9 REFab 0 0\n8 REFab 0 1\n",
                           "cycle_goes_back", 3},
                    BadLog{"2 ACT 0 0 0 40000\n", "out_of_range", 1},
                    BadLog{"2 RD 0 0 0 4 128\n", "out_of_range", 1},
                    BadLog{"2 RD 0 0 0 4\n", "missing_field", 1},
                    BadLog{"2 REFB 0 0 1\n", "unknown_command", 1},
                    BadLog{"2 RD 0 0 0 4 0 0\n", "extra_field", 1},
                    BadLog{"# channel 5\n2 REF 0\n", "out_of_range", 2},
                    BadLog{"2 activate 0 0 0 0 0x1\n", "missing_field", 1},
                    BadLog{"2 activate 0 0 0 0 0x1 0x0 0\n", "extra_field", 1},
                    BadLog{"2 activate 0 0 0 0 0xzz 0x0\n", "bad_number", 1},
                    BadLog{"2, ACT, 0, 0, 1\n", "missing_field", 1},
                    BadLog{"2, ACT, 0, 0, 1, 2, 3, 4, 5\n", "extra_field", 1},
                    BadLog{"2, ACT, 0, 0, -1, -1, -1, -1\n", "missing_field", 1},
                    BadLog{"0,ACT,0,0,0,0,0\n9,WR,0,0,0,0,0,0x123\n", "bad_data", 2},
                    BadLog{"0,ACT,0,0,0,0,0\n9,WR,0,0,0,0,0,0x1g\n", "bad_data", 2},
                    BadLog{"0,ACT,0,0,0,0,0\n9,PRE,0,0,0,0,0,0x12\n", "extra_field", 2},
                    BadLog{"9,ACT,0,0,0,0,0\n8,END,0,0,0,0,0\n", "cycle_goes_back", 2},
                    BadLog{"9,ACT,0,0,0,0,0\nx,END,0,0,0,0,0\n", "bad_cycle", 2},
                    BadLog{"clock,command,Channel,Lane\n", "unknown_level", 1},
                    BadLog{"clock,command,Channel,Rank\n1,REFab,0\n", "missing_field", 2},
                    BadLog{"clock,command,Channel,Rank\n1,REFab,0,0,0\n", "extra_field", 2}));

TEST(command_log, drampower_lists_carry_data_and_their_own_end) {
  const std::string text =
      "0,ACT,0,0,0,0,0\n22,WR,0,0,0,0,0,0x01fE\n40,RD,0,0,0,0,0\n200,END,0,0,0,0,0\n";
  const auto reading = read_text(text);
  ASSERT_TRUE(reading.errors.empty());
  ASSERT_EQ(reading.commands.size(), 3u);
  EXPECT_TRUE(reading.commands[0].data.empty());
  EXPECT_THAT(reading.commands[1].data, ElementsAre(0x01, 0xFE));
  EXPECT_TRUE(reading.commands[2].data.empty());

  CommandLogReader reader(*open_memory(text, "hand.cmd"), "hand.cmd", ddr4());
  ASSERT_TRUE(reader.recognise());
  LoggedCommand command;
  while (*reader.next(command)) EXPECT_FALSE(reader.end_cycle());
  EXPECT_EQ(reader.end_cycle(), 200);
}

TEST(command_log, channels_may_follow_each_other_or_mix) {
  EXPECT_TRUE(read_text(kHeader + "9 REFab 0 0\n1 REFab 1 0\n10 REFab 0 1\n").errors.empty());
}

}  // namespace
}  // namespace diffram::trace
