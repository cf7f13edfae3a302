#include "trace/dramsim3_text/dramsim3_line.h"

#include <algorithm>
#include <array>

#include "trace/input/words.h"
#include "trace/request_text/fast_fields.h"
#include "trace/request_text/line_fields.h"

namespace diffram::trace {

namespace {

/// Words of DRAMsim3 and of the traces of DRAMSim2 that it took over.
constexpr std::array<std::string_view, 6> kReadWords = {"R",       "READ",   "P_MEM_RD",
                                                        "P_FETCH", "IFETCH", "P_LOCK_RD"};
constexpr std::array<std::string_view, 4> kWriteWords = {"W", "WRITE", "P_MEM_WR", "BOFF"};
constexpr std::array<std::string_view, 4> kDramsim3WriteWords = {"WRITE", "write", "P_MEM_WR",
                                                                 "BOFF"};
constexpr OperationWords kWords = {kReadWords, kWriteWords,
                                   "READ, WRITE, R, W, P_MEM_RD, P_FETCH, P_MEM_WR or BOFF"};

constexpr std::uint64_t bytes_of(std::string_view text) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    bytes |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  return bytes;
}
constexpr std::uint64_t kRead = bytes_of(" READ "), kWrite = bytes_of(" WRITE ");
constexpr std::uint64_t kReadMask = (std::uint64_t{1} << 48) - 1;
constexpr std::uint64_t kWriteMask = (std::uint64_t{1} << 56) - 1;

/// "0x1F40 READ 12", the line end included, with any number of blanks before the cycle.
const char* read_one(const char* at, TraceRequest& out) {
  at = skip_0x(at);
  if (at == nullptr) return nullptr;
  at = read_hex(at, out.address);
  if (at == nullptr) return nullptr;
  // One comparison for both words: which it is, is anybody's guess for the branch predictor.
  const std::uint64_t word = load_8(at);
  const bool writes = at[1] == 'W';
  if ((word & (writes ? kWriteMask : kReadMask)) != (writes ? kWrite : kRead)) return nullptr;
  out.direction = writes ? base::Direction::write : base::Direction::read;
  out.bytes = 0;
  at += writes ? 7 : 6;
  while (*at == ' ') ++at;
  at = read_decimal(at, out.cycle);
  return at == nullptr ? nullptr : skip_line_end(at);
}

base::Result<base::Direction> direction_of(std::string_view word, LineContext context) {
  const bool dramsim3_writes = std::find(kDramsim3WriteWords.begin(), kDramsim3WriteWords.end(),
                                         word) != kDramsim3WriteWords.end();
  if (context.options.dramsim3_words)
    return dramsim3_writes ? base::Direction::write : base::Direction::read;
  auto direction = read_operation(word, kWords, context);
  if (direction && *direction == base::Direction::write && !dramsim3_writes)
    ++context.counts.writes_dramsim3_reads;
  return direction;
}

}  // namespace

bool Dramsim3Line::recognises(std::string_view line) {
  const std::string_view address = next_word(line), word = next_word(line);
  return is_hex_word(address) && is_operation_word(word) && is_decimal_word(next_word(line));
}

UsualLines Dramsim3Line::read_usual(const char* at, const char* end,
                                    std::span<TraceRequest> out) const {
  return read_usual_lines(at, end, out, read_one);
}

base::Result<std::size_t> Dramsim3Line::read_line(std::string_view line, LineContext context,
                                                  std::span<TraceRequest, kRequestsALine> out) {
  const std::string_view address = next_word(line);
  if (address.empty()) return 0;
  const std::string_view word = next_word(line);
  const std::string_view cycle = next_word(line);
  if (cycle.empty())
    return context.refuse("missing_field", "the line has fewer than three fields", kLineForm);
  if (!next_word(line).empty())
    return context.refuse("extra_field", "the line has more than three fields", kLineForm);
  auto where = read_bare_address(address, 16, context);
  if (!where) return tl::unexpected(where.error());
  auto when = read_decimal_field(cycle, "cycle", context);
  if (!when) return tl::unexpected(when.error());
  auto direction = direction_of(word, context);
  if (!direction) return tl::unexpected(direction.error());
  out[0] = {.cycle = *when, .address = *where, .bytes = 0, .line = 0, .direction = *direction};
  return 1;
}

}  // namespace diffram::trace
