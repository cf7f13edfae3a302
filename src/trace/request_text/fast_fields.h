#pragma once
// Numbers of a text trace, 8 or 16 digits at a time: a digit-by-digit loop is half of the time that
// reading takes, and its branches are mispredicted. What is loaded beyond the number lies within
// LineReader's margin.

#include <emmintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace diffram::trace {

inline std::uint64_t load_8(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

/// Hexadecimal digits from `at` on up to a character that is none; null if there are none or more
/// than 16.
inline const char* read_hex(const char* at, std::uint64_t& number) {
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i digit = _mm_sub_epi8(text, _mm_set1_epi8('0'));
  const __m128i letter = _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
  const auto at_most = [](__m128i values, char most) {
    return _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(most)), values);
  };
  const __m128i is_digit = at_most(digit, 9), is_letter = at_most(letter, 5);
  const auto stops =
      ~static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter)));
  const int count = std::countr_zero(stops);  // 16 if all are digits: the mask has 16 bits
  if (count == 0) return nullptr;
  const __m128i values =
      _mm_or_si128(_mm_and_si128(digit, is_digit),
                   _mm_and_si128(_mm_add_epi8(letter, _mm_set1_epi8(10)), is_letter));
  // Two digits a byte, the first one high; then the first byte to the top.
  const __m128i pairs = _mm_and_si128(
      _mm_or_si128(_mm_slli_epi16(values, 4), _mm_srli_epi16(values, 8)), _mm_set1_epi16(0xFF));
  const auto packed = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs)));
  number = __builtin_bswap64(packed) >> (4 * (16 - count));
  if (count == 16) {
    const auto next = static_cast<unsigned>(static_cast<unsigned char>(at[16]));
    if (next - '0' < 10u || (next | 0x20u) - 'a' < 6u) return nullptr;
  }
  return at + count;
}

/// Decimal digits from `at` on up to a character that is none; null if there are none or so many
/// that they may not fit into 64 bits.
inline const char* read_decimal(const char* at, std::uint64_t& number) {
  constexpr std::uint64_t kZeros = 0x3030303030303030u;
  constexpr std::uint64_t kTops = 0x8080808080808080u;
  constexpr std::uint64_t kScales[9] = {1,       10,        100,        1'000,      10'000,
                                        100'000, 1'000'000, 10'000'000, 100'000'000};
  const char* const begin = at;
  std::uint64_t value = 0;
  while (true) {
    std::uint64_t digits = load_8(at) ^ kZeros;  // 0 to 9 where there is a digit
    const std::uint64_t stops = (digits | ((digits & ~kTops) + 0x7676767676767676u)) & kTops;
    const int count = std::countr_zero(stops) / 8;  // 8 if there is no stop
    if (count == 0) break;
    digits <<= 8 * (8 - count);  // zeros in front
    digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFu;
    digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFFu;
    digits = (digits * 10'000 + (digits >> 32)) & 0xFFFFFFFFu;
    value = value * kScales[count] + digits;
    at += count;
    if (count < 8) break;
    if (at - begin > 19) return nullptr;
  }
  number = value;
  return at == begin || at - begin > 19 ? nullptr : at;
}

/// Behind "0x" or "0X"; null if it is not there.
inline const char* skip_0x(const char* at) {
  return at[0] == '0' && (at[1] | 0x20) == 'x' ? at + 2 : nullptr;
}

inline const char* skip_blanks(const char* at) {
  while (*at == ' ' || *at == '\t') ++at;
  return at;
}

/// The begin of the next line if `at` is the end of one; else null.
inline const char* skip_line_end(const char* at) {
  if (*at == '\r') ++at;
  return *at == '\n' ? at + 1 : nullptr;
}

}  // namespace diffram::trace
