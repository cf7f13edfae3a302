#include "trace/dramsim3_commands/long_format.h"

#include <cctype>

#include "trace/input/words.h"

namespace diffram::trace {

namespace {

constexpr Translation kTranslations[] = {{"read", "RD"},
                                         {"read_p", "RDA"},
                                         {"write", "WR"},
                                         {"write_p", "WRA"},
                                         {"activate", "ACT"},
                                         {"precharge", "PRE"},
                                         {"refresh_bank", "REFpb"},
                                         {"refresh", "REFab"},
                                         {"self_refresh_enter", "SREFE"},
                                         {"self_refresh_exit", "SREFX"}};

}  // namespace

bool Dramsim3LongFormat::recognises(std::string_view first_line) {
  std::uint64_t number = 0;
  const bool cycle = read_number(next_word(first_line), 10, number);
  const std::string_view command = next_word(first_line);
  return cycle && !command.empty() && std::islower(static_cast<unsigned char>(command.front()));
}

base::Result<bool> Dramsim3LongFormat::read(std::string_view line, const LineReader& at,
                                            FormatLine& out) {
  out.cycle = next_word(line);
  if (out.cycle.empty()) return false;
  out.command = next_word(line);
  out.jedec_name = jedec_name_of(out.command, kTranslations);
  for (std::size_t level = 0; level < kLevelCount; ++level) {
    const auto word = next_word(line);
    if (word.empty()) {
      return error_at(at, "missing_field", "the line has fewer than eight fields",
                      "cycle, name, channel, rank, bank group, bank, row, column");
    }
    auto number = read_coordinate(word, at);
    if (!number) return tl::unexpected(number.error());
    out.place[level] = *number;
  }
  if (!next_word(line).empty()) {
    return error_at(at, "extra_field", "the line has more than eight fields",
                    "cycle, name, channel, rank, bank group, bank, row, column");
  }
  return true;
}

}  // namespace diffram::trace
