#include "trace/drampower_commands/csv_format.h"

#include <algorithm>
#include <cctype>

#include "trace/input/words.h"
#include "trace/ramulator2_commands/comma_fields.h"

namespace diffram::trace {

namespace {

constexpr Translation kTranslations[] = {
    {"REFA", "REFab"},   {"REFB", "REFpb"},   {"REFSB", "REFsb"},   {"PRESB", "PREsb"},
    {"PDEA", "PDE"},     {"PDEP", "PDE"},     {"PDXA", "PDX"},      {"PDXP", "PDX"},
    {"SREFEN", "SREFE"}, {"SREFEX", "SREFX"}, {"REFP2B", "REFp2b"}, {"REFDB", "REFdb"},
    {"DSMEN", "DSME"},   {"DSMEX", "DSMX"}};
constexpr const char* kLineForm = "\"cycle,COMMAND,rank,bank group,bank,row,column[,data]\"";
constexpr std::size_t kFields = 7;

}  // namespace

bool DrampowerFormat::recognises(std::string_view first_line) {
  const auto commas =
      static_cast<std::size_t>(std::count(first_line.begin(), first_line.end(), ','));
  const bool has_data =
      commas == kFields && first_line.substr(first_line.rfind(',') + 1).starts_with("0x");
  if (commas + 1 != kFields && !has_data) return false;
  if (first_line.find(' ') != std::string_view::npos) return false;
  std::uint64_t cycle = 0;
  const bool begins = read_number(next_comma_field(first_line), 10, cycle);
  const std::string_view command = next_comma_field(first_line);
  return begins && !command.empty() && std::isalpha(static_cast<unsigned char>(command.front()));
}

base::Result<bool> DrampowerFormat::read(std::string_view line, const LineReader& at,
                                         FormatLine& out) {
  std::string_view words = line;
  if (next_word(words).empty()) return false;
  out.cycle = next_comma_field(line);
  out.command = next_comma_field(line);
  out.is_end = out.command == "END";  // of the time that energy is asked for
  if (out.is_end || out.command == "NOP") return false;
  out.jedec_name = jedec_name_of(out.command, kTranslations);
  out.place[0] = 0;
  for (std::size_t level = 1; level < kLevelCount; ++level) {
    const std::string_view field = next_comma_field(line);
    if (field.empty())
      return error_at(at, "missing_field", "the line has fewer than seven fields", kLineForm);
    auto number = read_coordinate(field, at);
    if (!number) return tl::unexpected(number.error());
    out.place[level] = *number;
  }
  const std::string_view data = next_comma_field(line);
  if (!line.empty() || (!data.empty() && !data.starts_with("0x")))
    return error_at(at, "extra_field", "the line has more than data behind its column", kLineForm);
  if (!data.empty()) out.data = data.substr(2);
  return true;
}

}  // namespace diffram::trace
