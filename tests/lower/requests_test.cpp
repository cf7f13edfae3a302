// From ranges to requests: filter, masks, pages, repeated loads, capacity.

#include <gtest/gtest.h>

#include "small_program.h"

namespace diffram::lower {
namespace {

using testing::attribute;
using testing::edge_machine;
using testing::lower_program;
using testing::plain_memory;
using testing::SmallProgram;

SmallProgram ragged_product() {
  SmallProgram program;
  const auto a = program.tensor({4096, 77});
  const auto b = program.tensor({77, 4093});
  const auto c = program.result({4096, 4093});
  program.op("mm", "mm", {a, b}, {c}).attributes = {attribute("gemm", {1, 4096, 4093, 77})};
  return program;
}

void expect_flow_closes(const testing::Lowered& lowered) {
  for (std::size_t i = 0; i < lowered.by_origin.size(); ++i) {
    const Flow& flow = lowered.by_origin[i];
    EXPECT_EQ(flow.walk + flow.fetch_on_write - flow.filter, flow.dram);
    EXPECT_EQ(flow.dram, lowered.request_bytes[i]);
  }
}

TEST(Filter, what_a_kernel_keeps_is_walked_and_not_requested) {
  const auto lowered = lower_program(ragged_product());
  EXPECT_GT(lowered.total.filter, 0);
  expect_flow_closes(lowered);
}

TEST(Filter, a_machine_without_on_chip_memory_requests_all_that_is_walked) {
  auto machine = edge_machine();
  machine.on_chip = spec::OnChip::none;
  const auto lowered = lower_program(ragged_product(), machine);
  EXPECT_EQ(lowered.total.filter, 0);
  EXPECT_EQ(lowered.total.walk, lowered.total.dram);
  expect_flow_closes(lowered);
}

TEST(Masks, devices_with_a_data_mask_fetch_nothing_on_a_partial_write) {
  EXPECT_EQ(lower_program(ragged_product()).total.fetch_on_write, 0);
}

TEST(Masks, x4_devices_of_ddr4_read_a_partly_written_line_first) {
  auto memory = plain_memory();
  memory.organisation.device_width = 4;
  SmallProgram program;
  const auto x = program.tensor({3'000'001});
  const auto y = program.result({3'000'001});
  program.op("relu", "elt", {x}, {y});
  const auto lowered = lower_program(program, edge_machine(), memory);
  EXPECT_EQ(lowered.total.fetch_on_write, 64);  // the last line alone is written in part
  expect_flow_closes(lowered);
}

TEST(Pages, a_permuted_page_map_splits_requests_and_loses_no_byte) {
  LoweringOptions options;
  options.page_map = "random-4k";
  const auto identity = lower_program(ragged_product());
  const auto permuted = lower_program(ragged_product(), edge_machine(), plain_memory(), options);
  EXPECT_EQ(permuted.total.dram, identity.total.dram);
  expect_flow_closes(permuted);
}

TEST(Requests, lines_are_whole_and_neighbouring_tiles_do_not_move_a_line_twice) {
  SmallProgram program;
  const auto x = program.tensor({3'000'001});
  const auto y = program.result({3'000'001});
  program.op("relu", "elt", {x}, {y});
  const auto lowered = lower_program(program);
  EXPECT_GT(lowered.tiles.size(), 2u);
  EXPECT_EQ(lowered.by_origin[0].dram, (3'000'001 * 2 + 63) / 64 * 64);
  for (const TileStep& tile : lowered.tiles)
    for (const base::Request& request : tile.loads) EXPECT_EQ(request.address % 64, 0u);
}

TEST(RepeatedLoad, a_second_consumer_reads_again_unless_the_tensor_was_written_between) {
  SmallProgram program;
  const auto x = program.tensor({1 << 20});
  const auto y = program.result({1 << 20});
  program.op("relu", "elt", {x}, {y});
  program.op("relu", "elt", {x}, {y});
  program.op("relu_", "elt", {x}, {x});
  program.op("relu", "elt", {x}, {y});
  const auto lowered = lower_program(program);
  EXPECT_EQ(lowered.by_origin[0].dram_read_again, 0);
  EXPECT_EQ(lowered.by_origin[2].dram_read_again, x.tensor_bytes());
  EXPECT_EQ(lowered.by_origin[4].dram_read_again, x.tensor_bytes());
  EXPECT_EQ(lowered.by_origin[6].dram_read_again, 0);
}

TEST(Capacity, a_program_that_does_not_fit_is_described_and_can_be_wrapped) {
  SmallProgram program;
  const auto x = program.tensor({std::int64_t{5} << 30});  // 10 GiB of fp16 in 8 GiB
  program.op("relu_", "elt", {x}, {x});
  auto lowering = lower(program.trace, edge_machine(), plain_memory(), {});
  ASSERT_TRUE(lowering);
  EXPECT_FALSE((*lowering)->capacity().fits);
  EXPECT_GT((*lowering)->capacity().missing_bytes, 0);

  LoweringOptions options;
  options.allow_overcommit = true;
  auto wrapped = lower(program.trace, edge_machine(), plain_memory(), options);
  ASSERT_TRUE(wrapped);
  const auto lowered = testing::lower_step(**wrapped);
  EXPECT_EQ(lowered.total.dram, 2 * x.tensor_bytes());
  const std::uint64_t capacity = plain_memory().organisation.capacity_bytes();
  for (const TileStep& tile : lowered.tiles)
    for (const base::Request& request : tile.loads)
      ASSERT_LE(request.address + request.bytes, capacity);
}

TEST(Tiles, are_small_enough_for_double_buffers) {
  const auto lowered = lower_program(ragged_product());
  for (const TileStep& tile : lowered.tiles) {
    std::uint64_t bytes = 0;
    for (const base::Request& request : tile.loads) bytes += request.bytes;
    EXPECT_LE(bytes, std::uint64_t{3} << 20);
  }
}

TEST(Cache, is_refused_with_the_field_that_asks_for_it) {
  auto machine = edge_machine();
  machine.on_chip = spec::OnChip::cache;
  const auto lowering = lower(ragged_product().trace, machine, plain_memory(), {});
  ASSERT_FALSE(lowering);
  EXPECT_EQ(lowering.error()[0].field, "machine.on_chip");
}

}  // namespace
}  // namespace diffram::lower
