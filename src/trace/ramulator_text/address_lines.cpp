#include "trace/ramulator_text/address_lines.h"

#include <array>

#include "trace/input/words.h"
#include "trace/request_text/fast_fields.h"
#include "trace/request_text/line_fields.h"

namespace diffram::trace {

namespace {

constexpr std::array<std::string_view, 2> kReads1 = {"R", "READ"}, kWrites1 = {"W", "WRITE"};
constexpr OperationWords kWords1 = {kReads1, kWrites1, "R or W"};
constexpr std::array<std::string_view, 1> kReads2 = {"LD"}, kWrites2 = {"ST"};
constexpr OperationWords kWords2 = {kReads2, kWrites2, "LD or ST"};

/// The two fields of a line; 0 = it is blank.
base::Result<std::size_t> read_fields(std::string_view line, const char* form, LineContext context,
                                      std::array<std::string_view, 2>& fields) {
  fields[0] = next_word(line);
  if (fields[0].empty()) return 0;
  fields[1] = next_word(line);
  if (fields[1].empty())
    return context.refuse("missing_field", "the line has fewer than two fields", form);
  if (!next_word(line).empty())
    return context.refuse("extra_field", "the line has more than two fields", form);
  return 1;
}

base::Result<std::size_t> fill(std::string_view address, int base, std::string_view word,
                               const OperationWords& words, LineContext context,
                               TraceRequest& out) {
  auto where = read_bare_address(address, base, context);
  if (!where) return tl::unexpected(where.error());
  auto direction = read_operation(word, words, context);
  if (!direction) return tl::unexpected(direction.error());
  out = {.cycle = 0, .address = *where, .bytes = 0, .line = 0, .direction = *direction};
  return 1;
}

}  // namespace

bool Ramulator1Line::recognises(std::string_view line) {
  const std::string_view address = next_word(line), word = next_word(line);
  return is_hex_word(address) && is_operation_word(word) && next_word(line).empty();
}

UsualLines Ramulator1Line::read_usual(const char* at, const char* end,
                                      std::span<TraceRequest> out) const {
  return read_usual_lines(at, end, out, [](const char* line, TraceRequest& request) -> const char* {
    line = skip_0x(line);
    if (line == nullptr) return nullptr;
    line = read_hex(line, request.address);
    if (line == nullptr || line[0] != ' ' || (line[1] != 'R' && line[1] != 'W')) return nullptr;
    request.direction = line[1] == 'W' ? base::Direction::write : base::Direction::read;
    request.cycle = 0;
    request.bytes = 0;
    return skip_line_end(line + 2);
  });
}

base::Result<std::size_t> Ramulator1Line::read_line(std::string_view line, LineContext context,
                                                    std::span<TraceRequest, kRequestsALine> out) {
  std::array<std::string_view, 2> fields;
  auto found = read_fields(line, kLineForm, context, fields);
  if (!found || *found == 0) return found;
  return fill(fields[0], 16, fields[1], kWords1, context, out[0]);
}

bool Ramulator2Line::recognises(std::string_view line) {
  const std::string_view word = next_word(line), address = next_word(line);
  return is_operation_word(word) && is_hex_word(address) && next_word(line).empty();
}

UsualLines Ramulator2Line::read_usual(const char* at, const char* end,
                                      std::span<TraceRequest> out) const {
  return read_usual_lines(at, end, out, [](const char* line, TraceRequest& request) -> const char* {
    const bool writes = line[0] == 'S';
    if (line[0] != (writes ? 'S' : 'L') || line[1] != (writes ? 'T' : 'D') || line[2] != ' ')
      return nullptr;
    line = skip_0x(line + 3);
    if (line == nullptr) return nullptr;
    request.direction = writes ? base::Direction::write : base::Direction::read;
    request.cycle = 0;
    request.bytes = 0;
    line = read_hex(line, request.address);
    return line == nullptr ? nullptr : skip_line_end(line);
  });
}

base::Result<std::size_t> Ramulator2Line::read_line(std::string_view line, LineContext context,
                                                    std::span<TraceRequest, kRequestsALine> out) {
  std::array<std::string_view, 2> fields;
  auto found = read_fields(line, kLineForm, context, fields);
  if (!found || *found == 0) return found;
  return fill(fields[1], 10, fields[0], kWords2, context, out[0]);
}

}  // namespace diffram::trace
