#include "trace/native_commands/native_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/input/words.h"

namespace diffram::trace {

namespace {
constexpr std::string_view kHeader = "# diffram-commands";
constexpr const char* kHeaderForm =
    "\"# diffram-commands 1 channel rank bank_group bank row column\"";
}  // namespace

bool NativeFormat::recognises(std::string_view first_line) {
  return first_line.starts_with(kHeader);
}

base::Result<bool> NativeFormat::read_header(std::string_view rest, const LineReader& at) {
  const std::string_view version = next_word(rest);
  if (version != "1") {
    return error_at(at, "unknown_version",
                    fmt::format("\"{}\" is no version that this program reads", shown(version)),
                    kHeaderForm);
  }
  levels_.clear();
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    auto level = read_level(word, at);
    if (!level) return tl::unexpected(level.error());
    if (std::find(levels_.begin(), levels_.end(), *level) != levels_.end()) {
      return error_at(at, "double_level", fmt::format("the level {} comes twice", word),
                      kHeaderForm);
    }
    levels_.push_back(*level);
  }
  if (levels_.empty()) {
    return error_at(at, "missing_field", "the header names no level", kHeaderForm);
  }
  return false;
}

base::Result<bool> NativeFormat::read(std::string_view line, const LineReader& at,
                                      FormatLine& out) {
  if (recognises(line)) return read_header(line.substr(kHeader.size()), at);
  out.cycle = next_word(line);
  if (out.cycle.empty()) return false;
  out.command = out.jedec_name = next_word(line);
  if (out.command.empty()) {
    return error_at(at, "missing_field", "the line names no command", "\"cycle NAME place…\"");
  }
  // A level that the memory has not, such as the bank group of DDR3, need not be written.
  for (std::size_t level = 0; level < kLevelCount; ++level) {
    const auto known = std::find(levels_.begin(), levels_.end(), static_cast<Level>(level));
    if (known == levels_.end()) out.place[level] = 0;
  }
  std::size_t given = 0;
  for (auto word = next_word(line); !word.empty(); word = next_word(line), ++given) {
    if (given == levels_.size()) {
      return error_at(at, "extra_field", "the line has more coordinates than the header levels",
                      fmt::format("at most {}", levels_.size()));
    }
    auto number = read_coordinate(word, at);
    if (!number) return tl::unexpected(number.error());
    out.place[static_cast<std::size_t>(levels_[given])] = *number;
  }
  return true;
}

}  // namespace diffram::trace
