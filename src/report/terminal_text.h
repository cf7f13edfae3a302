#pragma once
// Columns, colours and bars of terminal text. Widths count code points; every character that the
// summary prints is one column wide.

#include <string>

#include "report/terminal.h"

namespace diffram::report {

enum class Ink { plain, bold, dim, red, magenta, cyan, yellow, blue };

class TerminalText {
 public:
  explicit TerminalText(const TerminalOptions& options);

  int width() const { return width_; }
  /// Columns that `text` takes as it will be printed.
  int columns(const std::string& text) const;
  void line(const std::string& text = "");
  /// `left` and `right` at the two ends of the line.
  void line_between(const std::string& left, const std::string& right);
  /// Wrapped at spaces; later lines begin with `hang` spaces.
  void paragraph(const std::string& text, int hang, Ink ink = Ink::plain);

  std::string paint(const std::string& text, Ink ink) const;
  std::string bar(double share_of_longest, int longest) const;
  std::string left(const std::string& text, int columns) const;
  std::string right(const std::string& text, int columns) const;
  /// Cut in the middle: a module path keeps its end.
  std::string fitted(const std::string& text, int columns) const;
  /// The text as it will be printed: ASCII where the terminal wants it.
  std::string spelled(const std::string& text) const;

  std::string take() { return std::move(text_); }

 private:
  TerminalOptions options_;
  int width_;
  std::string text_;
};

}  // namespace diffram::report
