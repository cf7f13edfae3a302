#include "spec/dramsim3_ini.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace diffram::spec {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string_view trimmed_right(std::string_view text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return trimmed_right(text);
}

/// A `;` after white space starts a comment; without the space it belongs to the value.
std::string_view without_comment(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == ';' && is_blank(text[i - 1])) return text.substr(0, i);
  }
  return text;
}

}  // namespace

std::string in_lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

IniText::IniText(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    read_line(text.substr(0, end), number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

const IniEntry* IniText::find(std::string_view section, std::string_view key) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const IniEntry& entry) {
    return entry.section == section && entry.key == key;
  });
  return found == entries_.end() ? nullptr : &*found;
}

void IniText::read_line(std::string_view line, int number) {
  const std::string_view words = trimmed(line);
  if (words.empty() || words.front() == ';' || words.front() == '#') return;
  if (is_blank(line.front()) && !last_key_.empty()) {
    add(last_key_, words, number);
    return;
  }
  if (words.front() == '[') {
    read_section(words, number);
    return;
  }
  const std::size_t separator = words.find_first_of("=:");
  const std::size_t comment = without_comment(words).size();
  if (separator == std::string_view::npos || separator >= comment) {
    lines_not_understood_.push_back(number);
    return;
  }
  last_key_ = trimmed_right(words.substr(0, separator));
  add(last_key_, trimmed(without_comment(words.substr(separator + 1))), number);
}

void IniText::read_section(std::string_view line, int number) {
  const std::size_t end = line.find(']');
  if (end == std::string_view::npos) {
    lines_not_understood_.push_back(number);
    return;
  }
  section_ = in_lower_case(line.substr(1, end - 1));
  last_key_.clear();
}

void IniText::add(std::string_view key, std::string_view value, int number) {
  const std::string name = in_lower_case(key);
  for (IniEntry& entry : entries_) {
    if (entry.section != section_ || entry.key != name) continue;
    entry.value.append("\n").append(value);
    entry.repeated = true;
    return;
  }
  entries_.push_back({section_, name, std::string(value), number, std::string(key), false});
}

std::optional<std::int32_t> ini_integer(const std::string& value) {
  char* end = nullptr;
  const long number = std::strtol(value.c_str(), &end, 0);
  if (end == value.c_str()) return std::nullopt;
  return static_cast<std::int32_t>(number);
}

std::optional<double> ini_real(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (end == value.c_str()) return std::nullopt;
  return number;
}

std::optional<bool> ini_boolean(const std::string& value) {
  const std::string word = in_lower_case(value);
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  return std::nullopt;
}

}  // namespace diffram::spec
