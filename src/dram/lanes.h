#pragma once
// Times of many banks at once: 16-bit numbers, eight to a block. SSE2 belongs to every x86-64 and has
// max and min of exactly this width, so 16 banks are two instructions; other machines take the plain
// twin, which gives the same numbers (tests/dram/lanes_test.cpp).

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace diffram::dram {

inline constexpr std::uint32_t kLanes = 8;         ///< of a block
inline constexpr std::int16_t kNoLane = INT16_MAX;  ///< the time of a lane that is no candidate

namespace plain {

/// next[i] = max(next[i], t + offsets[i]); the sums must fit.
inline void lift(std::int16_t* next, const std::int16_t* offsets, std::size_t blocks,
                 std::int16_t t) {
  for (std::size_t i = 0; i < blocks * kLanes; ++i) {
    next[i] = std::max(next[i], static_cast<std::int16_t>(t + offsets[i]));
  }
}

/// out[i] = max(next[i], visible[i], t) where bit i is set, else kNoLane.
inline void wait_times(const std::int16_t* next, const std::int16_t* visible, std::uint32_t bits,
                       std::int16_t t, std::int16_t* out) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    out[i] = (bits >> i & 1) != 0 ? std::max({next[i], visible[i], t}) : kNoLane;
  }
}

/// The same with next[i] from one of two arrays: `a` where its bit is set, `b` where that one's is.
inline void wait_times(const std::int16_t* a, std::uint32_t a_bits, const std::int16_t* b,
                       std::uint32_t b_bits, const std::int16_t* visible, std::int16_t t,
                       std::int16_t* out) {
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const std::int16_t next = (a_bits >> i & 1) != 0 ? a[i] : b[i];
    out[i] = ((a_bits | b_bits) >> i & 1) != 0 ? std::max({next, visible[i], t}) : kNoLane;
  }
}

inline std::int16_t least(const std::int16_t* times, std::size_t blocks) {
  return *std::min_element(times, times + blocks * kLanes);
}

/// Bit i: times[i] == t.
inline std::uint32_t equal(const std::int16_t* times, std::int16_t t) {
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) bits |= std::uint32_t{times[i] == t} << i;
  return bits;
}

}  // namespace plain

#if defined(__SSE2__)

namespace sse2 {

inline __m128i load(const std::int16_t* p) { return _mm_load_si128(reinterpret_cast<const __m128i*>(p)); }
inline void store(std::int16_t* p, __m128i v) { _mm_store_si128(reinterpret_cast<__m128i*>(p), v); }

/// All ones in the lanes whose bit is set.
inline __m128i lanes_of(std::uint32_t bits) {
  const __m128i each = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
  const __m128i all = _mm_set1_epi16(static_cast<std::int16_t>(bits));
  return _mm_cmpeq_epi16(_mm_and_si128(all, each), each);
}

inline void lift(std::int16_t* next, const std::int16_t* offsets, std::size_t blocks,
                 std::int16_t t) {
  const __m128i from = _mm_set1_epi16(t);
  for (std::size_t i = 0; i < blocks * kLanes; i += kLanes) {
    store(next + i, _mm_max_epi16(load(next + i), _mm_add_epi16(load(offsets + i), from)));
  }
}

inline void wait_times(const std::int16_t* next, const std::int16_t* visible, std::uint32_t bits,
                       std::int16_t t, std::int16_t* out) {
  const __m128i none = _mm_andnot_si128(lanes_of(bits), _mm_set1_epi16(kNoLane));
  const __m128i times = _mm_max_epi16(_mm_max_epi16(load(next), load(visible)), _mm_set1_epi16(t));
  store(out, _mm_or_si128(times, none));
}

inline void wait_times(const std::int16_t* a, std::uint32_t a_bits, const std::int16_t* b,
                       std::uint32_t b_bits, const std::int16_t* visible, std::int16_t t,
                       std::int16_t* out) {
  const __m128i of_a = lanes_of(a_bits);
  const __m128i of_b = lanes_of(b_bits);
  const __m128i next = _mm_or_si128(_mm_and_si128(of_a, load(a)), _mm_and_si128(of_b, load(b)));
  const __m128i none = _mm_andnot_si128(_mm_or_si128(of_a, of_b), _mm_set1_epi16(kNoLane));
  const __m128i times = _mm_max_epi16(_mm_max_epi16(next, load(visible)), _mm_set1_epi16(t));
  store(out, _mm_or_si128(times, none));
}

inline std::int16_t least(const std::int16_t* times, std::size_t blocks) {
  __m128i low = load(times);
  for (std::size_t i = kLanes; i < blocks * kLanes; i += kLanes) low = _mm_min_epi16(low, load(times + i));
  low = _mm_min_epi16(low, _mm_shuffle_epi32(low, 0x4E));
  low = _mm_min_epi16(low, _mm_shuffle_epi32(low, 0xB1));
  low = _mm_min_epi16(low, _mm_srli_epi32(low, 16));
  return static_cast<std::int16_t>(_mm_extract_epi16(low, 0));
}

inline std::uint32_t equal(const std::int16_t* times, std::int16_t t) {
  const __m128i same = _mm_cmpeq_epi16(load(times), _mm_set1_epi16(t));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(same, _mm_setzero_si128())));
}

}  // namespace sse2
using namespace sse2;
#else
using namespace plain;
#endif

/// next[i] = max(next[i], t) of any `count` lanes.
inline void lift_all(std::int16_t* next, std::size_t count, std::int16_t t) {
#if defined(__SSE2__)
  const __m128i from = _mm_set1_epi16(t);
  for (; count >= kLanes; count -= kLanes, next += kLanes) {
    auto* const block = reinterpret_cast<__m128i*>(next);
    _mm_storeu_si128(block, _mm_max_epi16(_mm_loadu_si128(block), from));
  }
#endif
  for (std::size_t i = 0; i < count; ++i) next[i] = std::max(next[i], t);
}

}  // namespace diffram::dram
