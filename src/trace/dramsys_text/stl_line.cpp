#include "trace/dramsys_text/stl_line.h"

#include <fmt/format.h>

#include <array>

#include "trace/input/words.h"
#include "trace/request_text/fast_fields.h"
#include "trace/request_text/line_fields.h"

namespace diffram::trace {

namespace {

constexpr std::array<std::string_view, 1> kReads = {"READ"}, kWrites = {"WRITE"};
constexpr OperationWords kWords = {kReads, kWrites, "read or write"};
/// A longer request is no request of a memory; a number cannot make the reader wait for its data.
constexpr std::uint64_t kMostBytes = 0xFFFF'FFFFu;

/// "12:<tab>[(16) ]read<tab>0x1F40", the line end included.
const char* read_one(const char* at, TraceRequest& out) {
  at = read_decimal(at, out.cycle);
  if (at == nullptr || *at != ':') return nullptr;
  at = skip_blanks(at + 1);
  out.bytes = 0;
  if (*at == '(') {
    std::uint64_t bytes = 0;
    at = read_decimal(at + 1, bytes);
    if (at == nullptr || *at != ')' || bytes == 0 || bytes > kMostBytes) return nullptr;
    out.bytes = static_cast<std::uint32_t>(bytes);
    at = skip_blanks(at + 1);
  }
  const bool writes = *at == 'w';
  if (std::memcmp(at, writes ? "writ" : "read", 4) != 0) return nullptr;
  at += 4;
  if (writes && *at++ != 'e') return nullptr;
  out.direction = writes ? base::Direction::write : base::Direction::read;
  if (*at != ' ' && *at != '\t') return nullptr;
  at = skip_0x(skip_blanks(at));
  if (at == nullptr) return nullptr;
  at = read_hex(at, out.address);
  return at == nullptr ? nullptr : skip_line_end(at);
}

/// "(16)"; the same word may hold what follows, as in "(16)read".
base::Result<std::uint32_t> read_length(std::string_view& word, std::string_view& rest,
                                        LineContext context) {
  const auto close = word.find(')');
  auto bytes = read_bytes(word.substr(1, close - 1), context);
  if (!bytes) return bytes;
  if (close == std::string_view::npos)
    return context.refuse("bad_size", "the length has no closing bracket", StlLine::kLineForm);
  word = word.substr(close + 1);
  if (word.empty()) word = next_word(rest);
  return bytes;
}

base::Result<void> check_data(std::string_view data, std::uint32_t bytes, LineContext context) {
  if (!is_hex_word(data)) {
    return context.refuse("bad_data", fmt::format("\"{}\" is no hexadecimal data", shown(data)),
                          StlLine::kLineForm);
  }
  const std::size_t digits = data.starts_with("0x") ? data.size() - 2 : data.size();
  // Without a length, how many bytes there are is known from the data alone. DRAMSys's own sample
  // counts bursts of words in the brackets, so more data than bytes is no mistake.
  if (digits % 2 == 0 && digits / 2 >= bytes) return {};
  return context.refuse("bad_data",
                        fmt::format("{} hexadecimal digits are not {} bytes", digits, bytes),
                        "two digits a byte");
}

}  // namespace

bool StlLine::recognises(std::string_view line) {
  const std::string_view cycle = next_word(line);
  const auto colon = cycle.find(':');
  return colon != std::string_view::npos && is_decimal_word(cycle.substr(0, colon));
}

UsualLines StlLine::read_usual(const char* at, const char* end, std::span<TraceRequest> out) const {
  return read_usual_lines(at, end, out, read_one);
}

base::Result<std::size_t> StlLine::read_line(std::string_view line, LineContext context,
                                             std::span<TraceRequest, kRequestsALine> out) {
  std::string_view cycle = next_word(line);
  if (cycle.empty()) return 0;
  const auto colon = cycle.find(':');
  if (colon == std::string_view::npos)
    return context.refuse("missing_field", "the line has no colon behind its cycle", kLineForm);
  std::string_view word = cycle.substr(colon + 1);
  if (word.empty()) word = next_word(line);
  auto when = read_decimal_field(cycle.substr(0, colon), "cycle", context);
  if (!when) return tl::unexpected(when.error());
  out[0] = {.cycle = *when, .address = 0, .bytes = 0, .line = 0, .direction = {}};
  if (word.starts_with('(')) {
    auto bytes = read_length(word, line, context);
    if (!bytes) return tl::unexpected(bytes.error());
    out[0].bytes = *bytes;
  }
  const std::string_view address = next_word(line), data = next_word(line);
  if (address.empty())
    return context.refuse("missing_field", "the line has no operation or no address", kLineForm);
  if (!next_word(line).empty())
    return context.refuse("extra_field", "the line goes on behind its data", kLineForm);
  auto direction = read_operation(word, kWords, context);
  if (!direction) return tl::unexpected(direction.error());
  out[0].direction = *direction;
  auto where = read_address(address, 16, context);
  if (!where) return tl::unexpected(where.error());
  out[0].address = *where;
  if (data.empty()) return 1;
  if (auto good = check_data(data, out[0].bytes, context); !good)
    return tl::unexpected(good.error());
  ++context.counts.with_data;
  return 1;
}

}  // namespace diffram::trace
