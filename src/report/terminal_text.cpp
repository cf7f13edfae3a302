#include "report/terminal_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace diffram::report {
namespace {

int columns_of(const std::string& text) {
  int columns = 0;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++columns;
  return columns;
}

/// Byte position of code point `n`.
std::size_t position_of(const std::string& text, int n) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && n-- == 0) break;
  return at;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

TerminalText::TerminalText(const TerminalOptions& options)
    : options_(options), width_(std::clamp(options.columns, kNarrowest, kWidest)) {}

std::string TerminalText::spelled(const std::string& text) const {
  std::string spelled = text;
  // A terminal does not wrap our lines, and people copy from it: plain spaces.
  replace_all(spelled, "\u00a0", " ");
  replace_all(spelled, "\u202f", " ");
  replace_all(spelled, "`", "");
  if (options_.is_utf8) return spelled;
  static constexpr std::array<std::pair<const char*, const char*>, 9> ascii = {{{"×", "x"},
                                                                                {"°C", "C"},
                                                                                {"µ", "u"},
                                                                                {"·", "-"},
                                                                                {"–", "-"},
                                                                                {"−", "-"},
                                                                                {"→", "->"},
                                                                                {"…", "..."},
                                                                                {"±", "+-"}}};
  for (const auto& [from, to] : ascii) replace_all(spelled, from, to);
  return spelled;
}

int TerminalText::columns(const std::string& text) const { return columns_of(spelled(text)); }

void TerminalText::line(const std::string& text) {
  std::string spelled_text = spelled(text);
  while (!spelled_text.empty() && spelled_text.back() == ' ') spelled_text.pop_back();
  text_ += spelled_text + "\n";
}

void TerminalText::line_between(const std::string& left_text, const std::string& right_text) {
  const std::string end = spelled(right_text);
  const std::string begin = fitted(left_text, width_ - columns_of(end) - 2);
  line(begin +
       std::string(
           static_cast<std::size_t>(std::max(1, width_ - columns_of(begin) - columns_of(end))),
           ' ') +
       end);
}

void TerminalText::paragraph(const std::string& text, int hang, Ink ink) {
  const std::string all = spelled(text);
  std::string current;
  std::size_t from = 0;
  const auto flush = [&] {
    if (!current.empty()) text_ += paint(current, ink) + "\n";
    current = std::string(static_cast<std::size_t>(hang), ' ');
  };
  bool is_first_word = true;
  while (from < all.size()) {
    std::size_t to = all.find(' ', from);
    // Figures keep their unit: "85 %" is not torn apart.
    if (to != std::string::npos && to + 1 < all.size() && all[to + 1] == '%')
      to = all.find(' ', to + 1);
    if (to == std::string::npos) to = all.size();
    const std::string word = all.substr(from, to - from);
    if (!is_first_word && columns_of(current) + 1 + columns_of(word) > width_) {
      flush();
      current += word;
    } else {
      current += (is_first_word ? "" : " ") + word;
    }
    is_first_word = false;
    from = to + 1;
  }
  if (!current.empty()) text_ += paint(current, ink) + "\n";
}

std::string TerminalText::paint(const std::string& text, Ink ink) const {
  if (!options_.has_colour || ink == Ink::plain) return text;
  static constexpr std::array codes{"", "1", "2", "31", "35", "36", "33", "34"};
  return "\x1b[" + std::string(codes[static_cast<std::size_t>(ink)]) + "m" + text + "\x1b[0m";
}

std::string TerminalText::bar(double share_of_longest, int longest) const {
  static constexpr std::array eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double exact = share_of_longest * longest;
  if (!options_.is_utf8) return std::string(static_cast<std::size_t>(std::lround(exact)), '#');
  const auto steps = static_cast<std::size_t>(std::lround(exact * 8));
  std::string text;
  for (std::size_t i = 0; i < steps / 8; ++i) text += "█";
  return text + eighths[steps % 8];
}

std::string TerminalText::fitted(const std::string& text, int columns) const {
  std::string all = spelled(text);
  const int have = columns_of(all);
  if (have <= columns) return all;
  const std::string gap = options_.is_utf8 ? "…" : "...";
  const int room = std::max(2, columns - columns_of(gap));
  const int head = room / 3;
  return all.substr(0, position_of(all, head)) + gap +
         all.substr(position_of(all, have - (room - head)));
}

std::string TerminalText::left(const std::string& text, int columns) const {
  const std::string cut = fitted(text, columns);
  return cut + std::string(static_cast<std::size_t>(std::max(0, columns - columns_of(cut))), ' ');
}

std::string TerminalText::right(const std::string& text, int columns) const {
  const std::string all = spelled(text);
  return std::string(static_cast<std::size_t>(std::max(0, columns - columns_of(all))), ' ') + all;
}

}  // namespace diffram::report
