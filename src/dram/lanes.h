#pragma once
// Times of many banks at once: 16-bit numbers, eight to a block. SSE2 belongs to every x86-64 and
// has max and min of exactly this width, so what 16 banks need is two instructions; other machines
// take the plain twin, which gives the same numbers (tests/dram/lanes_test.cpp). What the loop over
// the cycles asks of 16 lanes at once is in lane_paths.h.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace diffram::dram {

inline constexpr std::uint32_t kLanes = 8;          ///< of a block
inline constexpr std::int16_t kNoLane = INT16_MAX;  ///< the time of a lane that is no candidate

/// Lanes of `banks`, in whole pairs of blocks: the loops below take two blocks a turn.
constexpr std::uint32_t whole_pairs(std::uint32_t banks) {
  return (banks + 2 * kLanes - 1) / (2 * kLanes) * (2 * kLanes);
}

/// One block. A mask has all bits of a lane set or none.
struct PlainLanes {
  std::int16_t lane[kLanes];

  template <class Each>
  static PlainLanes make(Each each) {
    PlainLanes out{};
    for (std::uint32_t i = 0; i < kLanes; ++i) out.lane[i] = static_cast<std::int16_t>(each(i));
    return out;
  }
  static PlainLanes load(const std::int16_t* from) {
    return make([=](auto i) { return from[i]; });
  }
  void store(std::int16_t* to) const { std::copy_n(lane, kLanes, to); }
  static PlainLanes all(std::int16_t value) {
    return make([=](auto) { return value; });
  }
  /// Mask of the lanes whose bit is set: bits 0 to 7, or 8 to 15 for the second block of a pair.
  template <bool kSecond = false>
  static PlainLanes of_bits(std::uint32_t bits) {
    return make([=](auto i) { return (bits >> (kSecond ? kLanes + i : i) & 1) != 0 ? -1 : 0; });
  }
  friend PlainLanes operator+(PlainLanes a, PlainLanes b) {
    return make([&](auto i) { return a.lane[i] + b.lane[i]; });
  }
  friend PlainLanes operator&(PlainLanes a, PlainLanes b) {
    return make([&](auto i) { return a.lane[i] & b.lane[i]; });
  }
  friend PlainLanes operator|(PlainLanes a, PlainLanes b) {
    return make([&](auto i) { return a.lane[i] | b.lane[i]; });
  }
  friend PlainLanes max(PlainLanes a, PlainLanes b) {
    return make([&](auto i) { return std::max(a.lane[i], b.lane[i]); });
  }
  friend PlainLanes min(PlainLanes a, PlainLanes b) {
    return make([&](auto i) { return std::min(a.lane[i], b.lane[i]); });
  }
  /// `a` in the lanes that `mask` has not.
  friend PlainLanes without(PlainLanes a, PlainLanes mask) {
    return make([&](auto i) { return a.lane[i] & ~mask.lane[i]; });
  }
  friend std::int16_t least(PlainLanes a) { return *std::min_element(a.lane, a.lane + kLanes); }
  /// Bit i: lane i of `low` is `value`; bit 8 + i: lane i of `high` is.
  friend std::uint32_t equal_bits(PlainLanes low, PlainLanes high, PlainLanes value) {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      bits |= std::uint32_t{low.lane[i] == value.lane[i]} << i;
      bits |= std::uint32_t{high.lane[i] == value.lane[i]} << (kLanes + i);
    }
    return bits;
  }
};

#if defined(__SSE2__)

struct Sse2Lanes {
  __m128i block;

  static Sse2Lanes load(const std::int16_t* from) {  // aligned to 16 bytes
    return {_mm_load_si128(reinterpret_cast<const __m128i*>(from))};
  }
  void store(std::int16_t* to) const { _mm_store_si128(reinterpret_cast<__m128i*>(to), block); }
  static Sse2Lanes all(std::int16_t value) { return {_mm_set1_epi16(value)}; }
  template <bool kSecond = false>
  static Sse2Lanes of_bits(std::uint32_t bits) {
    const __m128i each = kSecond
                             ? _mm_setr_epi16(256, 512, 1024, 2048, 4096, 8192, 16384, INT16_MIN)
                             : _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
    const __m128i every = _mm_set1_epi16(static_cast<std::int16_t>(bits));
    return {_mm_cmpeq_epi16(_mm_and_si128(every, each), each)};
  }
  friend Sse2Lanes operator+(Sse2Lanes a, Sse2Lanes b) { return {_mm_add_epi16(a.block, b.block)}; }
  friend Sse2Lanes operator&(Sse2Lanes a, Sse2Lanes b) { return {_mm_and_si128(a.block, b.block)}; }
  friend Sse2Lanes operator|(Sse2Lanes a, Sse2Lanes b) { return {_mm_or_si128(a.block, b.block)}; }
  friend Sse2Lanes max(Sse2Lanes a, Sse2Lanes b) { return {_mm_max_epi16(a.block, b.block)}; }
  friend Sse2Lanes min(Sse2Lanes a, Sse2Lanes b) { return {_mm_min_epi16(a.block, b.block)}; }
  friend Sse2Lanes without(Sse2Lanes a, Sse2Lanes mask) {
    return {_mm_andnot_si128(mask.block, a.block)};
  }
  friend std::int16_t least(Sse2Lanes a) {
    __m128i low = _mm_min_epi16(a.block, _mm_shuffle_epi32(a.block, 0x4E));
    low = _mm_min_epi16(low, _mm_shuffle_epi32(low, 0xB1));
    low = _mm_min_epi16(low, _mm_srli_epi32(low, 16));
    return static_cast<std::int16_t>(_mm_cvtsi128_si32(low));
  }
  friend std::uint32_t equal_bits(Sse2Lanes low, Sse2Lanes high, Sse2Lanes value) {
    const __m128i a = _mm_cmpeq_epi16(low.block, value.block);
    const __m128i b = _mm_cmpeq_epi16(high.block, value.block);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(a, b)));
  }
};
using Lanes = Sse2Lanes;
#else
using Lanes = PlainLanes;
#endif

}  // namespace diffram::dram
