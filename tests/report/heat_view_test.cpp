// Heat on every view: the same figures in the terminal, on the page and in JSON, and parts that add
// up as they are printed.

#include "report/heat_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "report/die_map.h"
#include "report/number_format.h"
#include "report/page.h"
#include "report/page_markup.h"
#include "report/run_json.h"
#include "report/synthetic_run.h"
#include "report/tables.h"
#include "report/terminal.h"

namespace diffram::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ledger::RunRecord hot_run() {
  ledger::RunRecord run = report_test::synthetic_run();
  report_test::heat_up(run);
  return run;
}

Model model_of(const ledger::RunRecord& run) {
  auto model = build_model(run);
  if (!model) throw std::runtime_error(model.error().front().text());
  return std::move(*model);
}

std::string plain(std::string text) {
  for (const char* space : {"\u00a0", "\u202f"})
    for (std::size_t at = text.find(space); at != std::string::npos; at = text.find(space))
      text.replace(at, std::string(space).size(), " ");
  return text;
}

std::string terminal_of_run(const ledger::RunRecord& run) {
  return plain(terminal_summary(model_of(run), {}));
}

// Every "12.345 K" of a text; a minus is the character of that name.
std::vector<std::int64_t> printed_millikelvin(std::string_view text) {
  constexpr std::string_view kFigure = "0123456789.", kMinus = "\u2212", kUnit = " K";
  std::vector<std::int64_t> figures;
  for (std::size_t at = text.find(kUnit); at != std::string_view::npos;
       at = text.find(kUnit, at + 1)) {
    const std::size_t before = text.find_last_not_of(kFigure, at - 1) + 1;
    std::string digits(text.substr(before, at - before));
    if (digits.size() < 5 || digits[digits.size() - 4] != '.') continue;  // a rounded kelvin
    digits.erase(digits.size() - 4, 1);
    const bool minus = text.substr(0, before).ends_with(kMinus);
    figures.push_back(minus ? -std::stoll(digits) : std::stoll(digits));
  }
  return figures;
}

TEST(HeatView, heaters_add_up_to_the_rise_largest_first) {
  const ledger::RunRecord run = hot_run();
  double sum = 0, last = 1e9;
  std::string accounts;
  for (const HeatRow& row : heated_by(run)) {
    sum += row.kelvin;
    EXPECT_LE(row.kelvin, last);
    last = row.kelvin;
    if (row.token.empty()) accounts += row.name + ";";
  }
  EXPECT_NEAR(sum, run.hottest.rise(), 1e-9);
  EXPECT_THAT(accounts, HasSubstr("neighbour;"));
  EXPECT_THAT(accounts, HasSubstr("refresh;"));
  EXPECT_THAT(accounts, HasSubstr("board;")) << "a negative part is a row too";
}

TEST(HeatView, a_standard_without_a_limit_has_no_margin) {
  ledger::HottestPlace place = hot_run().hottest;
  EXPECT_NEAR(margin_of(place).value(), 95 - 58, 1e-12);
  place.limit = 0;
  EXPECT_FALSE(margin_of(place));
}

TEST(HeatView, of_the_loop_weighs_epochs_by_their_length) {
  ledger::RunRecord run = hot_run();
  EXPECT_FALSE(loop_view(run));
  run.heat_epochs = {{0, 300, 80, 1, 1}, {300, 100, 86, 2, 0.5}};
  const auto loop = loop_view(run);
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->refreshed_faster, 0.25);
  EXPECT_EQ(loop->throttled, 0.25);
  EXPECT_EQ(loop->least, 80);
  EXPECT_EQ(loop->most, 86);
  EXPECT_EQ(loop->fastest, 2);
}

