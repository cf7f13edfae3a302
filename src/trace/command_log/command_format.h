#pragma once
// What a format of command logs must tell: is this first line mine, and what does a line say.
// Ranges, names and the order of cycles are looked at once, behind all formats.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/command_log.h"
#include "trace/input/line_reader.h"
#include "trace/input/trace_error.h"

namespace diffram::trace {

inline constexpr std::int64_t kNotGiven = -1;

struct FormatLine {
  std::string_view cycle, command;  ///< as written
  std::string_view jedec_name;      ///< of the command; as written where the format has no own name
  std::array<std::int64_t, kLevelCount> place{};  ///< kNotGiven where the line does not say
  std::string_view data;                          ///< hexadecimal digits, first byte first
  bool is_end = false;                            ///< no command: its cycle is where the log ends
};

class CommandFormat {
 public:
  virtual ~CommandFormat() = default;
  virtual const char* name() const = 0;
  /// True: `out` is filled. False: the line holds no command. `at` names file and line for errors.
  virtual base::Result<bool> read(std::string_view line, const LineReader& at, FormatLine& out) = 0;
};

struct FormatEntry {
  bool (*recognises)(std::string_view first_line);
  std::unique_ptr<CommandFormat> (*make)();
};

/// JEDEC's name for a simulator's own; a word that it has not is given back.
struct Translation {
  std::string_view theirs, jedec;
};
template <class Translations>
std::string_view jedec_name_of(std::string_view word, const Translations& translations) {
  for (const Translation& each : translations) {
    if (each.theirs == word) return each.jedec;
  }
  return word;
}

inline tl::unexpected<base::Errors> error_at(const LineReader& at, std::string code,
                                             std::string message, std::string expected) {
  return error_in(at.file(), at.number(), std::move(code), std::move(message), std::move(expected));
}

/// A coordinate as formats write it: decimal, or hexadecimal with 0x; a minus means "not given".
base::Result<std::int64_t> read_coordinate(std::string_view word, const LineReader& at);

/// A level's name in any case, with or without `_`: "BankGroup".
base::Result<Level> read_level(std::string_view word, const LineReader& at);

}  // namespace diffram::trace
