#pragma once
// Four 32-bit lanes in one register: SSE2 has it, and other machines their own of this width.

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace diffram::ctrl::compat {

using Four [[gnu::vector_size(16)]] = std::int32_t;
inline constexpr std::size_t kFour = 4;

template <class Lane>
Four load_four(const Lane* from) {
  static_assert(sizeof(Lane) * kFour == sizeof(Four));
  Four out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
template <class Lane>
void store_four(Four four, Lane* to) {
  static_assert(sizeof(Lane) * kFour == sizeof(Four));
  std::memcpy(to, &four, sizeof four);
}
inline Four all_four(std::int32_t value) { return Four{value, value, value, value}; }
inline Four lesser(Four a, Four b) { return a < b ? a : b; }
inline Four greater(Four a, Four b) { return a > b ? a : b; }
/// Lanes 1 to 3, then one with all bits set.
inline Four moved_up(Four four) {
  constexpr Four kLast = {0, 0, 0, -1};
#if defined(__SSE2__)
  __m128i lanes;
  std::memcpy(&lanes, &four, sizeof lanes);
  lanes = _mm_srli_si128(lanes, 4);
  std::memcpy(&four, &lanes, sizeof lanes);
  return four | kLast;
#else
  return __builtin_shufflevector(four, kLast, 1, 2, 3, 7);
#endif
}
inline std::int32_t least_of(Four four) {
  return std::min(std::min(four[0], four[1]), std::min(four[2], four[3]));
}

/// Bit i: lane i of the mask is set.
inline std::uint32_t bits_of(Four mask) {
#if defined(__SSE2__)
  __m128 lanes;
  std::memcpy(&lanes, &mask, sizeof lanes);
  return static_cast<std::uint32_t>(_mm_movemask_ps(lanes));
#else
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kFour; ++i) bits |= std::uint32_t{mask[i] != 0} << i;
  return bits;
#endif
}

}  // namespace diffram::ctrl::compat
