// Which row command a streak wants next: the first that is legal, of one cycle that of the oldest
// burst, one a cycle; and which bursts may come.

#include "ctrl/streak_rows.h"

#include <gtest/gtest.h>

namespace diffram::ctrl {
namespace {

constexpr std::uint32_t kOld = 1, kNew = 2, kOther = 3;  // rows

using Wait = StreakRows::Wait;

/// Four banks, all open to kOld but the last one, at cycle 100.
StreakRows rows_of_four() {
  StreakRows rows(4);
  rows.begin({kOld, kOld, kOld, kNone}, 100);
  return rows;
}

/// A burst is queued; does its bank want a row command from now on?
bool enter(StreakRows& rows, std::uint32_t bank, std::uint32_t row, StreakRows::Position position,
           std::int64_t visible) {
  if (rows.enter(bank, row, position.own)) return false;
  const Wait wait = rows.wait(bank, row, position, visible);
  EXPECT_NE(wait, Wait::impossible);
  return wait == Wait::for_row;
}

bool may_enter(StreakRows rows, std::uint32_t bank, std::uint32_t row) {
  return rows.enter(bank, row, 9) || rows.wait(bank, row, {9, 0}, 100) != Wait::impossible;
}

TEST(StreakRows, a_bank_changes_to_one_row_at_a_time) {
  StreakRows rows = rows_of_four();
  EXPECT_TRUE(may_enter(rows, 0, kOld));
  EXPECT_FALSE(enter(rows, 0, kOld, {0, 0}, 100));
  EXPECT_FALSE(enter(rows, 0, kNew, {1, 0}, 100));
  EXPECT_TRUE(may_enter(rows, 0, kNew));
  EXPECT_FALSE(may_enter(rows, 0, kOther));
  EXPECT_FALSE(may_enter(rows, 0, kOld));  // a hit that would pass
  EXPECT_TRUE(may_enter(rows, 1, kOther));
  EXPECT_TRUE(enter(rows, 3, kOld, {2, 0}, 100));
  EXPECT_FALSE(may_enter(rows, 3, kNew));
}

TEST(StreakRows, a_row_is_wanted_when_the_last_hit_has_left) {
  StreakRows rows = rows_of_four();
  EXPECT_FALSE(enter(rows, 0, kOld, {0, 0}, 110));
  EXPECT_FALSE(enter(rows, 0, kOld, {1, 0}, 111));
  EXPECT_EQ(rows.next_turn(), kNone);
  EXPECT_FALSE(enter(rows, 0, kNew, {2, 0}, 112));
  EXPECT_FALSE(enter(rows, 0, kNew, {3, 0}, 113));
  EXPECT_TRUE(rows.is_waiting(0));
  EXPECT_EQ(rows.next_turn(), 1u);
  EXPECT_FALSE(rows.ends_hits(0, 0));
  EXPECT_TRUE(rows.ends_hits(0, 1));
  EXPECT_FALSE(rows.awaits_row(0, 1));
  EXPECT_EQ(rows.next_cycle(), kNever);
  rows.want(0, 90);
  EXPECT_EQ(rows.next_cycle(), 112);  // its burst is not visible before
  EXPECT_EQ(rows.oldest(0), 2u);
  EXPECT_EQ(rows.next_turn(), 2u);
  EXPECT_TRUE(rows.awaits_row(0, 2));
  EXPECT_FALSE(rows.awaits_row(0, 3));
}

TEST(StreakRows, the_first_turn_of_all_banks_comes_first) {
  StreakRows rows = rows_of_four();
  EXPECT_FALSE(enter(rows, 2, kOld, {1, 0}, 100));
  EXPECT_FALSE(enter(rows, 1, kOld, {4, 0}, 100));
  EXPECT_FALSE(enter(rows, 0, kOld, {6, 0}, 100));
  EXPECT_FALSE(enter(rows, 0, kNew, {8, 2}, 100));
  EXPECT_FALSE(enter(rows, 1, kNew, {9, 2}, 100));
  EXPECT_TRUE(enter(rows, 2, kNew, {10, 2}, 100));  // its hit has left
  EXPECT_TRUE(enter(rows, 3, kNew, {11, 2}, 100));
  rows.want(3, 100);
  EXPECT_EQ(rows.next_turn(), 4u);
  rows.want(1, 100);
  EXPECT_EQ(rows.next_turn(), 6u);
  rows.want(0, 100);
  EXPECT_EQ(rows.next_turn(), 8u);
  rows.issued(true, [](std::uint32_t) { return 100; });  // the row of the oldest, bank 0
  EXPECT_FALSE(rows.is_waiting(0));
  EXPECT_EQ(rows.next_turn(), 9u);
  // What has waited is a hit now: the row may change after it only.
  EXPECT_FALSE(enter(rows, 0, kOther, {12, 8}, 100));
  EXPECT_EQ(rows.next_turn(), 8u);
}

TEST(StreakRows, the_oldest_of_a_cycle_goes_first_and_the_next_one_a_cycle_later) {
  StreakRows rows = rows_of_four();
  ASSERT_TRUE(enter(rows, 1, kNew, {7, 0}, 100));
  rows.want(1, 120);
  ASSERT_TRUE(enter(rows, 0, kNew, {8, 0}, 100));
  rows.want(0, 120);
  ASSERT_TRUE(enter(rows, 3, kNew, {6, 0}, 100));
  rows.want(3, 121);
  EXPECT_EQ(rows.next_cycle(), 120);
  EXPECT_EQ(rows.next_bank(), 1u);
  EXPECT_FALSE(rows.changed());
  const auto legal = [](std::uint32_t bank) { return bank == 1 ? 130 : 120; };
  rows.issued(false, legal);  // PRE: its ACT comes later
  EXPECT_TRUE(rows.changed());
  EXPECT_EQ(rows.next_cycle(), 121);
  EXPECT_EQ(rows.next_bank(), 3u);
  rows.issued(true, legal);  // ACT
  EXPECT_FALSE(rows.is_waiting(3));
  EXPECT_EQ(rows.next_cycle(), 122);
  EXPECT_EQ(rows.next_bank(), 0u);
  rows.issued(true, legal);
  EXPECT_EQ(rows.next_cycle(), 130);
  EXPECT_EQ(rows.next_bank(), 1u);
  rows.issued(true, legal);
  EXPECT_EQ(rows.next_cycle(), kNever);
  EXPECT_TRUE(may_enter(rows, 1, kNew));
  EXPECT_TRUE(may_enter(rows, 1, kOther));  // it may change again
}

}  // namespace
}  // namespace diffram::ctrl