TEST(HeatTerminal, tells_the_hottest_die_its_limit_and_who_heats_it) {
  ledger::RunRecord run = hot_run();
  const std::string text = terminal_of_run(run);
  EXPECT_THAT(text, HasSubstr("hottest      71.0 °C      if this load lasts; 51.0 °C at the end"));
  EXPECT_THAT(text, HasSubstr("limit        95.0 °C      at the case; 37.0 K below it"));
  EXPECT_THAT(text, HasSubstr("rise         31.0 K       above the air: "));
  EXPECT_THAT(text, Not(HasSubstr("over time")));
  run.hottest.measured = 97;
  EXPECT_THAT(terminal_of_run(run), HasSubstr("at the case; 2.0 K above it"));
  report_test::let_heat_answer(run);
  EXPECT_THAT(terminal_of_run(run),
              HasSubstr("over time    86.0 °C      at most, 78.0 °C at least; "
                        "refresh 2× for 28 %"));
}

TEST(HeatTerminal, a_run_without_a_package_has_one_line_that_says_so) {
  const std::string text = terminal_of_run(report_test::synthetic_run());
  EXPECT_THAT(text, HasSubstr("hottest      –            heat was not simulated"));
  EXPECT_THAT(text, Not(HasSubstr("above the air")));
}

TEST(HeatTables, printed_kelvin_add_up_to_the_printed_total) {
  const ledger::RunRecord run = hot_run();
  const auto table = attrib::explain(run, {{"class", "phase"}, attrib::Metric::heat, 0});
  ASSERT_TRUE(table);
  const std::string text = plain(table_text(*table));
  EXPECT_THAT(text, HasSubstr("0 die of channel 0, rank 0: 71.0 °C if this load lasts"));
  const std::vector<std::int64_t> figures = printed_millikelvin(text);
  ASSERT_GT(figures.size(), 1U);
  const std::int64_t total = figures.back();
  const std::int64_t sum = std::reduce(figures.begin(), figures.end() - 1, std::int64_t{0});
  EXPECT_EQ(sum, total);
  EXPECT_EQ(total, std::llround(1000 * run.hottest.rise()));
}

TEST(HeatTables, json_has_the_place_and_sums_to_the_rise) {
  const ledger::RunRecord run = hot_run();
  const auto table = attrib::explain(run, {{"class"}, attrib::Metric::heat, 3});
  ASSERT_TRUE(table);
  const auto json = nlohmann::json::parse(table_json(*table));
  EXPECT_EQ(json["metric"], "heat");
  EXPECT_EQ(json["unit"], "K");
  EXPECT_THAT(json["subject"].get<std::string>(), HasSubstr("channel 0, rank 0"));
  double sum = 0;
  for (const auto& row : json["rows"]) sum += row["value"].get<double>();
  EXPECT_NEAR(sum, json["total"].get<double>(), 1e-9);
  EXPECT_NEAR(sum, run.hottest.rise(), 1e-9);
}

TEST(HeatJson, tells_the_hottest_place_and_its_rise_by_component) {
  const ledger::RunRecord run = hot_run();
  const auto json = nlohmann::json::parse(run_json(run, attrib::summarise(run), {}));
  const auto& hottest = json["hottest"];
  EXPECT_EQ(hottest["package"], "channel 0, rank 0");
  EXPECT_EQ(hottest["measured_at"], "case");
  EXPECT_EQ(hottest["margin_k"], 37.0);
  double sum = 0;
  for (const auto& [name, kelvin] : hottest["rise_k_by"].items()) sum += kelvin.get<double>();
  EXPECT_NEAR(sum, hottest["rise_k"].get<double>(), 1e-9);
  EXPECT_EQ(hottest["rise_k_by"]["board"], -0.25);
}

/// Not a matcher: a failure would print the whole page.
bool contains(const std::string& html, const std::string& part) {
  return html.find(part) != std::string::npos;
}

