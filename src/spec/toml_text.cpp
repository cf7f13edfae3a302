// toml++ 3.3 runs into __builtin_unreachable when a character from U+00A1 to U+0499 stands outside
// quotes and comments (is_non_ascii_horizontal_whitespace; found by tests/fuzz/spec_fuzz). TOML
// allows no such character there, so the text is refused before the library sees it.

#include "spec/toml_text.h"

#include <string_view>

namespace diffram::spec {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class StrayCharacters {
 public:
  explicit StrayCharacters(std::string_view text) : text_(text) {
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  /// Line of the first non-ASCII byte outside quotes and comments; 0 = there is none.
  int first_line() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) >= 0x80) return line_;
      if (c == '\n') ++line_;
      if (c == '#') skip_comment();
      if (c == '"' || c == '\'') skip_string(c);
    }
    return 0;
  }

 private:
  void skip_comment() {
    while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
  }

  void skip_string(char quote) {
    const std::string fence(3, quote);
    const bool is_multi_line = text_.substr(at_, 3) == fence;
    at_ += is_multi_line ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        if (!is_multi_line) return;  // the parser reports it
      } else if (c == '\\' && quote == '"') {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++line_;
      } else if (is_multi_line ? text_.substr(at_, 3) == fence : c == quote) {
        if (is_multi_line) at_ += 2;
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

tl::expected<toml::table, SyntaxError> parse_text(const std::string& text,
                                                  const std::string& file) {
  if (const int line = StrayCharacters(text).first_line(); line > 0) {
    return tl::unexpected(
        SyntaxError{line, "a character beyond ASCII is allowed in quotes and comments only"});
  }
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    return tl::unexpected(
        SyntaxError{static_cast<int>(error.source().begin.line), std::string(error.description())});
  }
}

}  // namespace diffram::spec
