// Whose power heats the hottest die: every kelvin has a row, and none has two.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "attrib/axes.h"
#include "attrib/explain.h"
#include "attrib/random_run.h"
#include "attrib/small_run.h"

namespace diffram::attrib {
namespace {

using ledger::EnergyDriver;
using ledger::RunRecord;

Table heat_of(const RunRecord& run, const std::vector<std::string>& by) {
  const auto table = explain(run, {by, Metric::heat, 0});
  if (!table) throw std::runtime_error(table.error().front().text());
  return *table;
}

std::map<std::string, double> rows(const RunRecord& run, const std::string& axis) {
  std::map<std::string, double> all;
  for (const Row& row : heat_of(run, {axis}).rows) all[row.keys[0]] = row.value;
  return all;
}

/// The small run, whose one channel reads 30 and writes 10 bursts, heated by some of its power.
RunRecord heated_run(std::vector<std::pair<EnergyDriver, double>> kelvin) {
  RunRecord run = small_run();
  run.hottest.package = "channel 0, rank 0";
  run.hottest.layer = "0 die";
  run.hottest.air = run.hottest.celsius = 40;
  for (const auto& [driver, rise] : kelvin) {
    run.hottest.of_memory.push_back({static_cast<std::uint32_t>(run.energy.size()), 0, 0, 0, rise});
    run.energy.push_back({"component " + std::to_string(run.energy.size()), driver, 1, true});
    run.hottest.celsius += rise;
  }
  return run;
}

std::vector<std::vector<std::string>> axis_sets() {
  std::vector<std::vector<std::string>> sets;
  for (unsigned bits = 0; bits < 1u << kAxisNames.size(); ++bits) {
    if (std::popcount(bits) > 3) continue;
    sets.emplace_back();
    for (std::size_t a = 0; a < kAxisNames.size(); ++a)
      if ((bits >> a & 1) != 0) sets.back().emplace_back(kAxisNames[a]);
  }
  return sets;
}

TEST(Heat, rows_sum_to_the_rise_of_the_hottest_place_for_every_set_of_axes_that_is_held) {
  std::size_t held = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const RunRecord run = RandomRun(seed).make();
    for (const auto& by : axis_sets()) {
      const auto table = explain(run, {by, Metric::heat, 0});
      if (!table) {
        EXPECT_EQ(table.error().front().code, "not_held");
        continue;
      }
      ++held;
      double sum = 0;
      for (const Row& row : table->rows) sum += row.value;
      ASSERT_NEAR(sum, run.hottest.rise(), 1e-9) << testing::PrintToString(by);
      ASSERT_NEAR(table->total, run.hottest.rise(), 1e-9);
    }
  }
  EXPECT_GT(held, 4u * 200);
}

TEST(Heat, of_a_component_is_shared_as_its_energy_is) {
  const auto classes =
      rows(heated_run({{EnergyDriver::reads, 6}, {EnergyDriver::writes, 1}}), "class");
  EXPECT_NEAR(classes.at("parameter"), 2, 1e-12) << "10 of 30 reads";
  EXPECT_NEAR(classes.at("activation"), 4 + 1, 1e-12);
  EXPECT_EQ(classes.size(), 2u);
}

TEST(Heat, twice_the_rise_of_a_component_doubles_its_rows_and_no_others) {
  auto run = heated_run({{EnergyDriver::reads, 6}, {EnergyDriver::writes, 1}});
  const auto before = rows(run, "tensor");
  run.hottest.of_memory[0].kelvin = 12;
  auto expected = before;
  for (const char* read : {"conv.weight", "x"}) expected[read] *= 2;
  expected["y"] += 2;  // 10 of 30 reads; the writes stay
  for (const auto& [tensor, kelvin] : rows(run, "tensor"))
    EXPECT_NEAR(kelvin, expected[tensor], 1e-12) << tensor;
}

TEST(Heat, of_a_channel_that_the_place_does_not_feel_is_none) {
  RunRecord run = RandomRun(3).make();
  std::erase_if(run.hottest.of_memory, [](const auto& rise) { return rise.component != 2; });
  std::set<std::string> places;
  for (const auto& [channel, kelvin] : rows(run, "channel")) places.insert(channel);
  EXPECT_THAT(places, testing::UnorderedElementsAre("0", "(shared) base dies", "(shared) neighbour",
                                                    "(shared) board"));
  // The parts of the channel are those of its own counters: rise × reads ÷ reads of channel 0.
  double rise = 0, reads = 0, own = 0;
  for (const auto& each : run.hottest.of_memory) rise += each.kelvin;
  for (const auto& record : run.records) {
    const auto weight = static_cast<double>(record.weight);
    for (std::size_t i = 0; i < record.channels[0].origins.size(); ++i) {
      const double here = weight * static_cast<double>(record.channels[0].origins[i].reads);
      reads += here;
      if (run.tensors[run.origins[i].tensor].tensor_class == "activation") own += here;
    }
  }
  ASSERT_EQ(run.energy[2].name, "read");
  EXPECT_NEAR(rows(run, "class").at("activation"), rise * own / reads, 1e-12);
}

TEST(Heat, names_its_accounts_on_every_axis) {
  auto run = heated_run({{EnergyDriver::refresh, 2}, {EnergyDriver::idle, 1}});
  run.hottest.of_base = 0.1;
  run.hottest.of_logic = 0.2;
  run.hottest.of_neighbour = 3;
  run.hottest.of_board = -0.4;
  for (const char* axis : {"layer", "op", "kernel", "class", "tensor", "phase", "model", "cause"}) {
    const auto found = rows(run, axis);
    EXPECT_NEAR(found.at("(shared) refresh"), 2, 1e-12) << axis;
    EXPECT_NEAR(found.at("(shared) idle"), 1, 1e-12) << axis;
    EXPECT_NEAR(found.at("(shared) base dies"), 0.1, 1e-12) << axis;
    EXPECT_NEAR(found.at("(shared) logic dies"), 0.2, 1e-12) << axis;
    EXPECT_NEAR(found.at("(shared) neighbour"), 3, 1e-12) << axis;
    EXPECT_NEAR(found.at("(shared) board"), -0.4, 1e-12) << axis;
  }
  EXPECT_NEAR(rows(run, "channel").at("(shared) neighbour"), 3, 1e-12);
}

TEST(Heat, by_bank_is_the_rise_of_each_place) {
  const RunRecord run = RandomRun(4).make();
  std::map<std::vector<std::string>, double> expected, found;
  for (const auto& rise : run.hottest.of_memory)
    expected[{std::to_string(rise.channel), std::to_string(rise.rank),
              rise.bank == ledger::kWholeRank ? "(none)" : std::to_string(rise.bank)}] +=
        rise.kelvin;
  for (const Row& row : heat_of(run, {"channel", "rank", "bank"}).rows)
    if (!row.keys[0].starts_with("(shared)")) found[row.keys] = row.value;
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [keys, kelvin] : expected) EXPECT_NEAR(found[keys], kelvin, 1e-12);
}

TEST(Heat, tells_whose_rise_it_is) {
  const Table table = heat_of(heated_run({{EnergyDriver::reads, 6.25}}), {"layer"});
  EXPECT_EQ(table.metric, "heat");
  EXPECT_EQ(table.unit, "K");
  EXPECT_EQ(table.subject,
            "0 die of channel 0, rank 0: 46.2 °C if this load lasts, the air 40.0 °C");
}

TEST(Heat, of_a_run_without_temperatures_says_how_to_get_them) {
  RunRecord run = heated_run({{EnergyDriver::reads, 6}});
  run.hottest = {};
  auto table = explain(run, {{"layer"}, Metric::heat, 0});
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().front().code, "heat_unknown");
  EXPECT_THAT(table.error().front().expected, testing::HasSubstr("--package"));
  run.energy.clear();
  table = explain(run, {{"layer"}, Metric::heat, 0});
  ASSERT_FALSE(table);
  EXPECT_THAT(table.error().front().expected, testing::HasSubstr("a memory with currents"));
}

}  // namespace
}  // namespace diffram::attrib
