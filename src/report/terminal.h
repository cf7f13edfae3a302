#pragma once
// The summary that `diffram run` prints: same sentences, order and rounding as the page, at most 40
// lines (report-design 11).

#include <string>

#include "report/model.h"

namespace diffram::report {

inline constexpr int kNarrowest = 60, kWidest = 100;

struct TerminalOptions {
  int columns = 80;     ///< used between kNarrowest and kWidest
  bool is_utf8 = true;  ///< else ASCII: "x", "us", bars of '#'
  bool has_colour = false;
  std::string run_file = "run.dfr";  ///< named in the "Next" line
};

std::string terminal_summary(const Model& model, const TerminalOptions& options);

/// Width, locale and colour of the stream `file_descriptor`: colour only on a terminal and without
/// NO_COLOR.
TerminalOptions terminal_of(int file_descriptor);

}  // namespace diffram::report
