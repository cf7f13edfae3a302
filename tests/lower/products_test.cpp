// Laws of matrix products and convolutions over many shapes: what is read, what is written, and
// the bounds of lowering.md 2.

#include <gtest/gtest.h>

#include <random>

#include "lower/kernels/kernel.h"
#include "small_program.h"

namespace diffram::lower {
namespace {

using testing::attribute;
using testing::lower_program;
using testing::SmallProgram;

/// How often each byte of each operand is loaded (not counting what stayed on chip).
std::vector<std::vector<int>> touches(const SmallProgram& program, const TileBudget& budget,
                                      std::int64_t& macs) {
  const trace::Op& op = program.trace.steps[0].ops[0];
  const trace::Function& function = program.trace.functions[0];
  const std::string name = function.name.substr(5, function.name.find('.', 5) - 5);
  const auto walk = make_walk({op, function, name, budget, 1});
  std::vector<std::vector<int>> counts;
  for (const auto* uses : {&op.reads, &op.writes})
    for (const trace::TensorUse& use : *uses)
      counts.emplace_back(static_cast<std::size_t>(program.trace.storages[use.storage].bytes), 0);
  TileWork tile;
  macs = 0;
  while (walk->next(tile)) {
    macs += tile.macs;
    for (const Piece& piece : tile.pieces)
      if (!piece.on_chip)
        piece.box.for_each_run([&](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i)
            ++counts[piece.operand][static_cast<std::size_t>(i)];
        });
    tile.clear();
  }
  return counts;
}

void expect_every_byte(const std::vector<int>& counts, const char* what, bool exactly_once) {
  for (const int count : counts) {
    ASSERT_GE(count, 1) << what;
    ASSERT_LE(count, exactly_once ? 1 : count) << what;
  }
}

TEST(Gemm, loads_every_operand_byte_and_writes_every_result_byte_once) {
  std::mt19937 random(7);
  const auto pick = [&](int most) {
    return 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  for (int i = 0; i < 60; ++i) {
    const std::int64_t batch = pick(4), m = pick(300), n = pick(300), k = pick(300);
    SmallProgram program;
    auto a = program.tensor({batch, m, k});
    auto b = program.tensor({batch, n, k});
    b.sizes = {batch, k, n};
    b.strides = {n * k, 1, k};
    const auto c = program.result({batch, m, n});
    const auto d = [](std::int64_t v) { return static_cast<double>(v); };
    program.op("bmm", "mm", {a, b}, {c}).attributes = {
        attribute("gemm", {d(batch), d(m), d(n), d(k)})};
    // A scratchpad of 16 to 512 KiB, so that every loop order is met.
    const TileBudget budget{16384 << (i % 6), 16, 16};
    std::int64_t macs = 0;
    const auto counts = touches(program, budget, macs);
    EXPECT_EQ(macs, batch * m * n * k);
    expect_every_byte(counts[0], "A", false);
    expect_every_byte(counts[1], "B", false);
    expect_every_byte(counts[2], "C", true);
  }
}

struct ConvolutionCase {
  std::int64_t images, in, out, height, width, kernel, stride, pad, groups;
};

SmallProgram convolution(const ConvolutionCase& s, bool backward) {
  SmallProgram program;
  const std::int64_t p = (s.height + 2 * s.pad - s.kernel) / s.stride + 1;
  const std::int64_t q = (s.width + 2 * s.pad - s.kernel) / s.stride + 1;
  const auto x = program.tensor({s.images, s.in, s.height, s.width});
  const auto w = program.tensor({s.out, s.in / s.groups, s.kernel, s.kernel});
  const auto bias = program.tensor({s.out});
  const auto y = program.tensor({s.images, s.out, p, q});
  const auto d = [](std::int64_t v) { return static_cast<double>(v); };
  std::vector<trace::Attribute> attributes = {
      attribute("stride", {d(s.stride), d(s.stride)}), attribute("pad", {d(s.pad), d(s.pad)}),
      attribute("dilation", {1, 1}), attribute("groups", {d(s.groups)}),
      attribute("transposed", {0})};
  if (backward) {
    attributes.push_back(attribute("mask", {1, 1, 1}));
    const auto dx = program.result(x.sizes);
    const auto dw = program.result(w.sizes);
    const auto db = program.result(bias.sizes);
    program.op("convolution_backward", "conv", {y, x, w}, {dx, dw, db}).attributes = attributes;
  } else {
    const auto out = program.result(y.sizes);
    program.op("convolution", "conv", {x, w, bias}, {out}).attributes = attributes;
  }
  return program;
}

const ConvolutionCase kConvolutions[] = {
    {2, 32, 48, 16, 16, 3, 1, 1, 1}, {1, 64, 64, 33, 17, 3, 1, 1, 1},
    {2, 16, 24, 16, 16, 3, 2, 1, 1}, {3, 40, 20, 9, 9, 1, 1, 0, 1},
    {1, 32, 32, 20, 20, 5, 1, 2, 1}, {2, 32, 32, 12, 12, 3, 1, 1, 4},
    {2, 8, 8, 14, 14, 3, 1, 1, 8},
};

TEST(Convolution, forward_and_backward_load_and_write_every_byte) {
  for (const ConvolutionCase& s : kConvolutions)
    for (int shift = 0; shift < 6; ++shift) {
      const TileBudget budget{16384 << shift, 16, 16};
      std::int64_t macs = 0;
      const auto forward = touches(convolution(s, false), budget, macs);
      expect_every_byte(forward[0], "input", false);
      expect_every_byte(forward[1], "weight", false);
      expect_every_byte(forward[2], "bias", true);
      expect_every_byte(forward[3], "output", true);
      const auto backward = touches(convolution(s, true), budget, macs);
      for (std::size_t i = 0; i < 3; ++i) expect_every_byte(backward[i], "read", false);
      for (std::size_t i = 3; i < 6; ++i) expect_every_byte(backward[i], "gradient", true);
    }
}

TEST(Convolution, rows_between_tiles_are_loaded_once_when_the_weight_stays) {
  // VAE decoder, last block: 67 MB of input, 0.3 MB of weight.
  const auto lowered = lower_program(convolution({1, 128, 128, 512, 512, 3, 1, 1, 1}, false));
  EXPECT_EQ(lowered.by_origin[0].dram, 128 * 512 * 512 * 2);
  EXPECT_GT(lowered.by_origin[0].filter, 0);
}

TEST(Products, walk_keeps_between_compulsory_and_bound) {
  for (const std::int64_t size : {77, 320, 1280, 4096}) {
    SmallProgram program;
    const auto a = program.tensor({size, size});
    const auto b = program.tensor({size, size});
    const auto c = program.result({size, size});
    const auto d = static_cast<double>(size);
    program.op("mm", "mm", {a, b}, {c}).attributes = {attribute("gemm", {1, d, d, d})};
    const auto lowered = lower_program(program);
    EXPECT_GE(lowered.total.walk, lowered.table.ops[0].compulsory_bytes);
    EXPECT_LE(lowered.total.walk, lowered.table.ops[0].bound_bytes);
    EXPECT_GE(lowered.total.dram, lowered.table.ops[0].compulsory_bytes);
  }
}

TEST(Products, compute_takes_the_macs_over_the_array_at_its_rate_and_efficiency) {
  SmallProgram program;
  const auto a = program.tensor({1024, 1024});
  const auto b = program.tensor({1024, 1024});
  const auto c = program.result({1024, 1024});
  program.op("mm", "mm", {a, b}, {c}).attributes = {attribute("gemm", {1, 1024, 1024, 1024})};
  const auto lowered = lower_program(program);
  const double exact = 1024.0 * 1024 * 1024 / (128 * 128 * 0.8);
  EXPECT_GE(lowered.table.ops[0].compute_cycles, exact);
  EXPECT_LE(lowered.table.ops[0].compute_cycles, exact + static_cast<double>(lowered.tiles.size()));
}

}  // namespace
}  // namespace diffram::lower
