#include "attrib/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "attrib/small_run.h"

namespace diffram::attrib {
namespace {

using ledger::RunRecord;
using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

std::map<std::vector<std::string>, std::int64_t> rows(const RunRecord& run,
                                                      const std::vector<std::string>& by,
                                                      Metric of) {
  const auto table = explain(run, {by, of, 0});
  if (!table) throw std::runtime_error(table.error().front().text());
  std::map<std::vector<std::string>, std::int64_t> all;
  for (const Row& row : table->rows) all[row.keys] = row.exact;
  return all;
}

base::Error error_of(const std::vector<std::string>& by, Metric of) {
  const auto table = explain(small_run(), {by, of, 0});
  return table ? base::Error{} : table.error().front();
}

using Keys = std::vector<std::string>;

TEST(ExplainTime, op_time_is_compute_wait_and_launch) {
  EXPECT_THAT(rows(small_run(), {"layer"}, Metric::time),
              UnorderedElementsAre(Pair(Keys{"unet.conv"}, 340), Pair(Keys{"vae"}, 80)));
}

TEST(ExplainTime, wait_is_cut_over_the_bill_of_the_op_without_its_idle_pieces) {
  // 60 cycles over 40 : 40 : 40, twice
  EXPECT_THAT(
      rows(small_run(), {"class", "cause"}, Metric::time),
      UnorderedElementsAre(Pair(Keys{"(none)", "compute"}, 280), Pair(Keys{"(none)", "launch"}, 20),
                           Pair(Keys{"parameter", "data.read"}, 40),
                           Pair(Keys{"activation", "data.read"}, 40),
                           Pair(Keys{"activation", "row.conflict"}, 40)));
}

TEST(ExplainTime, wait_of_an_op_without_a_bill_has_no_cause) {
  RunRecord run = small_run();
  run.records[0].channels[0].bill.clear();
  EXPECT_EQ(rows(run, {"op", "cause"}, Metric::time).at({"aten.convolution.default", "(none)"}),
            120);
}

TEST(ExplainTime, wait_of_an_op_whose_channels_only_idle_is_billed_to_idling) {
  RunRecord run = small_run();
  std::erase_if(run.records[0].channels[0].bill,
                [](const auto& e) { return e.first.cause != base::Cause::idle_compute; });
  EXPECT_EQ(rows(run, {"class", "cause"}, Metric::time).at({"(none)", "idle.compute"}), 120);
}

TEST(ExplainTime, of_a_replayed_trace_is_cut_over_its_bill) {
  RunRecord run;
  run.clock = base::Clock::from_hertz(1'000'000'000);
  ledger::StepRecord record;
  record.cycles = 100;
  record.channels.resize(2);
  for (auto& channel : record.channels) {
    channel.cycles = 100;
    channel.bill = {{{base::kNoOrigin, base::kNoOrigin, base::Cause::data_read}, 25},
                    {{base::kNoOrigin, base::kNoOrigin, base::Cause::idle_end}, 75}};
  }
  run.records = {record};
  EXPECT_THAT(rows(run, {"cause"}, Metric::time),
              UnorderedElementsAre(Pair(Keys{"data.read"}, 25), Pair(Keys{"idle.end"}, 75)));
}

TEST(ExplainTime, is_in_seconds_and_axes_of_place_do_not_apply) {
  const auto table = explain(small_run(), {{"channel", "bank"}, Metric::time, 0});
  ASSERT_TRUE(table);
  EXPECT_EQ(table->unit, "s");
  EXPECT_DOUBLE_EQ(table->total, 420e-9);
  ASSERT_EQ(table->rows.size(), 1u);
  EXPECT_THAT(table->rows[0].keys, ElementsAre("(none)", "(none)"));
}

TEST(ExplainChannelTime, idle_pieces_name_the_op_and_no_tensor) {
  const auto all = rows(small_run(), {"layer", "class", "tensor", "cause"}, Metric::channel_time);
  EXPECT_EQ(all.at({"unet.conv", "(none)", "(none)", "idle.compute"}), 100);
  EXPECT_EQ(all.at({"unet.conv", "activation", "x", "row.conflict"}), 80);
}

TEST(ExplainChannelTime, culprits_are_named_by_op_role_and_class) {
  EXPECT_THAT(rows(small_run(), {"culprit"}, Metric::channel_time),
              UnorderedElementsAre(Pair(Keys{"(none)"}, 320),
                                   Pair(Keys{"convolution weight (parameter)"}, 80),
                                   Pair(Keys{"convolution output (activation)"}, 20)));
}

TEST(Explain, model_is_the_first_part_of_the_module_path) {
  EXPECT_THAT(rows(small_run(), {"model"}, Metric::bytes),
              UnorderedElementsAre(Pair(Keys{"unet"}, 3840), Pair(Keys{"vae"}, 1280)));
}

TEST(Explain, a_step_says_how_many_it_stands_for) {
  EXPECT_THAT(rows(small_run(), {"step"}, Metric::conflicts), ElementsAre(Pair(Keys{"4 (x2)"}, 2)));
}

TEST(Explain, rows_come_largest_first_and_ties_by_key) {
  const auto table = explain(small_run(), {{"tensor"}, Metric::bytes, 0});
  ASSERT_TRUE(table);
  std::vector<std::string> order;
  for (const Row& row : table->rows) order.push_back(row.keys[0]);
  EXPECT_THAT(order, ElementsAre("y", "conv.weight", "x"));
}

TEST(Explain, top_puts_the_others_into_one_last_row) {
  const auto table = explain(small_run(), {{"tensor"}, Metric::bytes, 1});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 2u);
  EXPECT_THAT(table->rows[1].keys, ElementsAre("(rest)"));
  EXPECT_EQ(table->rows[0].exact + table->rows[1].exact, table->exact_total);
}

TEST(Explain, no_axis_gives_the_total) {
  const auto table = explain(small_run(), {{}, Metric::bytes, 3});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 1u);
  EXPECT_EQ(table->rows[0].exact, 5120);
}

TEST(ExplainEnergy, refresh_idle_and_open_rows_are_shared_accounts) {
  RunRecord run = small_run();
  run.records[0].channels[0].shared.row_held_open_bank_cycles = 30;
  run.records[0].channels[0].origins[kWeight].bank_open_cycles = 70;
  using ledger::EnergyDriver;
  run.energy = {{"refresh", EnergyDriver::refresh, 1.0, false, false},
                {"bank_open", EnergyDriver::bank_open_cycles, 10.0, false, false},
                {"rank_closed", EnergyDriver::rank_closed_cycles, 2.0, false, false}};
  const auto table = explain(run, {{"layer", "class"}, Metric::energy, 0});
  ASSERT_TRUE(table);
  std::map<Keys, double> joules;
  for (const Row& row : table->rows) joules[row.keys] = row.value;
  EXPECT_NEAR((joules[{"unet.conv", "parameter"}]), 7, 1e-12);
  EXPECT_NEAR((joules[{"(none)", "(shared) row held open"}]), 3, 1e-12);
  EXPECT_NEAR((joules[{"(none)", "(shared) refresh"}]), 1, 1e-12);
  EXPECT_NEAR((joules[{"(none)", "(shared) unassigned"}]), 2, 1e-12);  // nothing counted it
}

TEST(ExplainEnergy, a_row_closed_unused_is_paid_by_its_opener) {
  RunRecord run = small_run();
  run.records[0].channels[0].origins[kInput].wasted_activations = 1;
  run.records[0].channels[0].shared.wasted_activation_tickets = base::kActivationTickets;
  run.energy = {{"activate", ledger::EnergyDriver::activation_tickets, 5.0, true, false}};
  const auto table = explain(run, {{"layer", "class"}, Metric::energy, 0});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 1u);
  EXPECT_THAT(table->rows[0].keys, ElementsAre("unet.conv", "(shared) wasted activation"));
}

TEST(ExplainRefuses, an_unknown_axis_with_the_nearest_one) {
  const base::Error error = error_of({"layr"}, Metric::time);
  EXPECT_EQ(error.code, "unknown_axis");
  EXPECT_EQ(error.expected, "layer");
}

TEST(ExplainRefuses, all_wrong_axes_at_once) {
  const auto table = explain(small_run(), {{"layr", "clas", "op", "op"}, Metric::time, 0});
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().size(), 3u);
}

TEST(ExplainRefuses, a_product_that_is_not_held_and_names_the_detail) {
  for (const Metric of : {Metric::bytes, Metric::conflicts, Metric::channel_time}) {
    const base::Error error = error_of({"class", "bank"}, of);
    EXPECT_EQ(error.code, "not_held");
    EXPECT_THAT(error.expected, testing::HasSubstr("--detail bank"));
  }
}

TEST(ExplainRefuses, energy_that_is_not_known) {
  EXPECT_EQ(error_of({"class"}, Metric::energy).code, "energy_unknown");
}

}  // namespace
}  // namespace diffram::attrib
