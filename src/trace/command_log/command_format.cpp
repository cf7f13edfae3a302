#include "trace/command_log/command_format.h"

#include <fmt/format.h>

#include <cctype>

#include "trace/input/words.h"

namespace diffram::trace {

base::Result<std::int64_t> read_coordinate(std::string_view word, const LineReader& at) {
  std::string_view digits = word;
  const bool minus = digits.starts_with('-');
  if (minus) digits.remove_prefix(1);
  int radix = 10;
  if (digits.starts_with("0x")) {
    digits.remove_prefix(2);
    radix = 16;
  }
  std::uint32_t number = 0;
  if (!read_number(digits, radix, number)) {
    return error_at(at, "bad_number", fmt::format("\"{}\" is no coordinate", shown(word)),
                    "a whole number of 32 bits");
  }
  return minus ? kNotGiven : std::int64_t{number};
}

base::Result<Level> read_level(std::string_view word, const LineReader& at) {
  const auto plain = [](std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
  };
  for (std::size_t level = 0; level < kLevelCount; ++level) {
    if (plain(word) == plain(kLevelNames[level])) return static_cast<Level>(level);
  }
  const auto near = base::nearest(std::string(word), {kLevelNames.begin(), kLevelNames.end()});
  return error_at(at, "unknown_level", fmt::format("\"{}\" is no level", shown(word)),
                  near.empty() ? "channel, rank, bank_group, bank, row, column" : near);
}

}  // namespace diffram::trace
