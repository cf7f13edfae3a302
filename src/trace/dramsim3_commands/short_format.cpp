#include "trace/dramsim3_commands/short_format.h"

#include <cctype>

#include "trace/input/words.h"

namespace diffram::trace {

namespace {

constexpr Translation kTranslations[] = {{"REF", "REFab"}, {"REFB", "REFpb"}};
constexpr const char* kLineForm = "\"cycle NAME rank [bank_group bank [row [column]]]\"";

/// N of "# channel N"; empty for another remark.
std::string_view channel_of(std::string_view line) {
  if (next_word_or_comment(line) != "#" || next_word_or_comment(line) != "channel") return {};
  return next_word_or_comment(line);
}

}  // namespace

bool Dramsim3ShortFormat::recognises(std::string_view first_line) {
  if (!channel_of(first_line).empty()) return true;
  std::uint64_t number = 0;
  const bool cycle = read_number(next_word(first_line), 10, number);
  const std::string_view command = next_word(first_line);
  return cycle && !command.empty() && std::isalpha(static_cast<unsigned char>(command.front()));
}

base::Result<bool> Dramsim3ShortFormat::read(std::string_view line, const LineReader& at,
                                             FormatLine& out) {
  if (const auto channel = channel_of(line); !channel.empty()) {
    auto number = read_coordinate(channel, at);
    if (!number) return tl::unexpected(number.error());
    channel_ = *number;
    return false;
  }
  out.cycle = next_word(line);
  if (out.cycle.empty()) return false;
  out.command = next_word(line);
  if (out.command.empty()) {
    return error_at(at, "missing_field", "the line names no command", kLineForm);
  }
  out.jedec_name = jedec_name_of(out.command, kTranslations);
  out.place[0] = channel_;
  std::size_t level = 1;
  for (auto word = next_word(line); !word.empty(); word = next_word(line), ++level) {
    if (level == kLevelCount) {
      return error_at(at, "extra_field", "the line has more than seven fields", kLineForm);
    }
    auto number = read_coordinate(word, at);
    if (!number) return tl::unexpected(number.error());
    out.place[level] = *number;
  }
  return true;
}

}  // namespace diffram::trace
