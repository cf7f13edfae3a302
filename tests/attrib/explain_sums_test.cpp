// The rows of every table sum to its total, and the total is what the record says: worked out here
// a second time, slowly and without any of the room's code.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "attrib/axes.h"
#include "attrib/explain.h"
#include "attrib/random_run.h"

namespace diffram::attrib {
namespace {

using ledger::RunRecord;

constexpr std::uint64_t kSeeds = 8;

Table table_of(const RunRecord& run, const std::vector<std::string>& by, Metric of) {
  const auto table = explain(run, {by, of, 0});
  if (!table) throw std::runtime_error(table.error().front().text());
  return *table;
}

std::int64_t expected_total(const RunRecord& run, Metric of) {
  std::int64_t total = 0;
  for (const auto& record : run.records) {
    if (of == Metric::time) total += record.weight * record.cycles;
    for (const auto& channel : record.channels) {
      if (of == Metric::channel_time) total += record.weight * record.cycles;
      for (const auto& bank : channel.banks) {
        if (of == Metric::bytes)
          total += record.weight * 64 * (bank.rd + bank.wr + bank.rda + bank.wra);
        if (of == Metric::conflicts) total += record.weight * bank.conflicts;
      }
    }
  }
  return total;
}

/// Every set of at most three axes, and all of those that combine at once.
std::vector<std::vector<std::string>> axis_sets() {
  std::vector<std::vector<std::string>> sets = {{"layer", "op", "kernel", "class", "tensor",
                                                 "phase", "step", "model", "channel", "cause",
                                                 "culprit"}};
  for (unsigned bits = 0; bits < 1u << kAxisNames.size(); ++bits) {
    if (std::popcount(bits) > 3) continue;
    sets.emplace_back();
    for (std::size_t a = 0; a < kAxisNames.size(); ++a)
      if ((bits >> a & 1) != 0) sets.back().emplace_back(kAxisNames[a]);
  }
  return sets;
}

class SumsOf : public testing::TestWithParam<Metric> {};

TEST_P(SumsOf, rows_equal_the_total_for_every_set_of_axes_that_is_held) {
  std::size_t held = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RunRecord run = RandomRun(seed).make();
    const std::int64_t total = expected_total(run, GetParam());
    for (const auto& by : axis_sets()) {
      const auto table = explain(run, {by, GetParam(), 0});
      if (!table) {
        EXPECT_EQ(table.error().front().code, "not_held");
        continue;
      }
      ++held;
      std::int64_t sum = 0;
      double shares = 0;
      for (const Row& row : table->rows) {
        sum += row.exact;
        shares += row.share;
      }
      ASSERT_EQ(sum, total) << testing::PrintToString(by) << " seed " << seed;
      ASSERT_EQ(table->exact_total, total);
      ASSERT_NEAR(shares, 1, 1e-9);
    }
  }
  EXPECT_GT(held, kSeeds * 200);
}

INSTANTIATE_TEST_SUITE_P(Integers, SumsOf,
                         testing::Values(Metric::time, Metric::channel_time, Metric::bytes,
                                         Metric::conflicts));

TEST(EnergySums, rows_equal_the_components_for_every_set_of_axes_that_is_held) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RunRecord run = RandomRun(seed).make();
    double total = 0;
    for (const auto& component : run.energy) total += component.joules;
    for (const auto& by : axis_sets()) {
      const auto table = explain(run, {by, Metric::energy, 0});
      if (!table) continue;
      double sum = 0;
      for (const Row& row : table->rows) sum += row.value;
      ASSERT_NEAR(sum / total, 1, 1e-9) << testing::PrintToString(by);
    }
  }
}

/// Summing an axis away gives the table without it: cuts are made once, at the finest grain.
TEST_P(SumsOf, a_finer_table_adds_up_to_the_coarser_one) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RunRecord run = RandomRun(seed).make();
    const Table fine = table_of(run, {"class", "cause", "culprit", "layer", "tensor"}, GetParam());
    const Table coarse = table_of(run, {"class", "layer"}, GetParam());
    std::map<std::vector<std::string>, std::int64_t> sums, expected;
    for (const Row& row : fine.rows) sums[{row.keys[0], row.keys[3]}] += row.exact;
    for (const Row& row : coarse.rows) expected[row.keys] = row.exact;
    EXPECT_EQ(sums, expected);
  }
}

TEST(ChannelTime, by_channel_and_cause_is_the_bill) {
  const RunRecord run = RandomRun(5).make();
  std::map<std::vector<std::string>, std::int64_t> expected, rows;
  for (const auto& record : run.records)
    for (std::size_t c = 0; c < record.channels.size(); ++c)
      for (const auto& [key, cycles] : record.channels[c].bill)
        expected[{std::to_string(c), base::name_of(key.cause)}] += cycles * record.weight;
  for (const Row& row : table_of(run, {"channel", "cause"}, Metric::channel_time).rows)
    rows[row.keys] = row.exact;
  EXPECT_EQ(rows, expected);
}

TEST(Bytes, by_class_are_the_column_commands_of_its_origins) {
  const RunRecord run = RandomRun(6).make();
  std::map<std::string, std::int64_t> expected, rows;
  for (const auto& record : run.records)
    for (const auto& channel : record.channels)
      for (std::size_t i = 0; i < channel.origins.size(); ++i)
        expected[run.tensors[run.origins[i].tensor].tensor_class] +=
            record.weight * 64 * (channel.origins[i].reads + channel.origins[i].writes);
  for (const Row& row : table_of(run, {"class"}, Metric::bytes).rows) rows[row.keys[0]] = row.exact;
  EXPECT_EQ(rows, expected);
}

TEST(Energy, of_an_origin_is_its_part_of_the_integers) {
  const RunRecord run = RandomRun(7).make();
  double total = 0, tickets = 0, own_tickets = 0;
  const std::string name = run.tensors[run.origins[0].tensor].name;
  for (const auto& component : run.energy)
    if (component.driver == ledger::EnergyDriver::activation_tickets) total += component.joules;
  for (const auto& record : run.records)
    for (const auto& channel : record.channels) {
      const auto weight = static_cast<double>(record.weight);
      tickets += weight * static_cast<double>(channel.shared.wasted_activation_tickets);
      for (std::size_t i = 0; i < channel.origins.size(); ++i) {
        const double own = weight * static_cast<double>(channel.origins[i].activation_tickets);
        tickets += own;
        if (run.tensors[run.origins[i].tensor].name == name) own_tickets += own;
      }
    }
  RunRecord only_activations = run;
  std::erase_if(only_activations.energy,
                [](const auto& c) { return c.driver != ledger::EnergyDriver::activation_tickets; });
  for (const Row& row : table_of(only_activations, {"tensor"}, Metric::energy).rows)
    if (row.keys[0] == name) {
      EXPECT_NEAR(row.value, total * own_tickets / tickets, 1e-12 * total);
    }
}

}  // namespace
}  // namespace diffram::attrib
