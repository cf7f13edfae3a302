#include "trace/request_text/line_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "trace/input/words.h"

namespace diffram::trace {

namespace {

bool has_0x(std::string_view word) { return word.starts_with("0x") || word.starts_with("0X"); }

bool all_of(std::string_view word, int (*is)(int)) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [is](char c) {
    return is(static_cast<unsigned char>(c)) != 0;
  });
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view known) { return equals_in_any_case(word, known); });
}

}  // namespace

bool equals_in_any_case(std::string_view word, std::string_view upper) {
  return std::equal(word.begin(), word.end(), upper.begin(), upper.end(), [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == b;
  });
}

bool is_hex_word(std::string_view word) {
  return all_of(has_0x(word) ? word.substr(2) : word, std::isxdigit);
}

bool is_decimal_word(std::string_view word) { return all_of(word, std::isdigit); }

bool is_operation_word(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word.front()));
}

base::Result<base::Direction> read_operation(std::string_view word, const OperationWords& words,
                                             LineContext context) {
  if (is_one_of(word, words.writes)) return base::Direction::write;
  if (is_one_of(word, words.reads)) return base::Direction::read;
  if (context.options.lenient) {
    ++context.counts.unknown_words;
    return base::Direction::read;
  }
  return context.refuse(
      "unknown_operation", fmt::format("\"{}\" is no operation", shown(word)),
      fmt::format("{}; --lenient takes any other word for a read", words.expected));
}

base::Result<std::uint64_t> read_address(std::string_view word, int base, LineContext context) {
  std::uint64_t address = 0;
  const bool prefixed = has_0x(word);
  if (!read_number(prefixed ? word.substr(2) : word, prefixed ? 16 : base, address)) {
    return context.refuse("bad_address",
                          fmt::format("\"{}\" is no {} address of 64 bits", shown(word),
                                      prefixed || base == 16 ? "hexadecimal" : "decimal"),
                          prefixed     ? "0x and hexadecimal digits"
                          : base == 16 ? "hexadecimal digits, with or without 0x"
                                       : "decimal digits, or 0x and hexadecimal ones");
  }
  return address;
}

base::Result<std::uint64_t> read_bare_address(std::string_view word, int base,
                                              LineContext context) {
  auto address = read_address(word, base, context);
  if (address && word.size() > 1 && is_decimal_word(word)) {
    if (context.counts.bare_addresses++ == 0)
      context.counts.first_bare_address = context.at.number();
  }
  return address;
}

base::Result<std::uint64_t> read_decimal_field(std::string_view word, const char* what,
                                               LineContext context) {
  std::uint64_t number = 0;
  if (read_number(word, 10, number)) return number;
  return context.refuse("bad_cycle",
                        fmt::format("\"{}\" is no decimal {} of 64 bits", shown(word), what),
                        fmt::format("a {} such as 12", what));
}

base::Result<std::uint32_t> read_bytes(std::string_view word, LineContext context) {
  std::uint32_t bytes = 0;
  if (read_number(word, 10, bytes) && bytes > 0) return bytes;
  return context.refuse("bad_size", fmt::format("\"{}\" is no number of bytes", shown(word)),
                        "1 to 4294967295");
}

}  // namespace diffram::trace
