#include "trace/ramulator2_commands/headless_format.h"

#include "trace/input/words.h"
#include "trace/ramulator2_commands/comma_fields.h"

namespace diffram::trace {

bool Ramulator2HeadlessFormat::recognises(std::string_view first_line) {
  std::uint64_t number = 0;
  return first_line.find(',') != std::string_view::npos &&
         read_number(next_comma_field(first_line), 10, number);
}

base::Result<bool> Ramulator2HeadlessFormat::read(std::string_view line, const LineReader& at,
                                                  FormatLine& out) {
  if (line.find_first_not_of(" \t") == std::string_view::npos) return false;
  out.cycle = next_comma_field(line);
  out.command = next_comma_field(line);
  out.jedec_name = jedec_name_of_ramulator2(out.command);
  std::array<std::int64_t, kLevelCount> numbers{};
  std::size_t count = 0;
  for (; !line.empty(); ++count) {
    if (count == kLevelCount) {
      return error_at(at, "extra_field", "the line has more than six coordinates",
                      "channel, rank, bank group, bank, row, column");
    }
    auto number = read_coordinate(next_comma_field(line), at);
    if (!number) return tl::unexpected(number.error());
    numbers[count] = *number;
  }
  if (count + 1 < kLevelCount) {
    return error_at(at, "missing_field", "the line has fewer than five coordinates",
                    "channel, rank, [bank group,] bank, row, column");
  }
  const bool has_groups = count == kLevelCount;
  const auto bank_group = static_cast<std::size_t>(Level::bank_group);
  std::size_t from = 0;
  for (std::size_t level = 0; level < kLevelCount; ++level) {
    out.place[level] = level == bank_group && !has_groups ? 0 : numbers[from++];
  }
  return true;
}

}  // namespace diffram::trace
