#include "report/terminal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "report/synthetic_run.h"

namespace diffram::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string summary_of(const ledger::RunRecord& run, const TerminalOptions& options) {
  auto model = build_model(run);
  if (!model) throw std::runtime_error(model.error().front().text());
  return terminal_summary(*model, options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t columns_of(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

/// DIFFRAM_UPDATE_GOLDEN=1 writes the files instead of comparing; read the difference before you
/// commit it.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(DIFFRAM_SOURCE_DIR) + "/tests/report/data/" + name;
  if (std::getenv("DIFFRAM_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path;
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text, golden.str());
}

TEST(Terminal, the_summary_of_a_sampling_run) {
  TerminalOptions options;
  options.run_file = "sd14.dfr";
  expect_golden("summary-sample.txt", summary_of(report_test::synthetic_run(), options));
}

TEST(Terminal, the_summary_in_ascii_at_the_narrowest_width) {
  TerminalOptions options;
  options.columns = 20;  // below kNarrowest: 60 are used
  options.is_utf8 = false;
  expect_golden("summary-sample-ascii-60.txt", summary_of(report_test::synthetic_run(), options));
}

TEST(Terminal, the_summary_of_a_training_run) {
  report_test::SyntheticOptions training;
  training.trains = true;
  expect_golden("summary-train.txt", summary_of(report_test::synthetic_run(training), {}));
}

TEST(Terminal, the_summary_of_a_replayed_trace) {
  expect_golden("summary-replay.txt", summary_of(report_test::replayed_run(), {}));
}

TEST(Terminal, at_most_40_lines_within_the_width) {
  for (const int columns : {40, 60, 72, 80, 100, 200}) {
    TerminalOptions options;
    options.columns = columns;
    ledger::RunRecord run = report_test::synthetic_run();
    report_test::sample_power(run);
    report_test::heat_up(run);
    report_test::let_heat_answer(run);
    const auto lines = lines_of(summary_of(run, options));
    EXPECT_LE(lines.size(), 40u) << columns;
    const auto width = static_cast<std::size_t>(std::clamp(columns, kNarrowest, kWidest));
    for (const std::string& line : lines) EXPECT_LE(columns_of(line), width) << line;
  }
}

TEST(Terminal, ascii_has_no_other_byte) {
  TerminalOptions options;
  options.is_utf8 = false;
  const std::string text = summary_of(report_test::synthetic_run(), options);
  EXPECT_TRUE(std::all_of(text.begin(), text.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 128; }));
}

TEST(Terminal, colour_changes_nothing_but_escapes) {
  TerminalOptions plain, coloured;
  coloured.has_colour = true;
  std::string text = summary_of(report_test::synthetic_run(), coloured);
  EXPECT_THAT(text, HasSubstr("\x1b[31m"));
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
    text.erase(at, text.find('m', at) - at + 1);
  EXPECT_EQ(text, summary_of(report_test::synthetic_run(), plain));
}

TEST(Terminal, no_color_and_a_pipe_switch_colour_off) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(terminal_of(1).has_colour);
  unsetenv("NO_COLOR");
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(terminal_of(ends[1]).has_colour);
  close(ends[0]);
  close(ends[1]);
}

TEST(Terminal, an_error_is_said_before_the_verdict) {
  ledger::RunRecord run = report_test::synthetic_run();
  run.diagnostics.push_back(
      {"unanswered_requests", base::Severity::error, "1 204 requests were never answered.", ""});
  const std::string text = summary_of(run, {});
  EXPECT_LT(text.find("Do not use these figures: "), text.find("Memory is the limit: "));
}

TEST(Terminal, unknown_energy_is_a_dash_and_not_zero) {
  report_test::SyntheticOptions options;
  options.has_energy = false;
  const std::string text = summary_of(report_test::synthetic_run(options), {});
  EXPECT_THAT(text, HasSubstr("energy       –"));
  EXPECT_THAT(text, Not(HasSubstr("0 J")));
}

}  // namespace
}  // namespace diffram::report
