#pragma once
// The code paths of the engine (simd_path.h). What the hot loops ask of 16 lanes at once is written
// once for blocks of eight (SSE2, and the plain twin) and once for AVX2, whose registers hold all
// 16; tests/dram/lanes_test.cpp compares them.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dram/lanes.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define DIFFRAM_HAS_AVX2_PATH 1
#include <immintrin.h>
/// For functions of the AVX2 path: what else every machine with AVX2 has comes with it.
#define DIFFRAM_ON_AVX2 gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")
#else
#define DIFFRAM_HAS_AVX2_PATH 0
#endif

namespace diffram::dram {

/// Lanes in memory, for loads of any path.
class LaneArray {
 public:
  explicit LaneArray(std::size_t lanes, std::int16_t value = 0)
      : pairs_(whole_pairs(static_cast<std::uint32_t>(lanes)) / (2 * kLanes)) {
    std::fill_n(data(), pairs_.size() * 2 * kLanes, value);
  }
  std::int16_t* data() { return reinterpret_cast<std::int16_t*>(pairs_.data()); }
  const std::int16_t* data() const { return reinterpret_cast<const std::int16_t*>(pairs_.data()); }
  std::size_t size() const { return pairs_.size() * 2 * kLanes; }
  std::int16_t& operator[](std::size_t lane) { return data()[lane]; }
  std::int16_t operator[](std::size_t lane) const { return data()[lane]; }
  std::int16_t* begin() { return data(); }
  std::int16_t* end() { return data() + size(); }

 private:
  struct alignas(32) Pair {
    std::int16_t lane[2 * kLanes];
  };
  std::vector<Pair> pairs_;
};

/// The next command of 16 banks: a hit's column command, else what its row needs.
struct ScanOf16 {
  const std::int16_t *column, *activate, *precharge, *visible;
  std::uint32_t hits, open;  ///< bit = lane
  std::int16_t now;          ///< ≥ 0; nothing issues before
};
struct FirstOf16 {
  std::int16_t time;   ///< the least; kNoLane if no bank has a command
  std::uint32_t bits;  ///< lanes that have it
};

template <class L>
struct PathOf {
  /// next[i] = max(next[i], t + offsets[i]) in whole pairs of blocks; the sums must fit into 16
  /// bits.
  static void lift(std::int16_t* next, const std::int16_t* offsets, std::size_t lanes,
                   std::int16_t t) {
    const L from = L::all(t);
    std::size_t i = 0;
    do {
      max(L::load(next + i), L::load(offsets + i) + from).store(next + i);
      const std::size_t j = i + kLanes;
      max(L::load(next + j), L::load(offsets + j) + from).store(next + j);
      i += 2 * kLanes;
    } while (i < lanes);
  }
  /// next[i] = max(next[i], t) in whole blocks.
  static void lift_all(std::int16_t* next, std::size_t lanes, std::int16_t t) {
    const L from = L::all(t);
    for (std::size_t i = 0; i < lanes; i += kLanes) max(L::load(next + i), from).store(next + i);
  }
  static FirstOf16 first(const ScanOf16& scan) {
    const L low = times<false>(scan, 0);
    const L high = times<true>(scan, kLanes);
    const std::int16_t time = least(min(low, high));
    return {time, equal_bits(low, high, L::all(time))};
  }

 private:
  template <bool kSecond>
  static L times(const ScanOf16& scan, std::size_t at) {
    const L of_hits = L::template of_bits<kSecond>(scan.hits);
    const L of_open = L::template of_bits<kSecond>(scan.open);
    const L row =
        (L::load(scan.precharge + at) & of_open) | without(L::load(scan.activate + at), of_open);
    const L next = (L::load(scan.column + at) & of_hits) | without(row, of_hits);
    return max(max(next, L::load(scan.visible + at)), L::all(scan.now));
  }
};

using PlainPath = PathOf<PlainLanes>;
/// The path of machines of which nothing is known.
using BasePath = PathOf<Lanes>;

#if DIFFRAM_HAS_AVX2_PATH
struct Avx2Path {
  [[DIFFRAM_ON_AVX2]] static void lift(std::int16_t* next, const std::int16_t* offsets,
                                       std::size_t lanes, std::int16_t t) {
    const __m256i from = _mm256_set1_epi16(t);
    std::size_t i = 0;
    do {
      store(next + i, _mm256_max_epi16(load(next + i), _mm256_add_epi16(load(offsets + i), from)));
      i += 2 * kLanes;
    } while (i < lanes);
  }
  [[DIFFRAM_ON_AVX2]] static void lift_all(std::int16_t* next, std::size_t lanes, std::int16_t t) {
    const __m256i from = _mm256_set1_epi16(t);
    std::size_t i = 0;
    for (; i + 2 * kLanes <= lanes; i += 2 * kLanes) {
      store(next + i, _mm256_max_epi16(load(next + i), from));
    }
    if (i == lanes) return;
    auto* const rest = reinterpret_cast<__m128i*>(next + i);
    _mm_storeu_si128(rest, _mm_max_epi16(_mm_loadu_si128(rest), _mm256_castsi256_si128(from)));
  }
  [[DIFFRAM_ON_AVX2]] static FirstOf16 first(const ScanOf16& scan) {
    const __m256i each = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                           8192, 16384, INT16_MIN);
    const __m256i hits = _mm256_set1_epi16(static_cast<std::int16_t>(scan.hits));
    const __m256i open = _mm256_set1_epi16(static_cast<std::int16_t>(scan.open));
    const __m256i row = _mm256_blendv_epi8(load(scan.activate), load(scan.precharge),
                                           _mm256_cmpeq_epi16(_mm256_and_si256(open, each), each));
    const __m256i next = _mm256_blendv_epi8(row, load(scan.column),
                                            _mm256_cmpeq_epi16(_mm256_and_si256(hits, each), each));
    const __m256i times =
        _mm256_max_epi16(_mm256_max_epi16(next, load(scan.visible)), _mm256_set1_epi16(scan.now));
    // No time is negative, so the minimum of unsigned numbers serves.
    const __m128i least = _mm_minpos_epu16(
        _mm_min_epu16(_mm256_castsi256_si128(times), _mm256_extracti128_si256(times, 1)));
    const __m256i equal = _mm256_cmpeq_epi16(times, _mm256_broadcastw_epi16(least));
    const __m128i packed =
        _mm_packs_epi16(_mm256_castsi256_si128(equal), _mm256_extracti128_si256(equal, 1));
    return {static_cast<std::int16_t>(_mm_cvtsi128_si32(least)),
            static_cast<std::uint32_t>(_mm_movemask_epi8(packed))};
  }

 private:
  [[DIFFRAM_ON_AVX2]] static __m256i load(const std::int16_t* from) {
    return _mm256_loadu_si256(  // the banks of a rank may begin in the middle of a pair
        reinterpret_cast<const __m256i*>(from));
  }
  [[DIFFRAM_ON_AVX2]] static void store(std::int16_t* to, __m256i lanes) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), lanes);
  }
};
#endif

}  // namespace diffram::dram
