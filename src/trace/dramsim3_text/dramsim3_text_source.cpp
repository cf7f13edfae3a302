#include "trace/dramsim3_text/dramsim3_text_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

#include "trace/input/trace_error.h"
#include "trace/input/words.h"

namespace diffram::trace {

namespace {

constexpr std::string_view kLineForm = "\"hexaddress op cycle\", such as \"0x1F40 READ 12\"";
/// Words of DRAMsim3 and of the traces of DRAMSim2 that it took over.
constexpr std::array<std::string_view, 6> kReadWords = {"R",       "READ",   "P_MEM_RD",
                                                        "P_FETCH", "IFETCH", "P_LOCK_RD"};
constexpr std::array<std::string_view, 4> kWriteWords = {"W", "WRITE", "P_MEM_WR", "BOFF"};
constexpr std::array<std::string_view, 4> kDramsim3WriteWords = {"WRITE", "write", "P_MEM_WR",
                                                                 "BOFF"};

bool equals_in_any_case(std::string_view word, std::string_view upper) {
  return std::equal(word.begin(), word.end(), upper.begin(), upper.end(), [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == b;
  });
}

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view known) { return equals_in_any_case(word, known); });
}

/// The value of each hexadecimal digit, 16 for other characters.
constexpr std::array<std::uint8_t, 256> kDigit = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(16);
  for (int i = 0; i < 10; ++i) values['0' + i] = static_cast<std::uint8_t>(i);
  for (int i = 0; i < 6; ++i) {
    values['a' + i] = values['A' + i] = static_cast<std::uint8_t>(10 + i);
  }
  return values;
}();

/// Digits at `at` that fit into 64 bits however large they are; 0 if there is none or too many.
template <unsigned kRadix, int kMost>
const char* read_digits(const char* at, const char* end, std::uint64_t& number) {
  std::uint64_t value = 0;  // not `number`: the table's bytes might be its own
  const char* const begin = at;
  for (; at != end; ++at) {
    const unsigned digit = kDigit[static_cast<unsigned char>(*at)];
    if (digit >= kRadix) break;
    value = value * kRadix + digit;
  }
  number = value;
  return at == begin || at - begin > kMost ? nullptr : at;
}

/// A line as nearly all are: "0x1F40 READ 12", one blank between its fields and nothing behind, or
/// more than one blank before the last. Any other line takes the long way (1,000 instructions
/// instead of 200).
bool read_usual_line(std::string_view line, TraceRequest& out) {
  const char* at = line.data();
  const char* const end = at + line.size();
  if (line.size() > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') at += 2;
  at = read_digits<16, 16>(at, end, out.address);
  if (at == nullptr || end - at < 8 || *at != ' ') return false;
  if (std::memcmp(at, " READ ", 6) == 0) {
    out.direction = base::Direction::read;
    at += 6;
  } else if (std::memcmp(at, " WRITE ", 7) == 0) {
    out.direction = base::Direction::write;
    at += 7;
  } else {
    return false;
  }
  while (at != end && *at == ' ') ++at;
  return read_digits<10, 19>(at, end, out.cycle) == end && at != end;
}

}  // namespace

base::Result<bool> Dramsim3TextSource::next(TraceRequest& out) {
  std::string_view line;
  while (true) {
    auto more = lines_.next(line);
    if (!more || !*more) return more;
    auto is_request = read_line(line, out);
    if (!is_request || *is_request) return is_request;
  }
}

base::Result<bool> Dramsim3TextSource::read_line(std::string_view line, TraceRequest& out) {
  if (read_usual_line(line, out)) {
    count(out);
    return true;
  }
  std::string_view rest = line;
  std::string_view address = next_word(rest);
  if (address.empty()) return false;
  const std::string_view word = next_word(rest);
  const std::string_view cycle = next_word(rest);
  const auto refuse = [&](const char* code, std::string message) {
    return error_in(lines_.file(), lines_.number(), code, std::move(message),
                    std::string(kLineForm));
  };
  if (cycle.empty()) return refuse("missing_field", "the line has fewer than three fields");
  if (!next_word(rest).empty()) return refuse("extra_field", "the line has more than three fields");
  std::string_view digits = address;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  if (!read_number(digits, 16, out.address)) {
    return refuse("bad_address",
                  fmt::format("\"{}\" is no hexadecimal address of 64 bits", shown(address)));
  }
  if (!read_number(cycle, 10, out.cycle)) {
    return refuse("bad_cycle", fmt::format("\"{}\" is no decimal cycle of 64 bits", shown(cycle)));
  }
  const auto direction = direction_of(word);
  if (!direction) return tl::unexpected(direction.error());
  out.direction = *direction;
  count(out);
  return true;
}

void Dramsim3TextSource::count(const TraceRequest& request) {
  ++(request.direction == base::Direction::write ? counts_.writes : counts_.reads);
  if (request.cycle < last_cycle_) ++counts_.cycles_going_back;
  last_cycle_ = request.cycle;
}

base::Result<base::Direction> Dramsim3TextSource::direction_of(std::string_view word) {
  const bool dramsim3_writes = std::find(kDramsim3WriteWords.begin(), kDramsim3WriteWords.end(),
                                         word) != kDramsim3WriteWords.end();
  if (options_.dramsim3_words) {
    return dramsim3_writes ? base::Direction::write : base::Direction::read;
  }
  if (is_one_of(word, kWriteWords)) {
    if (!dramsim3_writes) ++counts_.writes_dramsim3_reads;
    return base::Direction::write;
  }
  if (is_one_of(word, kReadWords)) return base::Direction::read;
  if (options_.lenient) {
    ++counts_.unknown_words;
    return base::Direction::read;
  }
  return error_in(lines_.file(), lines_.number(), "unknown_operation",
                  fmt::format("\"{}\" is no operation", shown(word)),
                  "READ, WRITE, R, W, P_MEM_RD, P_FETCH, P_MEM_WR or BOFF; --lenient takes any "
                  "other word for a read");
}

}  // namespace diffram::trace
