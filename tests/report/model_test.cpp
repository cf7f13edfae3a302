#include "report/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "report/layer_names.h"
#include "report/synthetic_run.h"
#include "report/tree.h"
#include "report/words.h"

namespace diffram::report {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Built {
  ledger::RunRecord run;
  Model model;
};

std::unique_ptr<Built> build(ledger::RunRecord run) {
  auto built = std::make_unique<Built>();
  built->run = std::move(run);
  auto model = build_model(built->run);
  if (!model) throw std::runtime_error(model.error().front().text());
  built->model = std::move(*model);
  return built;
}

TEST(Model, parts_sum_to_the_run) {
  const auto built = build(report_test::synthetic_run());
  const Model& model = built->model;
  EXPECT_EQ(model.total.time_cycles, model.summary.cycles);
  EXPECT_EQ(model.total.channel_cycles(), model.summary.cycles * built->run.channels);
  EXPECT_EQ(model.total.total_bytes(), model.summary.bytes_read + model.summary.bytes_written);
  EXPECT_EQ(model.total.total_conflicts(), model.summary.row_conflicts);
  EXPECT_NEAR(model.total.total_joules(), model.summary.energy_total_j, 1e-9 * 47);
}

TEST(Model, phases_sum_to_the_run) {
  const auto built = build(report_test::synthetic_run());
  Bill sum;
  for (const PhaseRow& phase : built->model.phases) sum += phase.bill;
  EXPECT_EQ(sum.time_cycles, built->model.total.time_cycles);
  EXPECT_EQ(sum.causes, built->model.total.causes);
}

TEST(Model, a_phase_that_repeats_a_simulated_step_is_mostly_accounted) {
  const auto built = build(report_test::synthetic_run());
  for (const PhaseRow& phase : built->model.phases) {
    if (phase.name == "denoise")
      EXPECT_NEAR(phase.accounted_share, 49.0 / 50.0, 1e-12);
    else
      EXPECT_EQ(phase.accounted_share, 0) << phase.name;
  }
}

TEST(Model, op_groups_hold_all_the_time_of_the_ops) {
  const auto built = build(report_test::synthetic_run());
  std::int64_t time = 0;
  for (const OpGroup& group : built->model.groups) time += group.bill.time_cycles;
  EXPECT_EQ(time, built->model.total.time_cycles);
}

TEST(Model, equal_ops_of_equal_layers_are_one_group) {
  const auto built = build(report_test::synthetic_run());
  const OpGroup& first = built->model.groups.front();
  EXPECT_EQ(first.label, "attn1.softmax");
  EXPECT_EQ(first.places, 5);  // self-attention at 64 × 64: two layers down, three up
  EXPECT_EQ(first.where, "down 0, up 3");
}

TEST(Model, energy_rows_sum_to_their_component) {
  const auto built = build(report_test::synthetic_run());
  double total = 0;
  for (const EnergyRow& row : built->model.energy) {
    const double parts = std::accumulate(row.joules.begin(), row.joules.end(), row.shared);
    EXPECT_NEAR(parts, row.total, 1e-9 * row.total) << row.component;
    total += row.total;
  }
  EXPECT_NEAR(total, built->model.summary.energy_total_j, 1e-9 * total);
}

TEST(Model, evictions_sum_to_the_row_conflict_time) {
  const auto built = build(report_test::synthetic_run());
  const Evictions& evictions = built->model.evictions;
  std::int64_t sum = 0;
  for (const auto& row : evictions.cycles) sum = std::accumulate(row.begin(), row.end(), sum);
  EXPECT_EQ(sum, evictions.total);
  EXPECT_EQ(evictions.total,
            built->model.total.causes[static_cast<std::size_t>(base::Cause::row_conflict)]);
  EXPECT_EQ(evictions.operands.size(), 13u);  // twelve and "all other"
}

TEST(Model, repeated_loads_are_ranked_by_bytes) {
  const auto built = build(report_test::synthetic_run());
  const auto& rows = built->model.repeated;
  ASSERT_FALSE(rows.empty());
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.read_again > b.read_again;
  }));
  EXPECT_NEAR(rows.front().loads_per_write, 4, 1e-3);
}

TEST(Model, the_verdict_names_the_layers_that_wait) {
  const auto built = build(report_test::synthetic_run());
  EXPECT_THAT(built->model.verdict.sentence, StartsWith("Memory is the limit: "));
  EXPECT_THAT(built->model.verdict.sentence, HasSubstr("five self-attention layers cause "));
  EXPECT_LE(words::word_count(built->model.verdict.sentence), 30u);
}

