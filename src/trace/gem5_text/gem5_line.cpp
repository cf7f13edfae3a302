#include "trace/gem5_text/gem5_line.h"

#include <array>

#include "trace/input/words.h"
#include "trace/ramulator2_commands/comma_fields.h"
#include "trace/request_text/fast_fields.h"
#include "trace/request_text/line_fields.h"

namespace diffram::trace {

namespace {

constexpr std::array<std::string_view, 1> kReads = {"R"}, kWrites = {"W"};
constexpr OperationWords kWords = {kReads, kWrites, "r or w"};
constexpr std::uint64_t kMostBytes = 0xFFFF'FFFFu;

/// "r,64,64,4000", blanks behind the commas included.
const char* read_one(const char* at, TraceRequest& out) {
  const bool writes = *at == 'w';
  if (*at != (writes ? 'w' : 'r') || at[1] != ',') return nullptr;
  out.direction = writes ? base::Direction::write : base::Direction::read;
  at = read_decimal(skip_blanks(at + 2), out.address);
  if (at == nullptr || *at != ',') return nullptr;
  std::uint64_t bytes = 0;
  at = read_decimal(skip_blanks(at + 1), bytes);
  if (at == nullptr || *at != ',' || bytes == 0 || bytes > kMostBytes) return nullptr;
  out.bytes = static_cast<std::uint32_t>(bytes);
  at = read_decimal(skip_blanks(at + 1), out.cycle);
  return at == nullptr ? nullptr : skip_line_end(at);
}

}  // namespace

bool Gem5Line::recognises(std::string_view line) {
  if (line.find(',') == std::string_view::npos) return false;
  std::string_view word = next_comma_field(line);
  if (is_decimal_word(word)) word = next_comma_field(line);
  return word.size() == 1 && is_operation_word(word) && is_decimal_word(next_comma_field(line)) &&
         is_decimal_word(next_comma_field(line));
}

UsualLines Gem5Line::read_usual(const char* at, const char* end,
                                std::span<TraceRequest> out) const {
  return read_usual_lines(at, end, out, read_one);
}

base::Result<std::size_t> Gem5Line::read_line(std::string_view line, LineContext context,
                                              std::span<TraceRequest, kRequestsALine> out) {
  std::string_view words = line;
  if (next_word(words).empty()) return 0;
  std::array<std::string_view, 7> fields;
  std::size_t count = 0;
  for (std::string_view rest = line; !rest.empty(); ++count) {
    if (count == fields.size())
      return context.refuse("extra_field", "the line has more than seven fields", kLineForm);
    fields[count] = next_comma_field(rest);
  }
  const bool has_id = is_decimal_word(fields[0]);
  const std::size_t first = has_id ? 1 : 0;
  const std::size_t given = count - first;
  if (given < 4)
    return context.refuse("missing_field", "the line has fewer than four fields", kLineForm);
  if (given > 6)
    return context.refuse("extra_field", "the line has more than six fields", kLineForm);
  auto direction = read_operation(fields[first], kWords, context);
  if (!direction) return tl::unexpected(direction.error());
  auto address = read_decimal_field(fields[first + 1], "address", context);
  if (!address) return tl::unexpected(address.error());
  auto bytes = read_bytes(fields[first + 2], context);
  if (!bytes) return tl::unexpected(bytes.error());
  const bool has_flags = given > 4, has_pc = given == 6;
  auto tick = read_decimal_field(fields[first + (has_flags ? 4 : 3)], "tick", context);
  if (!tick) return tl::unexpected(tick.error());
  context.counts.with_ids += has_id ? 1 : 0;
  context.counts.with_flags += has_flags ? 1 : 0;
  context.counts.with_pc += has_pc ? 1 : 0;
  out[0] = {
      .cycle = *tick, .address = *address, .bytes = *bytes, .line = 0, .direction = *direction};
  return 1;
}

}  // namespace diffram::trace
