#include "lower/traffic/read_history.h"

#include <gtest/gtest.h>

namespace diffram::lower {
namespace {

constexpr std::int64_t kLine = 64, kBytes = 1000 * kLine;

TEST(ReadHistory, the_first_read_of_a_line_is_no_repetition_and_the_second_is) {
  ReadHistory history(1, kLine);
  EXPECT_EQ(history.read(0, kBytes, 10, 500), 0);
  EXPECT_EQ(history.read(0, kBytes, 0, 1000), 490);
  EXPECT_EQ(history.read(0, kBytes, 0, 1000), 1000);
}

TEST(ReadHistory, a_write_makes_lines_new) {
  ReadHistory history(1, kLine);
  history.read(0, kBytes, 0, 1000);
  history.write(0, 63, 129);
  EXPECT_EQ(history.read(0, kBytes, 0, 1000), 1000 - 66);
}

TEST(ReadHistory, a_storage_that_is_allocated_again_is_new) {
  ReadHistory history(2, kLine);
  history.read(0, kBytes, 0, 1000);
  history.read(1, kBytes, 0, 1000);
  history.forget(0);
  EXPECT_EQ(history.read(0, kBytes, 0, 1000), 0);
  EXPECT_EQ(history.read(1, kBytes, 0, 1000), 1000);
}

TEST(ReadHistory, a_carried_storage_takes_its_history_along) {
  ReadHistory history(2, kLine);
  history.read(0, kBytes, 0, 100);
  const trace::Carry carries[] = {{.after = 0, .before = 1}};
  history.carry(carries);
  EXPECT_EQ(history.read(1, kBytes, 0, 100), 100);
  EXPECT_EQ(history.read(0, kBytes, 0, 100), 0);
}

}  // namespace
}  // namespace diffram::lower
