// Traffic of single ops against the formulas of lowering.md 2, written out here by hand.

#include <gtest/gtest.h>

#include "small_program.h"

namespace diffram::lower {
namespace {

using testing::attribute;
using testing::lower_program;
using testing::SmallProgram;

constexpr std::int64_t kHalf = 2;  // bytes of fp16

void expect_within_one_percent(std::int64_t got, std::int64_t expected) {
  EXPECT_NEAR(static_cast<double>(got), static_cast<double>(expected),
              0.01 * static_cast<double>(expected));
}

SmallProgram materialised_attention(std::int64_t heads, std::int64_t queries, std::int64_t keys,
                                    std::int64_t size) {
  SmallProgram program;
  const auto q = program.tensor({heads, queries, size});
  const auto k = program.tensor({heads, keys, size});
  const auto v = program.tensor({heads, keys, size});
  trace::TensorUse transposed = k;
  transposed.sizes = {heads, size, keys};
  transposed.strides = {keys * size, 1, size};
  const auto n = [](std::int64_t i) { return static_cast<double>(i); };
  const auto scores = program.result({heads, queries, keys});
  program.op("baddbmm", "mm", {q, transposed}, {scores}).attributes = {
      attribute("gemm", {n(heads), n(queries), n(keys), n(size)}), attribute("beta", {0})};
  const auto probabilities = program.result({heads, queries, keys});
  program.op("_softmax", "softmax", {scores}, {probabilities}).attributes = {attribute("dim", {2})};
  const auto out = program.result({heads, queries, size});
  program.op("bmm", "mm", {probabilities, v}, {out}).attributes = {
      attribute("gemm", {n(heads), n(queries), n(size), n(keys)})};
  return program;
}

struct AttentionSize {
  std::int64_t heads, queries, keys, size;
};

TEST(MaterialisedAttention, moves_four_score_matrices_and_two_of_each_operand) {
  for (const AttentionSize s : {AttentionSize{16, 4096, 4096, 40}, AttentionSize{16, 4096, 77, 40},
                                AttentionSize{16, 1024, 1024, 80}, AttentionSize{16, 64, 64, 160},
                                AttentionSize{8, 2304, 2304, 64}}) {
    const auto lowered = lower_program(materialised_attention(s.heads, s.queries, s.keys, s.size));
    expect_within_one_percent(
        lowered.total.dram,
        s.heads * kHalf * (4 * s.queries * s.keys + 2 * s.queries * s.size + 2 * s.keys * s.size));
  }
}

TEST(MaterialisedAttention, is_found_by_the_flow_of_its_storages) {
  const auto lowered = lower_program(materialised_attention(2, 256, 256, 64));
  std::vector<std::string> roles;
  for (const LoweredOp& op : lowered.table.ops) EXPECT_EQ(op.family, "attention");
  for (const Origin& origin : lowered.table.origins) roles.push_back(origin.role);
  EXPECT_EQ(roles, (std::vector<std::string>{"A", "B", "scores", "scores", "probabilities",
                                             "probabilities", "B", "C"}));
}

TEST(FlashAttention, moves_queries_keys_values_and_result_once) {
  SmallProgram program;
  const std::int64_t batch = 2, heads = 8, queries = 4096, keys = 4096, size = 40;
  const auto q = program.tensor({batch, heads, queries, size});
  const auto k = program.tensor({batch, heads, keys, size});
  const auto v = program.tensor({batch, heads, keys, size});
  const auto out = program.result({batch, heads, queries, size});
  program.op("_scaled_dot_product_flash_attention", "attn", {q, k, v}, {out}).attributes = {
      attribute("attn", {2, 8, 4096, 4096, 40})};
  program.name_reads({"query", "key", "value"});
  expect_within_one_percent(lower_program(program).total.dram,
                            batch * heads * kHalf * (2 * queries * size + 2 * keys * size));
}

TEST(FlashAttention, reads_keys_again_for_every_tile_of_queries_when_they_do_not_stay) {
  SmallProgram program;
  const std::int64_t tokens = 4096, size = 512;  // 8 MiB of keys and values, 4 MiB may stay
  const auto q = program.tensor({1, 1, tokens, size});
  const auto k = program.tensor({1, 1, tokens, size});
  const auto v = program.tensor({1, 1, tokens, size});
  const auto out = program.result({1, 1, tokens, size});
  program.op("_scaled_dot_product_flash_attention", "attn", {q, k, v}, {out}).attributes = {
      attribute("attn", {1, 1, 4096, 4096, 512})};
  program.name_reads({"query", "key", "value"});
  // 4 MiB ÷ (512 · 2 of Q + 512 · 2 of the result + 512 · 4 of its accumulator) = 1024 rows.
  const std::int64_t tiles = 4;
  expect_within_one_percent(lower_program(program).total.dram,
                            kHalf * size * (2 * tokens + tiles * 2 * tokens));
}

TEST(FusedAdamW, moves_28_bytes_a_parameter) {
  SmallProgram program;
  const std::int64_t parameters = 3'000'000;
  std::vector<trace::TensorUse> uses;
  for (int list = 0; list < 4; ++list)
    for (const std::int64_t count : {parameters - 1000, std::int64_t{1000}})
      uses.push_back(program.tensor({count}, trace::DType::f32));
  for (int i = 0; i < 2; ++i) uses.push_back(program.tensor({}, trace::DType::f32));
  program.op("_fused_adamw_", "opt", uses, {uses[0], uses[1], uses[4], uses[5], uses[6], uses[7]});
  expect_within_one_percent(lower_program(program).total.dram, 28 * parameters);
}

TEST(GroupNorm, walks_its_input_twice_and_reads_it_once_when_a_slab_stays) {
  SmallProgram program;
  const auto x = program.tensor({2, 320, 64, 64});
  const auto y = program.result({2, 320, 64, 64});
  program.op("native_group_norm", "norm", {x}, {y}).attributes = {attribute("groups", {32})};
  const auto lowered = lower_program(program);
  EXPECT_EQ(lowered.by_origin[0].walk, 2 * x.tensor_bytes());
  EXPECT_EQ(lowered.by_origin[0].dram, x.tensor_bytes());
  EXPECT_EQ(lowered.by_origin[1].dram, y.tensor_bytes());
}

TEST(GroupNorm, reads_its_input_twice_when_a_slab_is_larger_than_what_stays) {
  SmallProgram program;
  const auto x = program.tensor({1, 256, 512, 512});  // 8 channels · 512 KiB a slab = 4 MiB
  const auto y = program.result({1, 256, 512, 512});
  auto machine = testing::edge_machine();
  machine.on_chip_bytes = 4u << 20;
  program.op("native_group_norm", "norm", {x}, {y}).attributes = {attribute("groups", {32})};
  const auto lowered = lower_program(program, machine);
  EXPECT_EQ(lowered.by_origin[0].dram, 2 * x.tensor_bytes());
  EXPECT_EQ(lowered.by_origin[0].dram_read_again, x.tensor_bytes());
}

TEST(Softmax, reads_once_when_a_row_fits_and_twice_when_it_does_not) {
  for (const auto& [row, reads] : {std::pair{4096, 1}, std::pair{8 << 20, 2}}) {
    SmallProgram program;
    const auto x = program.tensor({4, row});
    const auto y = program.result({4, row});
    program.op("_softmax", "softmax", {x}, {y}).attributes = {attribute("dim", {1})};
    EXPECT_EQ(lower_program(program).by_origin[0].dram, reads * x.tensor_bytes());
  }
}

TEST(Embedding, reads_the_rows_that_the_index_names_and_not_the_table) {
  SmallProgram program;
  const auto table = program.tensor({49408, 768});
  const auto index = program.tensor({1, 77}, trace::DType::i64);
  const auto out = program.result({1, 77, 768});
  program.op("embedding", "gather", {table, index}, {out}).attributes = {attribute("dim", {0}),
                                                                         attribute("rows", {77})};
  const auto lowered = lower_program(program);
  EXPECT_LE(lowered.by_origin[0].dram, 77 * 768 * kHalf);
  EXPECT_GT(lowered.by_origin[0].dram, 70 * 768 * kHalf);
}

TEST(Broadcast, a_small_operand_is_read_once_and_a_permuted_copy_moves_whole_rows) {
  SmallProgram program;
  const auto x = program.tensor({2, 320, 64, 64});
  const auto bias = program.tensor({2, 320, 1, 1});
  const auto y = program.result({2, 320, 64, 64});
  program.op("add", "elt", {x, bias}, {y});
  const auto lowered = lower_program(program);
  EXPECT_EQ(lowered.by_origin[1].dram, bias.tensor_bytes());

  SmallProgram copy;
  auto heads = copy.tensor({2, 4096, 8, 40});
  heads.sizes = {2, 8, 4096, 40};
  heads.strides = {1310720, 40, 320, 1};
  const auto out = copy.result({2, 8, 4096, 40});
  copy.op("clone", "copy", {heads}, {out});
  EXPECT_EQ(lower_program(copy).total.dram, 2 * out.tensor_bytes());
}

TEST(Fallback, reads_inputs_once_writes_outputs_once_and_says_so) {
  SmallProgram program;
  const auto x = program.tensor({1024, 1024});
  const auto y = program.result({512, 512});
  program.op("mystery", "other", {x}, {y});
  auto lowering = lower(program.trace, testing::edge_machine(), testing::plain_memory(), {});
  ASSERT_TRUE(lowering);
  EXPECT_TRUE((*lowering)->origins().ops[0].fallback);
  ASSERT_EQ((*lowering)->diagnostics().size(), 1u);
  EXPECT_EQ((*lowering)->diagnostics()[0].code, "fallback_ops");
  EXPECT_NE((*lowering)->diagnostics()[0].evidence.find("aten.mystery.default"), std::string::npos);
  EXPECT_EQ(testing::lower_step(**lowering).total.dram, x.tensor_bytes() + y.tensor_bytes());
}

TEST(NoTraffic, an_op_without_bytes_is_one_empty_tile) {
  SmallProgram program;
  const auto x = program.tensor({0, 16});
  const auto y = program.result({0, 16});
  program.op("relu", "elt", {x}, {y});
  const auto lowered = lower_program(program);
  ASSERT_EQ(lowered.tiles.size(), 1u);
  EXPECT_TRUE(lowered.tiles[0].first_of_op);
  EXPECT_TRUE(lowered.tiles[0].loads.empty());
}

}  // namespace
}  // namespace diffram::lower
