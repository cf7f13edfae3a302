#include "trace/ramulator_text/place_line.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "trace/input/words.h"
#include "trace/request_text/line_fields.h"

namespace diffram::trace {

namespace {

constexpr std::array<std::string_view, 2> kReads = {"R", "READ"}, kWrites = {"W", "WRITE"};
constexpr OperationWords kWords = {kReads, kWrites, "R or W"};

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool RamulatorPlaceLine::recognises(std::string_view line) {
  const std::string_view word = next_word(line), values = next_word(line);
  if (!is_operation_word(word) || word.find(',') != std::string_view::npos) return false;
  if (values.find(',') == std::string_view::npos) return false;
  for (const auto value : split_at_commas(values)) {
    if (!is_decimal_word(value.starts_with('-') ? value.substr(1) : value)) return false;
  }
  return true;
}

base::Result<LevelNumbers> RamulatorPlaceLine::read_place(std::string_view values,
                                                          LineContext context) const {
  const auto given = split_at_commas(values);
  // A memory without bank groups needs no number for them.
  const auto group = static_cast<std::size_t>(Level::bank_group);
  const bool may_skip_groups = places_->counts[group] == 1;
  const bool skips_groups = may_skip_groups && given.size() == kLevelCount - 1;
  if (given.size() != kLevelCount && !skips_groups) {
    return context.refuse(
        "wrong_place",
        fmt::format("the place has {} numbers, and this memory takes {}{}", given.size(),
                    may_skip_groups ? "5 or " : "", kLevelCount),
        "channel, rank, bank group, bank, row, column; numbers of other kinds, such as virtual "
        "addresses, belong into another form of trace");
  }
  LevelNumbers place{};
  std::size_t next = 0;
  for (std::size_t level = 0; level < kLevelCount; ++level) {
    if (skips_groups && level == group) continue;
    if (!read_number(given[next++], 10, place[level]) || place[level] >= places_->counts[level]) {
      return context.refuse(
          "out_of_range",
          fmt::format("{} {} is none of this memory", kLevelNames[level], shown(given[next - 1])),
          fmt::format("0 to {}", places_->counts[level] - 1));
    }
  }
  return place;
}

base::Result<std::size_t> RamulatorPlaceLine::read_line(
    std::string_view line, LineContext context, std::span<TraceRequest, kRequestsALine> out) {
  const std::string_view word = next_word(line);
  if (word.empty()) return 0;
  const std::string_view values = next_word(line);
  if (values.empty())
    return context.refuse("missing_field", "the line has fewer than two fields", kLineForm);
  if (!next_word(line).empty())
    return context.refuse("extra_field", "the line has more than two fields", kLineForm);
  if (places_ == nullptr) {
    return context.refuse("needs_memory", "the trace holds places of a memory, and none was named",
                          "--memory S");
  }
  auto place = read_place(values, context);
  if (!place) return tl::unexpected(place.error());
  auto direction = read_operation(word, kWords, context);
  if (!direction) return tl::unexpected(direction.error());
  out[0] = {.cycle = 0,
            .address = places_->address_of(*place),
            .bytes = 0,
            .line = 0,
            .direction = *direction};
  return 1;
}

}  // namespace diffram::trace
