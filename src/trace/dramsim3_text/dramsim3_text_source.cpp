#include "trace/dramsim3_text/dramsim3_text_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

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

/// Digits from `at` on up to a character that is none; null if there are none or so many that they
/// may not fit into 64 bits.
template <unsigned kRadix, int kMost>
const char* read_digits(const char* at, std::uint64_t& number) {
  std::uint64_t value = 0;
  const char* const begin = at;
  for (unsigned digit = 0; (digit = kDigit[static_cast<unsigned char>(*at)]) < kRadix; ++at) {
    value = value * kRadix + digit;
  }
  number = value;
  return at == begin || at - begin > kMost ? nullptr : at;
}

/// A line as nearly all are, "0x1F40 READ 12" with single blanks, the line end included; gives
/// where the next one begins. Null for any other line: it takes the long way (some 900
/// instructions, here some 150). `end` is behind a line end.
const char* read_usual_line(const char* at, const char* end, TraceRequest& out) {
  constexpr std::ptrdiff_t kShortest = sizeof "0 WRITE 0\n" - 1;  // what is compared lies within
  if (end - at < kShortest) return nullptr;
  if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) at += 2;
  at = read_digits<16, 16>(at, out.address);
  if (at == nullptr || end - at < kShortest - 1) return nullptr;
  if (std::memcmp(at, " READ ", 6) == 0) {
    out.direction = base::Direction::read;
    at += 6;
  } else if (std::memcmp(at, " WRITE ", 7) == 0) {
    out.direction = base::Direction::write;
    at += 7;
  } else {
    return nullptr;
  }
  at = read_digits<10, 19>(at, out.cycle);
  if (at == nullptr) return nullptr;
  if (*at == '\r') ++at;
  return *at == '\n' ? at + 1 : nullptr;
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

base::Result<std::size_t> Dramsim3TextSource::read(std::span<TraceRequest> out) {
  if (!errors_.empty()) return tl::unexpected(std::exchange(errors_, {}));
  std::size_t count = 0;
  while (count < out.size()) {
    const std::string_view block = lines_.whole_lines();
    const char* at = block.data();
    const char* const end = at + block.size();
    const int before = lines_.number();
    int lines = 0;
    while (count < out.size()) {
      const char* const after = read_usual_line(at, end, out[count]);
      if (after == nullptr) break;
      at = after;
      out[count].line = before + ++lines;
      note(out[count++]);
    }
    lines_.pass(static_cast<std::size_t>(at - block.data()), lines);
    if (count == out.size()) break;
    // A line of another form, or one that is not in memory as a whole.
    auto more = next(out[count]);
    if (!more) {
      if (count == 0) return tl::unexpected(more.error());
      errors_ = std::move(more.error());
      break;
    }
    if (!*more) break;
    ++count;
  }
  return count;
}

base::Result<bool> Dramsim3TextSource::read_line(std::string_view line, TraceRequest& out) {
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
  out.line = lines_.number();
  note(out);
  return true;
}

void Dramsim3TextSource::note(const TraceRequest& request) {
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
