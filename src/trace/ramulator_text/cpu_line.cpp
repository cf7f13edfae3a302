#include "trace/ramulator_text/cpu_line.h"

#include <array>

#include "trace/input/words.h"
#include "trace/request_text/fast_fields.h"
#include "trace/request_text/line_fields.h"

namespace diffram::trace {

bool RamulatorCpuLine::recognises(std::string_view line) {
  const std::string_view bubbles = next_word(line), reads = next_word(line),
                         writes = next_word(line);
  return is_decimal_word(bubbles) && is_hex_word(reads) &&
         (writes.empty() || is_hex_word(writes)) && next_word(line).empty();
}

UsualLines RamulatorCpuLine::read_usual(const char* at, const char* end,
                                        std::span<TraceRequest> out) const {
  UsualLines read{at, 0, 0};
  while (read.stopped != end && read.requests + kRequestsALine <= out.size()) {
    TraceRequest& first = out[read.requests];
    TraceRequest& second = out[read.requests + 1];
    first.direction = base::Direction::read;
    second.direction = base::Direction::write;
    first.bytes = second.bytes = 0;
    second.cycle = 0;
    const char* next = read_decimal(read.stopped, first.cycle);
    if (next == nullptr || *next != ' ') break;
    next = read_decimal(next + 1, first.address);
    if (next == nullptr) break;
    const bool writes = *next == ' ';
    if (writes) next = read_decimal(next + 1, second.address);
    if (next == nullptr) break;
    next = skip_line_end(next);
    if (next == nullptr) break;
    first.line = second.line = ++read.lines;
    read.requests += writes ? 2 : 1;
    read.stopped = next;
  }
  return read;
}

base::Result<std::size_t> RamulatorCpuLine::read_line(std::string_view line, LineContext context,
                                                      std::span<TraceRequest, kRequestsALine> out) {
  std::array<std::string_view, 3> fields;
  for (auto& field : fields) field = next_word(line);
  if (fields[0].empty()) return 0;
  if (fields[1].empty())
    return context.refuse("missing_field", "the line has fewer than two fields", kLineForm);
  if (!next_word(line).empty())
    return context.refuse("extra_field", "the line has more than three fields", kLineForm);
  auto bubbles = read_decimal_field(fields[0], "count of instructions", context);
  if (!bubbles) return tl::unexpected(bubbles.error());
  const std::size_t requests = fields[2].empty() ? 1 : 2;
  for (std::size_t i = 0; i < requests; ++i) {
    auto address = read_address(fields[i + 1], 10, context);
    if (!address) return tl::unexpected(address.error());
    out[i] = {.cycle = i == 0 ? *bubbles : 0,
              .address = *address,
              .bytes = 0,
              .line = 0,
              .direction = i == 0 ? base::Direction::read : base::Direction::write};
  }
  return requests;
}

}  // namespace diffram::trace
