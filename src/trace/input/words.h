#pragma once
// Words and numbers of a line of text.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>

namespace diffram::trace {

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

/// The next word of `rest`, which is shortened; empty at the end of the line.
inline std::string_view next_word_or_comment(std::string_view& rest) {
  const auto* begin = std::find_if_not(rest.begin(), rest.end(), is_blank);
  const auto* end = std::find_if(begin, rest.end(), is_blank);
  const std::string_view word(begin, static_cast<std::size_t>(end - begin));
  rest.remove_prefix(static_cast<std::size_t>(end - rest.begin()));
  return word;
}

/// The same; empty at the begin of a comment (#, // or ;) too.
inline std::string_view next_word(std::string_view& rest) {
  const std::string_view word = next_word_or_comment(rest);
  if (!word.starts_with('#') && !word.starts_with("//") && !word.starts_with(';')) return word;
  rest = {};
  return {};
}

/// The whole of `text` is a number that fits.
template <class Number>
bool read_number(std::string_view text, int radix, Number& out) {
  const auto [stopped, problem] = std::from_chars(text.begin(), text.end(), out, radix);
  return problem == std::errc() && stopped == text.end();
}

/// For a message: short, and nothing a terminal would act on.
inline std::string shown(std::string_view word) {
  constexpr std::size_t kLongestShown = 32;
  std::string text(word.substr(0, kLongestShown));
  for (char& c : text) {
    if (!std::isprint(static_cast<unsigned char>(c))) c = '?';
  }
  return word.size() > kLongestShown ? text + "…" : text;
}

}  // namespace diffram::trace