TEST(Model, a_machine_that_computes_most_of_the_time_is_not_limited_by_memory) {
  report_test::SyntheticOptions options;
  options.compute_scale = 30;
  const auto built = build(report_test::synthetic_run(options));
  EXPECT_THAT(built->model.verdict.sentence, StartsWith("Memory is not the limit: "));
}

TEST(Model, training_finds_the_optimizer_step_once) {
  report_test::SyntheticOptions options;
  options.trains = true;
  const auto built = build(report_test::synthetic_run(options));
  const auto& findings = built->model.findings;
  EXPECT_EQ(std::count_if(findings.begin(), findings.end(),
                          [](const Finding& f) {
                            return f.sentence.find("optimizer") != std::string::npos ||
                                   f.sentence.find("adamw") != std::string::npos;
                          }),
            1);
}

TEST(Model, findings_are_at_most_three_and_no_trifles) {
  const auto built = build(report_test::synthetic_run());
  EXPECT_LE(built->model.findings.size(), 3u);
  for (const Finding& finding : built->model.findings) EXPECT_GE(finding.weight, 0.02);
}

TEST(Model, a_replayed_trace_has_a_verdict_and_no_layers) {
  const auto built = build(report_test::replayed_run());
  EXPECT_THAT(built->model.verdict.sentence, StartsWith("The trace ran at "));
}

TEST(Model, one_op_is_not_said_to_cause_its_own_wait) {
  const auto built = build(report_test::one_op_run());
  EXPECT_EQ(built->model.verdict.sentence.find("of that wait"), std::string::npos);
}

TEST(Tree, nodes_stand_behind_their_parents_and_leaves_hold_the_sums) {
  const auto built = build(report_test::synthetic_run());
  Bill sum;
  for (std::size_t i = 0; i < built->model.tree.size(); ++i) {
    EXPECT_LT(built->model.tree[i].parent, static_cast<std::int32_t>(i));
    sum += built->model.tree[i].own;
  }
  EXPECT_EQ(sum.causes, built->model.total.causes);
  EXPECT_EQ(sum.bytes, built->model.total.bytes);
}

TEST(Tree, keeps_to_its_limit_and_to_its_sums) {
  const auto built = build(report_test::synthetic_run());
  for (const std::size_t limit : {40u, 300u, 900u}) {
    const auto nodes = build_tree(built->model.leaves, limit);
    EXPECT_LE(nodes.size(), limit);
    Bill sum;
    for (const TreeNode& node : nodes) sum += node.own;
    EXPECT_EQ(sum.time_cycles, built->model.total.time_cycles) << limit;
    EXPECT_EQ(sum.bytes, built->model.total.bytes) << limit;
  }
}

TEST(Tree, the_rest_of_a_parent_counts_its_ops) {
  const auto built = build(report_test::synthetic_run());
  const auto nodes = build_tree(built->model.leaves, 900);
  const auto other = std::find_if(nodes.begin(), nodes.end(), [](const TreeNode& node) {
    return node.name.rfind("other (", 0) == 0;
  });
  ASSERT_NE(other, nodes.end());
  EXPECT_THAT(other->name, HasSubstr(std::to_string(other->own.ops) + " ops"));
}

TEST(LayerNames, a_path_is_cut_at_the_unit_that_a_reader_thinks_in) {
  const std::string q = "unet.up_blocks.3.attentions.0.transformer_blocks.0.attn1.to_q";
  EXPECT_EQ(unit_path(q), "unet.up_blocks.3.attentions.0.transformer_blocks.0.attn1");
  EXPECT_EQ(unit_kind(q), "self-attention");
  EXPECT_EQ(unit_path("unet.mid_block.resnets.1.conv2"), "unet.mid_block.resnets.1");
  EXPECT_EQ(unit_path("unet.conv_in"), "unet.conv_in");
  EXPECT_EQ(place_in_network(q), "up 3");
  EXPECT_EQ(place_in_network("unet.mid_block.resnets.1.conv2"), "mid");
}

TEST(LayerNames, an_op_is_named_without_namespace_and_overload) {
  EXPECT_EQ(short_op("aten._softmax.default"), "softmax");
  EXPECT_EQ(short_op("aten.convolution.default"), "convolution");
  EXPECT_EQ(short_op("custom_op"), "custom_op");
}

}  // namespace
}  // namespace diffram::report
