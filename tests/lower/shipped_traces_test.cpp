// lowering.md 7: what must hold for every op of every shipped trace.

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "lower/op_survey.h"
#include "small_program.h"

namespace diffram::lower {
namespace {

struct Shipped {
  const char* file;
  std::int64_t batch;  ///< 0 = as stored
};

void PrintTo(const Shipped& shipped, std::ostream* out) {
  *out << shipped.file << " batch " << shipped.batch;
}

trace::TensorTrace read(const Shipped& shipped) {
  auto trace = trace::read_tensor_trace(
      std::string(DIFFRAM_SOURCE_DIR) + "/specs/workloads/" + shipped.file, shipped.batch);
  if (!trace) throw std::runtime_error(trace.error().front().text());
  return std::move(*trace);
}

std::unique_ptr<Lowering> lowered(const trace::TensorTrace& trace) {
  LoweringOptions options;
  options.allow_overcommit = true;  // laws of traffic, not of capacity
  auto result = lower(trace, testing::edge_machine(), testing::plain_memory(), options);
  if (!result) throw std::runtime_error(result.error().front().text());
  return std::move(*result);
}

class ShippedTrace : public ::testing::TestWithParam<Shipped> {};

TEST_P(ShippedTrace, keeps_the_laws_of_every_op) {
  const auto trace = read(GetParam());
  const auto lowering = lowered(trace);
  const OriginTable& table = lowering->origins();
  std::vector<Flow> by_op(table.ops.size());
  for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
    const auto result = testing::lower_step(*lowering, step, false);
    EXPECT_LE(result.largest_tile, 4 << 20);  // half of the scratchpad: two are in flight
    for (std::size_t o = 0; o < table.origins.size(); ++o) {
      const Flow& flow = result.by_origin[o];
      ASSERT_EQ(flow.walk + flow.fetch_on_write - flow.filter, flow.dram);
      ASSERT_EQ(flow.dram, result.request_bytes[o]);
      ASSERT_GE(flow.dram, flow.dram_read_again);
      by_op[table.origins[o].op] += flow;
    }
  }
  for (std::size_t i = 0; i < table.ops.size(); ++i) {
    const LoweredOp& op = table.ops[i];
    const auto where = [&] {
      return trace.functions[trace.steps[op.step].ops[op.op].function].name + " step " +
             std::to_string(op.step) + " op " + std::to_string(op.op);
    };
    ASSERT_LE(op.compulsory_bytes, by_op[i].walk) << where();
    ASSERT_LE(by_op[i].walk, op.bound_bytes) << where();
    // Nothing stays between ops, so every op is alone on an empty filter.
    ASSERT_LE(op.compulsory_bytes, by_op[i].dram) << where();
    ASSERT_LE(by_op[i].dram, by_op[i].walk + by_op[i].fetch_on_write) << where();
  }
  for (const base::Diagnostic& diagnostic : lowering->diagnostics())
    EXPECT_NE(diagnostic.severity, base::Severity::error) << diagnostic.evidence;
}

TEST_P(ShippedTrace, accounts_for_every_op_once_and_in_order) {
  const auto trace = read(GetParam());
  const auto lowering = lowered(trace);
  std::uint32_t expected = 0;
  for (std::uint32_t step = 0; step < trace.steps.size(); ++step) {
    TileSource& source = lowering->begin_step(step);
    TileStep tile;
    while (source.next(tile)) {
      if (tile.first_of_op) ++expected;
      ASSERT_EQ(tile.op + 1, expected);
      ASSERT_EQ(lowering->origins().ops[tile.op].step, step);
    }
  }
  EXPECT_EQ(expected, lowering->origins().ops.size());
}

TEST_P(ShippedTrace, leaves_less_than_half_a_percent_of_the_bytes_to_the_fallback) {
  const auto trace = read(GetParam());
  const auto lowering = lowered(trace);
  std::int64_t all = 0, fallback = 0;
  for (const LoweredOp& op : lowering->origins().ops) {
    const std::int64_t bytes = op.compulsory_bytes * trace.steps[op.step].times;
    all += bytes;
    if (op.fallback) fallback += bytes;
  }
  RecordProperty("fallback_bytes", std::to_string(fallback));
  EXPECT_LT(static_cast<double>(fallback), 0.005 * static_cast<double>(all));
}

TEST_P(ShippedTrace, gives_every_mac_of_the_trace_to_a_tile) {
  const auto trace = read(GetParam());
  const TileBudget budget{8 << 20, 128, 128};
  for (const trace::Step& step : trace.steps)
    for (const trace::Op& op : step.ops) {
      if (op.macs == 0) continue;
      const trace::Function& function = trace.functions[op.function];
      const auto walk = make_walk({op, function, aten_name(function.name), budget, 1});
      std::int64_t macs = 0;
      TileWork tile;
      while (walk->next(tile)) {
        macs += tile.macs;
        tile.clear();
      }
      ASSERT_EQ(macs, op.macs) << function.name;
    }
}

std::uint64_t hash_of_requests(Lowering& lowering, std::uint32_t step) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 1099511628211ULL; };
  TileSource& source = lowering.begin_step(step);
  TileStep tile;
  while (source.next(tile)) {
    for (const auto* requests : {&tile.loads, &tile.stores})
      for (const base::Request& request : *requests) {
        mix(request.address);
        mix(request.bytes);
        mix(request.origin.value);
      }
    mix(static_cast<std::uint64_t>(tile.compute_cycles));
  }
  return hash;
}

