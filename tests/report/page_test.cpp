// The page as the writer leaves it: whole without scripts, its data inside, its totals the run's.

#include "report/page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/page_markup.h"
#include "report/synthetic_run.h"

namespace diffram::report {
namespace {

Model model_of(const ledger::RunRecord& run) {
  auto model = build_model(run);
  if (!model) throw std::runtime_error(model.error().front().text());
  return std::move(*model);
}

/// Not a matcher: a failure would print the whole page.
bool contains(const std::string& html, const std::string& part) {
  return html.find(part) != std::string::npos;
}

std::int64_t sum_of(const nlohmann::json& columns) {
  std::int64_t sum = 0;
  for (const auto& column : columns)
    for (const auto& value : column) sum += value.get<std::int64_t>();
  return sum;
}

TEST(Page, holds_verdict_tables_and_this_run_as_plain_html) {
  const ledger::RunRecord run = report_test::synthetic_run();
  const std::string html = page_html(model_of(run));
  for (const char* part :
       {"id=\"verdict\"", "id=\"time\"", "id=\"evict\"", "id=\"energy\"", "id=\"run\"",
        "id=\"groups\"", "id=\"components\"", "Memory is the limit: ", "Run it again"})
    EXPECT_TRUE(contains(html, part)) << part;
}

TEST(Page, fills_every_slot_of_the_template) {
  const ledger::RunRecord run = report_test::synthetic_run();
  const std::string html = page_html(model_of(run));
  for (const char* slot : {"{{title}}", "{{run}}", "{{rail}}", "{{parts}}", "{{data}}"})
    EXPECT_FALSE(contains(html, slot)) << slot;
}

TEST(Page, names_no_other_address) {
  const ledger::RunRecord run = report_test::synthetic_run();
  const std::string html = page_html(model_of(run));
  EXPECT_FALSE(contains(html, "src=\"")) << "src=\"";
  EXPECT_FALSE(contains(html, "https://")) << "https://";
}

TEST(Page, data_columns_sum_to_the_run) {
  const ledger::RunRecord run = report_test::synthetic_run();
  const Model model = model_of(run);
  const auto data = nlohmann::json::parse(page_data_json(model));
  EXPECT_EQ(sum_of(data["tree"]["causes"]), model.summary.cycles * run.channels);
  EXPECT_EQ(sum_of(data["tree"]["bytes"]), model.summary.bytes_read + model.summary.bytes_written);
  EXPECT_EQ(sum_of(data["tree"]["conflicts"]), model.summary.row_conflicts);
}

TEST(Page, user_text_cannot_become_markup) {
  ledger::RunRecord run = report_test::synthetic_run();
  run.workload = "<script>alert(1)</script>";
  run.ops[0].layer = "<img src=x>";
  run.diagnostics[0].message = "a < b & \"c\"";
  const std::string html = page_html(model_of(run));
  EXPECT_FALSE(contains(html, "<script>alert")) << "<script>alert";
  EXPECT_FALSE(contains(html, "<img src=x>")) << "<img src=x>";
  EXPECT_TRUE(contains(html, "A &lt; b &amp; &quot;c&quot;")) << "A &lt; b &amp; &quot;c&quot;";
}

TEST(Page, an_error_stands_above_the_verdict) {
  ledger::RunRecord run = report_test::synthetic_run();
  run.diagnostics.push_back({"unanswered_requests", base::Severity::error,
                             "1 204 requests were never answered.", "channel 2"});
  const std::string part = verdict_part(model_of(run));
  EXPECT_LT(part.find("Do not use these figures."), part.find("<h1 class=\"untrusted\">"));
}

TEST(Page, power_over_time_is_drawn_where_it_was_sampled) {
  ledger::RunRecord run = report_test::synthetic_run();
  EXPECT_EQ(page_html(model_of(run)).find("class=\"curve\""), std::string::npos);
  report_test::sample_power(run);
  EXPECT_NE(page_html(model_of(run)).find("<figcaption>Power over time"), std::string::npos);
}

TEST(Page, a_run_without_energy_says_so_instead_of_printing_zero) {
  report_test::SyntheticOptions options;
  options.has_energy = false;
  const ledger::RunRecord run = report_test::synthetic_run(options);
  const std::string html = page_html(model_of(run));
  EXPECT_TRUE(contains(html, "Energy is not known for this memory."))
      << "Energy is not known for this memory.";
}

TEST(Page, a_folder_that_does_not_exist_is_an_error_that_names_the_file) {
  const ledger::RunRecord run = report_test::one_op_run();
  const auto written = write_html(model_of(run), "/nonexistent/folder/report.html");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().front().code, "cannot_write");
  EXPECT_EQ(written.error().front().file, "/nonexistent/folder/report.html");
}

// Makes the pages that the browser test opens: DIFFRAM_REPORT_SAMPLES names the folder.
TEST(Page, samples_for_the_browser_test) {
  const char* folder = std::getenv("DIFFRAM_REPORT_SAMPLES");
  if (folder == nullptr) GTEST_SKIP() << "DIFFRAM_REPORT_SAMPLES is not set";
  std::filesystem::create_directories(folder);
  const std::string at = std::string(folder) + "/";
  report_test::SyntheticOptions training, bare;
  training.trains = true;
  bare.has_energy = false;
  bare.compute_scale = 30;
  ledger::RunRecord sampled = report_test::synthetic_run();
  report_test::sample_power(sampled);
  ledger::RunRecord hot = report_test::synthetic_run();
  report_test::heat_up(hot);
  report_test::let_heat_answer(hot);
  const std::pair<const char*, ledger::RunRecord> samples[] = {
      {"sample.html", sampled},
      {"train.html", report_test::synthetic_run(training)},
      {"bare.html", report_test::synthetic_run(bare)},
      {"one-op.html", report_test::one_op_run()},
      {"replay.html", report_test::replayed_run()},
      {"hot.html", hot}};
  for (const auto& [name, run] : samples) {
    const auto written = write_html(model_of(run), at + name);
    EXPECT_TRUE(written.has_value()) << name;
  }
}

}  // namespace
}  // namespace diffram::report
