// The rules of state: each illegal log breaks its rule and no other, and a neighbour breaks none.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/roomy_memory.h"
#include "check/small_log.h"

namespace diffram::check {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct StateCase {
  std::string rule;
  std::string illegal, legal;
};

void PrintTo(const StateCase& c, std::ostream* out) { *out << c.illegal; }

class state_rule : public ::testing::TestWithParam<StateCase> {};

TEST_P(state_rule, is_broken_alone_and_kept_by_the_neighbour) {
  const auto memory = roomy_memory();
  EXPECT_THAT(rules_broken(memory, log_of(GetParam().illegal)), ElementsAre(GetParam().rule))
      << GetParam().illegal;
  EXPECT_THAT(rules_broken(memory, log_of(GetParam().legal)), IsEmpty()) << GetParam().legal;
}

INSTANTIATE_TEST_SUITE_P(
    check, state_rule,
    ::testing::Values(
        StateCase{"activate-open-bank", "0 ACT 0 0 0 1; 100 ACT 0 0 0 2",
                  "0 ACT 0 0 0 1; 50 PRE 0 0 0; 100 ACT 0 0 0 2"},
        StateCase{"activate-open-bank", "0 ACT 0 0 0 1; 100 ACT 0 0 0 1",
                  "0 ACT 0 0 0 1; 100 ACT 0 0 1 1"},
        StateCase{"activate-open-bank", "0 ACT 0 0 0 1; 50 RD 0 0 0 1 0; 100 ACT 0 0 0 2",
                  "0 ACT 0 0 0 1; 50 RDA 0 0 0 1 0; 100 ACT 0 0 0 2"},
        StateCase{"column-closed-bank", "0 RD 0 0 0 1 0", "0 ACT 0 0 0 1; 18 RD 0 0 0 1 0"},
        StateCase{"column-closed-bank", "0 WR 0 0 0 1 0", "0 ACT 0 0 0 1; 18 WR 0 0 0 1 0"},
        StateCase{"column-closed-bank", "0 ACT 0 0 0 1; 50 RDA 0 0 0 1 0; 60 RD 0 0 0 1 1",
                  "0 ACT 0 0 0 1; 50 RD 0 0 0 1 0; 60 RDA 0 0 0 1 1"},
        StateCase{"column-closed-bank", "0 ACT 0 0 0 1; 50 WRA 0 0 0 1 0; 60 WRA 0 0 0 1 1",
                  "0 ACT 0 0 0 1; 50 WR 0 0 0 1 0; 60 WRA 0 0 0 1 1"},
        StateCase{"column-closed-bank", "0 ACT 0 0 0 1; 50 PRE 0 0 0; 52 RD 0 0 0 1 1",
                  "0 ACT 0 0 0 1; 50 PRE 0 1 0; 52 RD 0 0 0 1 1"},
        StateCase{"column-closed-bank", "0 ACT 0 0 0 1; 50 PREA 0; 52 RDA 0 0 0 1 1",
                  "0 ACT 0 0 0 1; 50 PREA 1; 52 RDA 0 0 0 1 1"},
        StateCase{"column-other-row", "0 ACT 0 0 0 1; 50 RD 0 0 0 2 0",
                  "0 ACT 0 0 0 2; 50 RD 0 0 0 2 0"},
        StateCase{"column-other-row", "0 ACT 0 0 0 1; 50 WRA 0 0 0 2 0",
                  "0 ACT 0 0 0 2; 50 WRA 0 0 0 2 0"},
        StateCase{"refresh-open-bank", "0 ACT 0 3 2 1; 100 REFab 0",
                  "0 ACT 0 3 2 1; 50 PRE 0 3 2; 100 REFab 0"},
        StateCase{"refresh-open-bank", "0 ACT 0 3 2 1; 20 ACT 0 0 0 1; 70 PRE 0 3 2; 100 REFab 0",
                  "0 ACT 0 3 2 1; 20 ACT 0 0 0 1; 70 PREA 0; 100 REFab 0"},
        StateCase{"self-refresh-open-bank", "0 ACT 0 3 2 1; 100 SREFE 0",
                  "0 ACT 1 3 2 1; 100 SREFE 0"},
        StateCase{"rank-asleep", "0 PDE 0; 10 ACT 0 0 0 1; 30 PDX 0",
                  "0 PDE 0; 10 PDX 0; 30 ACT 0 0 0 1"},
        StateCase{"rank-asleep", "0 PDE 0; 10 REFab 0; 30 PDX 0", "0 PDE 0; 10 REFab 1; 30 PDX 0"},
        StateCase{"rank-asleep", "0 PDE 0; 10 PDE 0; 30 PDX 0", "0 PDE 0; 10 PDE 1; 30 PDX 0"},
        StateCase{"rank-asleep", "0 PDE 0; 10 SREFX 0; 30 PDX 0", "0 PDE 0; 30 PDX 0"},
        StateCase{"rank-asleep", "0 ACT 0 0 0 1; 20 PDE 0; 40 RD 0 0 0 1 0; 70 PDX 0",
                  "0 ACT 0 0 0 1; 20 PDE 0; 30 PDX 0; 40 RD 0 0 0 1 0"},
        StateCase{"rank-asleep", "0 SREFE 0; 10 REFab 0; 30 SREFX 0", "0 SREFE 0; 30 SREFX 0"},
        StateCase{"rank-asleep", "0 SREFE 0; 10 PDX 0; 30 SREFX 0", "0 SREFE 0; 30 SREFX 0"},
        StateCase{"rank-awake", "0 PDX 0", "0 PDE 0; 10 PDX 0"},
        StateCase{"rank-awake", "0 SREFX 0", "0 SREFE 0; 10 SREFX 0"},
        StateCase{"rank-awake", "0 PDE 0; 10 PDX 1", "0 PDE 1; 10 PDX 1"},
        StateCase{"command-bus", "0 ACT 0 0 0 1; 0 ACT 1 0 0 1", "0 ACT 0 0 0 1; 1 ACT 1 0 0 1"},
        StateCase{"command-bus", "0 REFab 0; 0 REFab 1", "0 REFab 0; 1 REFab 1"},
        StateCase{"tREFI", "0 REFab 0; 9000 REFab 1; 18001 REFab 0",
                  "0 REFab 0; 9000 REFab 1; 18000 REFab 0"},
        StateCase{"tREFI", "0 REFab 0; 1 REFab 1; 18000 REFab 0; 18002 REFab 1",
                  "0 REFab 0; 1 REFab 1; 18000 REFab 0; 18001 REFab 1"},
        StateCase{"tREFI",
                  "0 SREFE 0; 17000 REFab 1; 30000 REFab 1; 45000 REFab 1; 50000 SREFX 0; "
                  "60000 REFab 1; 68001 REFab 0",
                  "0 SREFE 0; 17000 REFab 1; 30000 REFab 1; 45000 REFab 1; 50000 SREFX 0; "
                  "60000 REFab 1; 68000 REFab 0"}));

// Rank 1 is refreshed; rank 0, which nobody uses, is not: found when the log ends.
TEST(StateRules, a_rank_that_is_never_refreshed_is_late_once) {
  EXPECT_THAT(
      rules_broken(roomy_memory(), log_of("0 REFab 1; 9000 REFab 1; 18000 REFab 1; 27000 REFab 1")),
      ElementsAre("tREFI"));
}

TEST(StateRules, a_log_may_begin_in_the_midst_of_a_run) {
  EXPECT_THAT(rules_broken(roomy_memory(), log_of("1000000 REFab 0; 1000001 REFab 1")), IsEmpty());
}

TEST(StateRules, a_memory_without_refresh_owes_none) {
  auto timings = roomy_timings();
  timings["nREFI"] = 0;
  EXPECT_THAT(rules_broken(roomy_memory(timings), log_of("0 PRE 0 0 0; 900000 PRE 0 0 0")),
              IsEmpty());
}

// A table whose tCCD is shorter than a burst does not see that the data meet on the bus.
TEST(StateRules, data_of_two_bursts_may_not_overlap) {
  auto timings = roomy_timings();
  timings["nCCD_S"] = 3;
  const auto memory = roomy_memory(timings);
  const std::string opened = "0 ACT 0 0 0 1; 20 ACT 0 1 0 1; 60 RD 0 0 0 1 0; ";
  EXPECT_THAT(rules_broken(memory, log_of(opened + "63 RD 0 1 0 1 0")), ElementsAre("data-bus"));
  EXPECT_THAT(rules_broken(memory, log_of(opened + "64 RD 0 1 0 1 0")), IsEmpty());
  const auto found = violations_in(memory, log_of(opened + "63 RD 0 1 0 1 0"));
  EXPECT_EQ(found[0].required, kBl);
  EXPECT_EQ(found[0].found, 3);
}

TEST(StateRules, the_table_speaks_first_where_it_forbids_what_the_bus_forbids) {
  EXPECT_THAT(rules_broken(roomy_memory(), log_of("0 ACT 0 0 0 1; 20 ACT 0 1 0 1; 60 RD 0 0 0 1 0; "
                                                  "61 RD 0 1 0 1 0")),
              ElementsAre("tCCD_S"));
}

TEST(StateRules, a_precharge_of_a_closed_bank_is_legal_and_counted) {
  std::size_t violations = 0;
  const auto memory = roomy_memory();
  ChannelProtocol protocol(memory, 0, [&](const Violation&) { ++violations; });
  // The second PRE comes while the first still closes the bank, long before tRAS would allow one.
  for (const auto& command : log_of("0 PRE 0 0 0; 1 PREA 1; 20 ACT 0 0 0 1; 60 PRE 0 0 0; "
                                    "62 PRE 0 0 0; 90 ACT 0 0 0 1; 91 PRE 0 1 0")) {
    protocol.command(command);
  }
  EXPECT_EQ(violations, 0u);
  EXPECT_EQ(protocol.idle_precharges(), 4u);
}

// Such a log was cut out of the midst of a run.
TEST(StateRules, a_row_that_is_read_counts_as_open_from_then_on) {
  EXPECT_THAT(rules_broken(roomy_memory(), log_of("0 RD 0 0 0 7 0; 20 RD 0 0 0 7 1; "
                                                  "40 PRE 0 0 0; 60 ACT 0 0 0 8")),
              ElementsAre("column-closed-bank"));
  EXPECT_THAT(
      rules_broken(roomy_memory(), log_of("0 ACT 0 0 0 6; 20 RD 0 0 0 7 1; 40 RD 0 0 0 7 2")),
      ElementsAre("column-other-row"));
}

TEST(StateRules, names_are_all_different) {
  std::set<std::string> names;
  const auto rules = rules_of(roomy_memory());
  for (const auto& rule : rules) {
    EXPECT_FALSE(rule.clause.empty()) << rule.name;
    names.insert(rule.name);
  }
  EXPECT_EQ(names.size(), rules.size());
}

}  // namespace
}  // namespace diffram::check
