#include "lower/walk/box.h"

#include <gtest/gtest.h>

#include <vector>

namespace diffram::lower {
namespace {

using Runs = std::vector<std::pair<std::int64_t, std::int64_t>>;

Runs runs_of(const Box& box) {
  Runs runs;
  box.for_each_run([&](std::int64_t begin, std::int64_t end) { runs.emplace_back(begin, end); });
  return runs;
}

View view_of(std::vector<std::int64_t> sizes, std::vector<std::int64_t> strides,
             std::int64_t offset = 0) {
  trace::TensorUse use;
  use.dtype = trace::DType::f16;
  use.offset = offset;
  use.sizes = std::move(sizes);
  use.strides = std::move(strides);
  return View(use);
}

TEST(Box, a_contiguous_tensor_is_one_run_in_any_order_of_dimensions) {
  EXPECT_EQ(runs_of(view_of({2, 3, 4}, {12, 4, 1}, 100).box()), (Runs{{100, 148}}));
  EXPECT_EQ(runs_of(view_of({4, 2, 3}, {1, 12, 4}, 100).box()), (Runs{{100, 148}}));
}

TEST(Box, a_broadcast_dimension_is_touched_once) {
  EXPECT_EQ(runs_of(view_of({5, 4}, {0, 1}).box()), (Runs{{0, 8}}));
}

TEST(Box, columns_of_a_matrix_are_runs_at_the_row_stride) {
  View view = view_of({3, 10}, {10, 1});
  EXPECT_EQ(runs_of(view.narrow(1, {2, 4}).box()), (Runs{{4, 8}, {24, 28}, {44, 48}}));
}

TEST(Box, heads_side_by_side_join_into_rows) {
  // [heads, tokens, size] of a tensor stored [tokens, heads, size].
  View view = view_of({8, 16, 40}, {40, 320, 1});
  EXPECT_EQ(view.box().runs(), 1);
  EXPECT_EQ(view.narrow(0, {0, 1}).box().runs(), 16);
}

TEST(Box, an_empty_range_touches_nothing) {
  View view = view_of({3, 10}, {10, 1});
  EXPECT_TRUE(view.narrow(0, {1, 1}).box().empty());
  EXPECT_EQ(view.box().bytes(), 0);
}

TEST(Box, parts_cover_a_box_once_and_long_runs_are_cut_at_whole_lines) {
  const Box box(64, 100'003);
  std::int64_t at = 64;
  for (std::int64_t i = 0; i < 7; ++i)
    for (const auto& [begin, end] : runs_of(box.part(i, 7))) {
      EXPECT_EQ(begin, at);
      EXPECT_EQ((begin - 64) % 256, 0);
      at = end;
    }
  EXPECT_EQ(at, 64 + 100'003);
}

TEST(Box, overlapping_windows_are_covered_once) {
  EXPECT_EQ(runs_of(view_of({3, 4}, {2, 1}).box()), (Runs{{0, 16}}));
}

}  // namespace
}  // namespace diffram::lower
