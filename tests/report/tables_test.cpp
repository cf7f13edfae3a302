#include "report/tables.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "report/run_json.h"
#include "report/synthetic_run.h"

namespace diffram::report {
namespace {

attrib::Table small_table() {
  attrib::Table table;
  table.axes = {"layer", "cause"};
  table.metric = "channel-time";
  table.unit = "cycles";
  table.total = 9007199254740993.0;
  table.exact_total = 9007199254740993;  // 2^53 + 1: no double holds it
  table.rows = {{{"unet.conv, \"in\"", "row.conflict"}, 9007199254740990.0, 9007199254740990, 0.9},
                {{"(none)", "idle.end"}, 3, 3, 0.1}};
  return table;
}

TEST(Tables, text_has_aligned_columns_and_the_total) {
  attrib::Table table;
  table.axes = {"class"};
  table.metric = "time";
  table.unit = "s";
  table.total = 2;
  table.rows = {{{"activation"}, 1.5, 0, 0.75}, {{"parameter"}, 0.5, 0, 0.25}};
  EXPECT_EQ(table_text(table),
            "class         time  share\n"
            "activation  1.50 s   75 %\n"
            "parameter   500 ms   25 %\n"
            "total       2.00 s  100 %\n");
}

TEST(Tables, json_keeps_integers_exact_and_names_the_axes) {
  const std::string text = table_json(small_table());
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["total"].get<std::int64_t>(), 9007199254740993);
  EXPECT_EQ(json["axes"], (nlohmann::json{"layer", "cause"}));
  EXPECT_EQ(json["rows"][1]["layer"], "(none)");
  EXPECT_EQ(json["rows"][1]["cause"], "idle.end");
  EXPECT_EQ(json["rows"][1]["value"].get<std::int64_t>(), 3);
}

TEST(Tables, csv_quotes_what_needs_it) {
  EXPECT_EQ(
      table_csv(small_table()).substr(0, 80),
      std::string("layer,cause,channel-time_cycles,share\n\"unet.conv, \"\"in\"\"\",row.conflict"
                  ",90071992547")
          .substr(0, 80));
}

TEST(RunJson, has_the_stable_keys_and_the_share_of_the_fallback) {
  const ledger::RunRecord run = report_test::synthetic_run();
  const auto json =
      nlohmann::json::parse(run_json(run, attrib::summarise(run), {1.5, 3000, -1, -1}));
  std::set<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.insert(key);
  EXPECT_EQ(keys, (std::set<std::string>{"workload",
                                         "memory",
                                         "machine",
                                         "fidelity",
                                         "steps",
                                         "batch",
                                         "simulated_byte_share",
                                         "time_s",
                                         "cycles",
                                         "channels",
                                         "memory_wait_share",
                                         "compute_only_s",
                                         "memory_only_s",
                                         "bytes_read",
                                         "bytes_written",
                                         "bandwidth_gb_per_s",
                                         "peak_gb_per_s",
                                         "memory_wait_share_at",
                                         "column_commands",
                                         "row_hits",
                                         "row_misses",
                                         "row_conflicts",
                                         "read_latency_ns",
                                         "energy_j",
                                         "power_w",
                                         "activation_repeated_load_share",
                                         "fallback_byte_share",
                                         "activation_load_energy_share",
                                         "idle_background_share",
                                         "flow",
                                         "peak_live_bytes",
                                         "reserved_bytes",
                                         "capacity_bytes",
                                         "temperature_c",
                                         "temperature_unknown",
                                         "conservation",
                                         "assumptions",
                                         "diagnostics",
                                         "wall_s",
                                         "requests",
                                         "requests_per_s"}));
  EXPECT_EQ(json["requests_per_s"], 2000.0);
}

TEST(RunJson, what_is_not_known_is_null) {
  report_test::SyntheticOptions options;
  options.has_energy = false;
  const ledger::RunRecord run = report_test::synthetic_run(options);
  const auto json = nlohmann::json::parse(run_json(run, attrib::summarise(run), {}));
  for (const char* key : {"energy_j", "power_w", "temperature_c", "wall_s", "requests"})
    EXPECT_TRUE(json[key].is_null()) << key;
  EXPECT_EQ(json["temperature_unknown"], "the energy of this memory is not known");
}

TEST(RunJson, a_run_in_a_package_tells_its_temperatures) {
  ledger::RunRecord run = report_test::synthetic_run({});
  run.heat = {{"channel 0, rank 0", "0 die", "memory", 3, 0.5, 60, 62, 55, 56, 2, {60000, 62500}},
              {"channel 1, rank 0", "0 die", "memory", 1, 0.7, 70, 75, 65, 66, 2, {70000, 75000}},
              {"channel 1, rank 0", "case", "node", 1, 0, 90, 90, 80, 80, 0, {}}};
  const auto json = nlohmann::json::parse(run_json(run, attrib::summarise(run), {}));
  EXPECT_EQ(json["temperature_c"]["peak"], 75.0) << "the case is no part of the memory";
  EXPECT_EQ(json["temperature_c"]["mean"], (3 * 60 + 70) / 4.0);
  EXPECT_EQ(json["heat"][0]["steady_map_c"], nlohmann::json::parse("[[60.0, 62.5]]"));
  EXPECT_FALSE(json["heat"][2].contains("steady_map_c"));
  EXPECT_FALSE(json.contains("temperature_unknown"));
}

TEST(RunJson, a_replay_says_how_many_requests_it_completed) {
  const ledger::RunRecord run = report_test::replayed_run();
  const auto json =
      nlohmann::json::parse(run_json(run, attrib::summarise(run), {1, 60000, 60000, 59999}));
  EXPECT_EQ(json["requests_in_trace"], 60000);
  EXPECT_EQ(json["requests_completed"], 59999);
  EXPECT_TRUE(json["machine"].is_null());
}

}  // namespace
}  // namespace diffram::report