TEST(HeatPage, has_a_part_with_maps_table_and_sources) {
  ledger::RunRecord run = hot_run();
  const std::string html = page_html(model_of(run));
  for (const char* part :
       {"<section id=\"heat\"", "id=\"layers\"", "id=\"heat-sources\"", "class=\"die\"",
        "class=\"hot\"", "data-table=\"heat\"", "href=\"#heat\"",
        "The hottest die reaches 71.0\u00a0°C if this load lasts; its case is 37.0\u00a0K below"})
    EXPECT_TRUE(contains(html, part)) << part;
  EXPECT_FALSE(contains(html, "Temperature over time"));
  EXPECT_FALSE(contains(html, "Heat was not simulated"));
  report_test::let_heat_answer(run);
  const std::string answered = page_html(model_of(run));
  EXPECT_TRUE(contains(answered, "<figcaption>Temperature over time"));
  EXPECT_TRUE(contains(answered, "Refreshed up to 2 times as often, for 28\u00a0% of the time."));
}

TEST(HeatPage, a_memory_above_its_limit_is_a_finding) {
  ledger::RunRecord run = hot_run();
  EXPECT_FALSE(contains(page_html(model_of(run)), "hotter than"));
  run.hottest.measured = 99;
  const Model model = model_of(run);
  EXPECT_EQ(model.findings.front().target, "heat");
  EXPECT_TRUE(contains(plain(model.findings.front().sentence), "the case is 4.0 K hotter than"));
}

TEST(HeatPage, is_left_out_where_heat_was_not_simulated) {
  const std::string html = page_html(model_of(report_test::synthetic_run()));
  EXPECT_FALSE(contains(html, "<section id=\"heat\""));
  EXPECT_TRUE(contains(html, "no package was given (--package)"));
  EXPECT_TRUE(contains(html, "Heat was not simulated"));
}

TEST(HeatPage, names_of_a_package_cannot_become_markup) {
  ledger::RunRecord run = hot_run();
  run.hottest.package = run.heat[1].package = "<img src=x>";
  run.hottest.layer = run.heat[1].layer = "<b>die</b>";
  const std::string html = page_html(model_of(run));
  EXPECT_FALSE(contains(html, "<img src=x>"));
  EXPECT_FALSE(contains(html, "<b>die</b>"));
}

TEST(DieMap, colours_every_cell_once_and_puts_the_pads_below) {
  ledger::LayerHeat layer{"p", "0 die", "memory", 1, 1, 50, 57, 50, 50, 4, {}};
  layer.map = {50000, 50000, 50000, 57000, 50000, 53000, 53000, 50000};
  const std::string svg =
      die_map_markup(layer, {50, 57}, std::pair{std::int64_t{3}, std::int64_t{0}});
  EXPECT_TRUE(contains(svg, "viewBox=\"0 0 4 2\"")) << svg;
  EXPECT_TRUE(contains(svg, "<path class=\"s0\" d=\"M0 1h3v1h-3zM0 0h1v1h-1zM3 0h1v1h-1z\"/>"))
      << svg;
  EXPECT_TRUE(contains(svg, "<path class=\"s3\" d=\"M1 0h2v1h-2z\"/>")) << svg;
  EXPECT_TRUE(contains(svg, "<path class=\"s6\" d=\"M3 1h1v1h-1z\"/>")) << svg;
  EXPECT_TRUE(contains(svg, "<path class=\"hot\" d=\"M3 1h1v1h-1z\"/>")) << svg;
  EXPECT_TRUE(contains(plain(svg), "50.0 to 57.0 °C")) << svg;
  layer.columns = 0;
  EXPECT_EQ(die_map_markup(layer, {50, 57}, {}), "");
}

TEST(DieMap, an_even_die_has_one_colour) {
  ledger::LayerHeat layer{"p", "0 die", "memory", 1, 1, 50, 50, 50, 50, 2, {50000, 50000}};
  const std::string svg = die_map_markup(layer, {50, 50}, {});
  EXPECT_TRUE(contains(svg, "class=\"s0\""));
  EXPECT_FALSE(contains(svg, "class=\"s1\""));
}

}  // namespace
}  // namespace diffram::report
