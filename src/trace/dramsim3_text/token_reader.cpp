#include "trace/dramsim3_text/token_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

namespace diffram::trace {

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
constexpr std::array<std::string_view, 4> kWriteWords = {"WRITE", "write", "P_MEM_WR", "BOFF"};
constexpr std::size_t kLongestWord = 16;  // all that a comparison with kWriteWords needs
constexpr std::uint8_t kNoDigit = 0xFF;

/// Values of hexadecimal digits by character.
constexpr std::array<std::uint8_t, 256> kDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::uint8_t i = 0; i < 10; ++i) digits['0' + i] = i;
  for (std::uint8_t i = 0; i < 6; ++i)
    digits['a' + i] = digits['A' + i] = static_cast<std::uint8_t>(10 + i);
  return digits;
}();

bool is_blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

TokenReader::TokenReader(std::unique_ptr<ByteSource> bytes)
    : bytes_(std::move(bytes)), buffer_(kBufferBytes) {}

bool TokenReader::fill() {
  if (!errors_.empty()) return false;
  auto count = bytes_->read(buffer_);
  begin_ = 0;
  end_ = 0;
  if (!count) {
    errors_ = count.error();
    return false;
  }
  end_ = *count;
  return end_ > 0;
}

bool TokenReader::skip_blanks() {
  if (broken_ || at_end_) {
    broken_ = true;
    return false;
  }
  int c = peek();
  while (is_blank(c)) {
    if (c == '\n' && lines_ended_ < std::numeric_limits<int>::max()) ++lines_ended_;
    ++begin_;
    c = peek();
  }
  broken_ = c == kEnd;
  return !broken_;
}

// As libstdc++ does it: a sign, "0x" before hexadecimal digits, then as many digits as there are. A
// number beyond 64 bits becomes the largest one; that and a number without digits break the stream.
bool TokenReader::read_number(unsigned radix, std::uint64_t& out) {
  if (!skip_blanks()) return false;
  int c = peek();
  const bool negative = c == '-';
  if (c == '-' || c == '+') {
    ++begin_;
    c = peek();
  }
  bool any = false, too_large = false;
  if (radix == 16 && c == '0') {
    any = true;
    ++begin_;
    c = peek();
    if (c == 'x' || c == 'X') {
      any = false;
      ++begin_;
      c = peek();
    }
  }
  std::uint64_t value = 0;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  while (c != kEnd && kDigits[static_cast<std::size_t>(c)] < radix) {
    const std::uint64_t digit = kDigits[static_cast<std::size_t>(c)];
    too_large = too_large || value > (kMost - digit) / radix;
    value = value * radix + digit;
    any = true;
    ++begin_;
    c = peek();
  }
  broken_ = !any || too_large;
  out = too_large ? kMost : negative ? 0 - value : value;
  return !broken_;
}

bool TokenReader::read_word() {
  word_.clear();
  if (!skip_blanks()) return false;
  for (int c = peek(); c != kEnd && !is_blank(c); c = peek()) {
    if (word_.size() < kLongestWord) word_.push_back(static_cast<char>(c));
    ++begin_;
  }
  return true;
}

base::Result<int> TokenReader::next(TokenRequest& request) {
  int fields = 0;
  request.is_write = false;
  const bool was_broken = broken_;
  const bool has_address = read_number(16, request.address);
  if (!was_broken) line_ = lines_ended_ + 1;
  if (has_address) {
    ++fields;
    if (read_word()) {
      ++fields;
      request.is_write =
          std::find(kWriteWords.begin(), kWriteWords.end(), word_) != kWriteWords.end();
      if (read_number(10, request.cycle)) ++fields;
    }
  }
  if (!errors_.empty()) return tl::unexpected(errors_);
  return fields;
}

}  // namespace diffram::trace
