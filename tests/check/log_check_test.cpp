// A log file held against a memory: counts by rule, the first violations, text and JSON.

#include "check/log_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "check/roomy_memory.h"

namespace diffram::check {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::Not;

class LogCheck : public ::testing::Test {
 protected:
  Verdict verdict_of(const std::string& text, std::size_t top = 10) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const auto file =
        std::filesystem::temp_directory_path() / (std::string("diffram_") + test->name() + ".cmd");
    std::ofstream(file) << text;
    LogCheckOptions options;
    options.top = top;
    auto verdict = check_log(file.string(), memory, options);
    std::filesystem::remove(file);
    if (!verdict) throw std::runtime_error(verdict.error().front().text());
    return *verdict;
  }
  const spec::MemorySpec memory = roomy_memory();
};

const std::string kHeader = "# diffram-commands 1 channel rank bank_group bank row column\n";
const std::string kTwoEarly =
    "0 ACT 0 0 0 0 1\n17 RD 0 0 0 0 1 0\n0 ACT 1 0 0 0 1\n15 RD 1 0 0 0 1 0\n";

TEST_F(LogCheck, counts_by_rule_over_all_channels_and_keeps_the_first) {
  const auto verdict = verdict_of(kHeader + kTwoEarly, 1);
  EXPECT_EQ(verdict.commands, 4u);
  EXPECT_EQ(verdict.channels_seen, 2u);
  EXPECT_EQ(verdict.violations, 2u);
  ASSERT_EQ(verdict.first.size(), 1u);
  EXPECT_EQ(verdict.first[0].after.line, 3u);
  for (const auto& each : verdict.rules) {
    EXPECT_EQ(each.violations, each.rule.name == "tRCD" ? 2u : 0u) << each.rule.name;
    EXPECT_EQ(each.worst_shortfall, each.rule.name == "tRCD" ? 3 : 0) << each.rule.name;
  }
}

TEST_F(LogCheck, text_names_rule_clause_both_commands_and_the_shortfall) {
  const auto text = verdict_text(verdict_of(kHeader + kTwoEarly, 1));
  EXPECT_THAT(text, HasSubstr("2 violations"));
  EXPECT_THAT(text, HasSubstr("line 3, channel 0: tRCD: RD of rank 0, bank group 0, bank 0, row 1, "
                              "column 0 at cycle 17 comes 17 cycles after ACT of rank 0, bank "
                              "group 0, bank 0, row 1 at cycle 0; at least 18 required, 1 short"));
  EXPECT_THAT(text, HasSubstr("DRAMSys CheckerDDR4"));
  EXPECT_THAT(text, HasSubstr("and 1 more"));
}

TEST_F(LogCheck, a_late_refresh_is_told_as_too_many_cycles) {
  const auto text = verdict_text(verdict_of(kHeader + "0 REFab 0 0\n9 REFab 0 1\n18005 REFab 0 0\n"
                                                      "18006 REFab 0 1\n"));
  EXPECT_THAT(text, HasSubstr("at most 18000 required, 5 too many"));
}

TEST_F(LogCheck, a_clean_log_says_how_many_rules_it_kept) {
  const auto verdict = verdict_of(kHeader + "0 ACT 0 0 0 0 1\n18 RD 0 0 0 0 1 0\n70 PRE 0 0 3 3\n");
  EXPECT_TRUE(verdict.is_clean());
  const auto text = verdict_text(verdict);
  EXPECT_THAT(text, HasSubstr("no violation of " + std::to_string(verdict.rules.size())));
  EXPECT_THAT(text, HasSubstr("1 precharge found nothing to close"));
}

TEST_F(LogCheck, json_has_every_rule_and_the_violations_asked_for) {
  const auto json = verdict_json(verdict_of(kHeader + kTwoEarly, 1));
  EXPECT_THAT(json, HasSubstr("\"shortfall_cycles\": 1"));
  EXPECT_THAT(json, HasSubstr("\"rule\": \"tXSDLL\""));
  EXPECT_THAT(json, HasSubstr("\"violations\": 2"));
  EXPECT_THAT(json, Not(HasSubstr("\"cycle\": 15")));
}

// One sequence in each simulator's words: the same violation at the same command.
TEST_F(LogCheck, every_format_tells_the_same_story) {
  const std::string logs[] = {
      kHeader + "3 ACT 0 1 2 3 7\n20 RD 0 1 2 3 7 5\n",
      "3 ACT 1 2 3 7\n20 RD 1 2 3 7 5\n",
      "# channel 0\n3 ACT 1 2 3 7\n20 RD 1 2 3 7 5\n",
      "3                  activate               0   1   2   3      0x7      0x0\n"
      "20                 read                   0   1   2   3      0x7      0x5\n",
      "3, ACT, 0, 1, 2, 3, 7, -1\n20, RD, 0, 1, 2, 3, 7, 5\n",
      "clock,command,Channel,Rank,BankGroup,Bank,Row,Column,type,source\n"
      "3,ACT,0,1,2,3,7,5,0,-1\n20,RD,0,1,2,3,7,5,0,-1\n"};
  for (const auto& log : logs) {
    auto verdict = verdict_of(log);
    ASSERT_EQ(verdict.first.size(), 1u) << log;
    Command after = verdict.first[0].after;
    after.line = 0;
    EXPECT_EQ(after, (Command{20, spec::Command::RD, 1, 2, 3, 7, 5})) << log;
    EXPECT_EQ(verdict.rules[verdict.first[0].rule].rule.name, "tRCD") << log;
    EXPECT_EQ(verdict.first[0].shortfall(), 1) << log;
  }
}

}  // namespace
}  // namespace diffram::check
