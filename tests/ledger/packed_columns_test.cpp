#include "ledger/packed_columns.h"

#include <gtest/gtest.h>

#include <limits>

namespace diffram::ledger {
namespace {

TEST(PackedColumns, hold_the_extremes_of_64_bits) {
  constexpr auto kLow = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHigh = std::numeric_limits<std::int64_t>::max();
  const std::vector<Column> columns = {{kLow, kHigh, 0, -1, kHigh, kLow}, {1, 2, 3, 4, 5, 6}};
  std::vector<Column> read(2);
  ASSERT_TRUE(unpack(pack(columns), read));
  EXPECT_EQ(read, columns);
}

TEST(PackedColumns, a_zero_costs_far_less_than_a_byte) {
  EXPECT_LT(pack({Column(100'000, 0)}).size(), 100u);
}

TEST(PackedColumns, refuse_another_number_of_columns) {
  std::vector<Column> read(3);
  EXPECT_FALSE(unpack(pack({{1}, {2}}), read));
}

TEST(PackedColumns, refuse_every_prefix_and_every_changed_byte) {
  const std::string blob = pack({{1, 1000, 1'000'000}, {-5, 0, 5}});
  std::vector<Column> read(2);
  for (std::size_t end = 0; end < blob.size(); ++end)
    EXPECT_FALSE(unpack(blob.substr(0, end), read));
  const std::vector<Column> right = {{1, 1000, 1'000'000}, {-5, 0, 5}};
  for (std::size_t at = 0; at < blob.size(); ++at) {
    std::string changed = blob;
    changed[at] ^= 0x10;
    read.assign(2, {});
    if (unpack(changed, read)) {  // a bit of the zstd header that means nothing here
      EXPECT_EQ(read, right) << at;
    }
  }
}

}  // namespace
}  // namespace diffram::ledger
