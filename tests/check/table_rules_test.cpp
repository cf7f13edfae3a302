// Each row of the DDR4 table: a log whose last command comes one cycle too early breaks this rule
// and no other, and the same log a cycle later breaks none.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "check/roomy_memory.h"
#include "check/small_log.h"

namespace diffram::check {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct EarlyCommand {
  std::string rule;
  std::string log;      ///< up to the last command; the rule counts from its last one
  std::string command;  ///< without its cycle
  std::int64_t required;
  std::size_t from_end = 1;  ///< the command of `log` from which the rule counts: 1 = the last
};

// Four banks of rank 0 (two groups) and one of rank 1, opened long before the columns.
const std::string kOpened =
    "0 ACT 0 0 0 5; 20 ACT 0 0 1 5; 40 ACT 0 1 0 5; 60 ACT 0 1 1 5; 80 ACT 1 0 0 5; ";

std::string opened(const std::string& column) { return kOpened + "200 " + column; }

void PrintTo(const EarlyCommand& c, std::ostream* out) { *out << c.log << "; " << c.command; }

std::vector<EarlyCommand> row_cases() {
  return {
      {"tRP", "0 ACT 0 0 0 1; 50 PRE 0 0 0", "ACT 0 0 0 2", kRp},
      {"tRP", "0 ACT 0 0 0 1; 50 PREA 0", "ACT 0 0 0 2", kRp},
      {"tRP", "0 ACT 0 0 0 1; 50 PREA 0", "ACT 0 2 1 2", kRp},
      {"tRP", "0 ACT 0 0 0 1; 50 PREA 0", "REFab 0", kRp},
      {"tRP", "0 ACT 0 0 0 1; 50 PRE 0 0 0", "REFab 0", kRp},
      {"tRAS", "0 ACT 0 0 0 1", "PRE 0 0 0", kRas},
      {"tRAS", "0 ACT 0 0 0 1", "PREA 0", kRas},
      {"tRC", "0 ACT 0 0 0 1; 40 PRE 0 0 0", "ACT 0 0 0 2", kRc, 2},
      {"tRC", "0 ACT 0 0 0 1; 40 PRE 0 0 0", "REFab 0", kRc, 2},
      {"tRTP", "0 ACT 0 0 0 1; 40 RD 0 0 0 1 0", "PRE 0 0 0", kRtp},
      {"tRTP", "0 ACT 0 0 0 1; 40 RD 0 0 0 1 0", "PREA 0", kRtp},
      {"tRTP", "0 ACT 0 0 0 1; 40 RDA 0 0 0 1 0", "ACT 0 0 0 1", kRtp + kRp},
      {"tRTP", "0 ACT 0 0 0 1; 40 RDA 0 0 0 1 0", "REFab 0", kRtp + kRp},
      {"tWR", "0 ACT 0 0 0 1; 18 WR 0 0 0 1 0", "PRE 0 0 0", kCwl + kBl + kWr},
      {"tWR", "0 ACT 0 0 0 1; 18 WR 0 0 0 1 0", "PREA 0", kCwl + kBl + kWr},
      {"tWR", "0 ACT 0 0 0 1; 18 WRA 0 0 0 1 0", "ACT 0 0 0 1", kCwl + kBl + kWr + kRp},
      {"tWR", "0 ACT 0 0 0 1; 18 WRA 0 0 0 1 0", "REFab 0", kCwl + kBl + kWr + kRp},
      {"tRRD_S", "0 ACT 0 0 0 1", "ACT 0 1 0 1", kRrdS},
      {"tRRD_L", "0 ACT 0 0 0 1", "ACT 0 0 1 1", kRrdL},
      {"tFAW", "0 ACT 0 0 0 1; 6 ACT 0 1 0 1; 12 ACT 0 2 0 1; 18 ACT 0 3 0 1", "ACT 0 0 1 1", kFaw,
       4},
      {"tRFC", "0 REFab 0", "ACT 0 0 0 1", kRfc},
      {"tRFC", "0 REFab 0", "PRE 0 0 0", kRfc},
      {"tRFC", "0 REFab 0", "PREA 0", kRfc},
      {"tRFC", "0 REFab 0", "REFab 0", kRfc},
  };
}

std::vector<EarlyCommand> column_cases() {
  std::vector<EarlyCommand> cases;
  for (const std::string column : {"RD", "RDA", "WR", "WRA"}) {
    cases.push_back({"tRCD", "0 ACT 0 0 0 1", column + " 0 0 0 1 0", kRcd});
  }
  const std::string first = " 0 0 0 5 0", same_group = " 0 0 1 5 0", other_group = " 0 1 0 5 0",
                    other_rank = " 1 0 0 5 0";
  for (const std::string a : {"", "A"}) {
    for (const std::string b : {"", "A"}) {
      const auto rd = "RD" + a, wr = "WR" + a, then_rd = "RD" + b, then_wr = "WR" + b;
      cases.push_back({"tCCD_S", opened(rd + first), then_rd + other_group, kCcdS});
      cases.push_back({"tCCD_S", opened(wr + first), then_wr + other_group, kCcdS});
      cases.push_back({"tCCD_L", opened(rd + first), then_rd + same_group, kCcdL});
      cases.push_back({"tCCD_L", opened(wr + first), then_wr + same_group, kCcdL});
      cases.push_back({"tRTW", opened(rd + first), then_wr + same_group, kCl + kBl + 2 - kCwl});
      cases.push_back({"tRTW", opened(rd + first), then_wr + other_group, kCl + kBl + 2 - kCwl});
      cases.push_back({"tWTR_S", opened(wr + first), then_rd + other_group, kCwl + kBl + kWtrS});
      cases.push_back({"tWTR_L", opened(wr + first), then_rd + same_group, kCwl + kBl + kWtrL});
      cases.push_back({"tCS", opened(rd + first), then_rd + other_rank, kBl + kCs});
      cases.push_back({"tCS", opened(wr + first), then_wr + other_rank, kBl + kCs});
      cases.push_back({"tCS", opened(rd + first), then_wr + other_rank, kCl + kBl + kCs - kCwl});
      cases.push_back({"tCS", opened(wr + first), then_rd + other_rank, kCwl + kBl + kCs - kCl});
    }
  }
  return cases;
}

std::vector<EarlyCommand> sleep_cases() {
  const std::string open = "0 ACT 0 0 0 5; ", woken = open + "100 PDE 0; 120 PDX 0",
                    closed = "0 PDE 0; 20 PDX 0", rested = "0 SREFE 0; 20 SREFX 0";
  std::vector<EarlyCommand> cases = {
      {"tRDPDEN", open + "40 RD 0 0 0 5 0", "PDE 0", kCl + kBl + 1},
      {"tRDPDEN", open + "40 RDA 0 0 0 5 0", "PDE 0", kCl + kBl + 1},
      {"tWRPDEN", open + "40 WR 0 0 0 5 0", "PDE 0", kCwl + kBl + kWr},
      {"tWRPDEN", open + "40 WRA 0 0 0 5 0", "PDE 0", kCwl + kBl + kWr + 1},
      {"tACTPDEN", "0 ACT 0 0 0 5", "PDE 0", 2},
      {"tACTPDEN", open + "40 PRE 0 0 0", "PDE 0", 2},
      {"tACTPDEN", open + "40 PREA 0", "PDE 0", 2},
      {"tACTPDEN", "0 REFab 0", "PDE 0", 2},
      {"tXP", closed, "ACT 0 0 0 1", kXp},
      {"tXP", woken, "PRE 0 0 0", kXp},
      {"tXP", woken, "PREA 0", kXp},
      {"tXP", closed, "REFab 0", kXp},
      {"tXP", closed, "SREFE 0", kXp},
      {"tCKE", "0 PDE 0", "PDX 0", kCke},
      {"tCKE", closed, "PDE 0", kCke},
      {"tCKE", "0 SREFE 0", "SREFX 0", kCke + 1},
      {"tSREFE", open + "50 PRE 0 0 0", "SREFE 0", kRp},
      {"tSREFE", open + "50 PREA 0", "SREFE 0", kRp},
      {"tSREFE", "0 REFab 0", "SREFE 0", kRfc},
      {"tSREFE", open + "40 RDA 0 0 0 5 0", "SREFE 0", kRtp + kRp},
      {"tSREFE", open + "18 WRA 0 0 0 5 0", "SREFE 0", kCwl + kBl + kWr + kRp},
      {"tSREFE", open + "40 PRE 0 0 0", "SREFE 0", kRc, 2},
      {"tXS", rested, "ACT 0 0 0 1", kXs},
      {"tXS", rested, "PRE 0 0 0", kXs},
      {"tXS", rested, "PREA 0", kXs},
      {"tXS", rested, "REFab 0", kXs},
      {"tXS", rested, "PDE 0", kXs},
      {"tXS", rested, "SREFE 0", kXs},
  };
  for (const std::string column : {"RD", "RDA", "WR", "WRA"}) {
    cases.push_back({"tXP", woken, column + " 0 0 0 5 0", kXp});
    cases.push_back({"tXSDLL", rested + "; 250 ACT 0 0 0 5", column + " 0 0 0 5 0", kXsDll, 2});
  }
  return cases;
}

std::vector<EarlyCommand> all_cases() {
  auto cases = row_cases();
  for (auto&& more : {column_cases(), sleep_cases()}) {
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

/// The log with its last command so many cycles before the first legal one.
std::vector<Command> log_of_case(const EarlyCommand& c, std::int64_t early) {
  auto log = log_of(c.log);
  const auto from = log[log.size() - c.from_end].cycle;
  auto last = log_of("0 " + c.command);
  last.front().cycle = from + c.required - early;
  log.push_back(last.front());
  return log;
}

class table_rule : public ::testing::TestWithParam<EarlyCommand> {};

TEST_P(table_rule, is_broken_one_cycle_early_and_kept_at_its_distance) {
  const auto memory = roomy_memory();
  const auto& c = GetParam();
  const auto early = log_of_case(c, 1);
  EXPECT_THAT(rules_broken(memory, early), ElementsAre(c.rule)) << c.log << "; " << c.command;
  EXPECT_THAT(rules_broken(memory, log_of_case(c, 0)), IsEmpty()) << c.log << "; " << c.command;

  const auto violations = violations_in(memory, early);
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].before, early[early.size() - 1 - c.from_end]);
  EXPECT_EQ(violations[0].after, early.back());
  EXPECT_EQ(violations[0].required, c.required);
  EXPECT_EQ(violations[0].found, c.required - 1);
  EXPECT_EQ(violations[0].shortfall(), 1);
}

std::string name_of_case(const ::testing::TestParamInfo<EarlyCommand>& info) {
  return info.param.rule + "_" + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(check, table_rule, ::testing::ValuesIn(all_cases()), name_of_case);

TEST(TableRules, every_row_of_the_standard_has_a_log_that_breaks_it) {
  const auto memory = roomy_memory();
  using Row = std::tuple<std::string, spec::Command, spec::Command>;
  std::set<Row> rows, broken;
  for (const auto& row : memory.constraints) {
    rows.insert({memory.rules[row.rule].name, row.before, row.after});
  }
  for (const auto& c : all_cases()) {
    for (const auto& v : violations_in(memory, log_of_case(c, 1))) {
      ASSERT_TRUE(v.before);
      broken.insert({memory.rules[v.rule].name, v.before->name, v.after.name});
    }
  }
  EXPECT_EQ(broken, rows);
}

TEST(TableRules, a_rule_is_told_once_with_the_command_that_misses_it_by_most) {
  // Both activations are too close for the group's and the rank's rule; the nearer one counts.
  const auto found =
      violations_in(roomy_memory(), log_of("0 ACT 0 0 0 1; 9 ACT 0 0 1 1; 12 ACT 0 0 2 1"));
  ASSERT_EQ(found.size(), 2u);
  for (const auto& violation : found) EXPECT_EQ(violation.before->cycle, 9);
}

TEST(TableRules, ranks_and_channels_do_not_see_the_rules_of_another_rank) {
  EXPECT_THAT(rules_broken(roomy_memory(), log_of("0 ACT 0 0 0 1; 1 ACT 1 0 0 1; 2 REFab 1")),
              ElementsAre("tRC", "refresh-open-bank"));
  EXPECT_THAT(rules_broken(roomy_memory(), log_of("0 REFab 0; 1 ACT 1 0 0 1")), IsEmpty());
}

}  // namespace
}  // namespace diffram::check
