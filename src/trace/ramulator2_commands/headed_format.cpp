#include "trace/ramulator2_commands/headed_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/ramulator2_commands/comma_fields.h"

namespace diffram::trace {

namespace {
constexpr std::string_view kHeader = "clock,command,";
}

bool Ramulator2HeadedFormat::recognises(std::string_view first_line) {
  return first_line.starts_with(kHeader);
}

base::Result<bool> Ramulator2HeadedFormat::read_header(std::string_view rest,
                                                       const LineReader& at) {
  fields_.clear();
  while (!rest.empty()) {
    const std::string_view field = next_comma_field(rest);
    if (field == "type" || field == "source") {
      fields_.push_back({});
      continue;
    }
    auto level = read_level(field, at);
    if (!level) return tl::unexpected(level.error());
    fields_.push_back(*level);
  }
  return false;
}

base::Result<bool> Ramulator2HeadedFormat::read(std::string_view line, const LineReader& at,
                                                FormatLine& out) {
  if (recognises(line)) return read_header(line.substr(kHeader.size()), at);
  if (line.empty()) return false;
  out.cycle = next_comma_field(line);
  out.command = next_comma_field(line);
  out.jedec_name = jedec_name_of_ramulator2(out.command);
  for (std::size_t level = 0; level < kLevelCount; ++level) {
    const auto known = std::find(fields_.begin(), fields_.end(), static_cast<Level>(level));
    if (known == fields_.end()) out.place[level] = 0;  // DDR3 has no bank group
  }
  for (const auto& field : fields_) {
    const std::string_view word = next_comma_field(line);
    if (word.empty()) {
      return error_at(at, "missing_field", "the line has fewer fields than the header",
                      fmt::format("{} fields", fields_.size() + 2));
    }
    if (!field) continue;
    auto number = read_coordinate(word, at);
    if (!number) return tl::unexpected(number.error());
    out.place[static_cast<std::size_t>(*field)] = *number;
  }
  if (!line.empty()) {
    return error_at(at, "extra_field", "the line has more fields than the header",
                    fmt::format("{} fields", fields_.size() + 2));
  }
  return true;
}

}  // namespace diffram::trace