TEST_P(ShippedTrace, gives_the_same_requests_for_the_same_trace_and_seed) {
  const auto trace = read(GetParam());
  const auto first = lowered(trace), second = lowered(trace);
  for (std::uint32_t step = 0; step < trace.steps.size(); ++step)
    ASSERT_EQ(hash_of_requests(*first, step), hash_of_requests(*second, step));
}

INSTANTIATE_TEST_SUITE_P(
    Workloads, ShippedTrace,
    ::testing::Values(Shipped{"sd14-sample.dft.zst", 0}, Shipped{"sd14-sample-images.dft.zst", 4},
                      Shipped{"sd14-train-b1.dft.zst", 0}, Shipped{"sd14-train-ckpt-b1.dft.zst", 0},
                      Shipped{"sd14-train.dft.zst", 2}, Shipped{"sd14-train-ckpt.dft.zst", 2}));

struct Totals {
  std::int64_t ops = 0, compulsory = 0, dram = 0;
};

/// By family, of the ops whose module path begins with `path`.
std::map<std::string, Totals> totals_of(const trace::TensorTrace& trace, std::uint32_t step,
                                        const std::string& path) {
  const auto lowering = lowered(trace);
  for (std::uint32_t before = 0; before < step; ++before) lowering->skip_step(before);
  const auto result = testing::lower_step(*lowering, step, false);
  const OriginTable& table = lowering->origins();
  std::map<std::string, Totals> totals;
  const auto counts = [&](const LoweredOp& op) {
    const std::int32_t module = trace.steps[op.step].ops[op.op].module;
    return op.step == step &&
           (path.empty() ||
            (module >= 0 &&
             trace.modules[static_cast<std::size_t>(module)].path.starts_with(path)));
  };
  for (const LoweredOp& op : table.ops)
    if (counts(op))
      for (Totals* t : {&totals[op.family], &totals["all"]}) {
        ++t->ops;
        t->compulsory += op.compulsory_bytes;
      }
  for (std::size_t o = 0; o < table.origins.size(); ++o)
    if (const LoweredOp& op = table.ops[table.origins[o].op]; counts(op))
      for (Totals* t : {&totals[op.family], &totals["all"]}) t->dram += result.by_origin[o].dram;
  return totals;
}

// Figures of PyTorch 2.13 and diffusers 0.42 (capture_facts.json, sd14_unet_fwd_eager, batch 2).
TEST(SamplingStep, the_unet_moves_what_was_measured_of_it) {
  const auto totals = totals_of(read({"sd14-sample.dft.zst", 0}), 1, "unet");
  EXPECT_EQ(totals.at("all").ops, 920);
  EXPECT_EQ(totals.at("all").compulsory, 10'663'803'544 + 8'553'377'032);
  EXPECT_NEAR(static_cast<double>(totals.at("attention").compulsory), 12.0e9, 0.05e9);
  // Whole lines, halos and operands that do not stay add 1 %.
  EXPECT_LT(static_cast<double>(totals.at("all").dram),
            1.01 * static_cast<double>(totals.at("all").compulsory));
}

// capture_facts.json, sd14_train_adamw_fused. The first convolution needs no data gradient, so its
// weight, 320 · 4 · 3 · 3 · 4 B, is in the op's arguments and not in its traffic.
TEST(TrainingStep, moves_what_was_measured_of_it) {
  const auto totals = totals_of(read({"sd14-train-b1.dft.zst", 0}), 1, "");
  EXPECT_EQ(totals.at("all").ops, 2108);
  EXPECT_EQ(totals.at("all").compulsory, 50'950'808'400 + 31'181'238'276 - 46'080);
}

TEST(TrainingStep, fused_adamw_moves_28_bytes_of_each_of_859520964_parameters) {
  const auto totals = totals_of(read({"sd14-train-b1.dft.zst", 0}), 1, "");
  EXPECT_NEAR(static_cast<double>(totals.at("optimizer").dram), 28.0 * 859'520'964, 24.07e9 * 1e-4);
}

TEST(Repetition, a_replayed_step_runs_on_what_the_one_before_left) {
  const auto trace = read({"sd14-sample.dft.zst", 0});
  const auto lowering = lowered(trace);
  std::array<Flow, 3> flows;
  lowering->skip_step(0);
  lowering->skip_step(1);
  for (Flow& flow : flows) flow = testing::lower_step(*lowering, 2, false).total;
  for (const Flow& flow : flows) EXPECT_EQ(flow.dram, flows[0].dram);
  EXPECT_EQ(flows[1].dram_read_again, flows[2].dram_read_again);
  for (const base::Diagnostic& diagnostic : lowering->diagnostics())
    EXPECT_NE(diagnostic.severity, base::Severity::error) << diagnostic.evidence;
}

}  // namespace
}  // namespace diffram::lower
