#include "dram/lane_paths.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "dram/simd_path.h"

namespace diffram::dram {
namespace {

using Times = std::array<std::int16_t, kLanes>;

// What the engine does with lanes, by either implementation.
template <class Some>
std::array<Times, 8> all_operations(const Times& first, const Times& second, std::uint32_t bits,
                                    std::int16_t value) {
  alignas(16) Times left = first;
  alignas(16) Times right = second;
  const Some a = Some::load(left.data());
  const Some b = Some::load(right.data());
  const Some mask = Some::of_bits(bits);
  const Some of_second = Some::template of_bits<true>(bits);
  std::array<Times, 8> out{};
  const auto put = [&out](std::size_t at, Some lanes) {
    alignas(16) Times stored;
    lanes.store(stored.data());
    out[at] = stored;
  };
  put(0, a + b);
  put(1, a & b);
  put(2, a | b);
  put(3, max(a, b));
  put(4, min(a, b));
  put(5, without(a, mask));
  put(6, max(mask, Some::all(value)) | of_second);
  out[7] = {least(a), static_cast<std::int16_t>(equal_bits(a, b, Some::all(value)))};
  return out;
}

TEST(Lanes, vectors_and_their_plain_twin_give_the_same_numbers) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    Times a;
    Times b;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      a[i] = static_cast<std::int16_t>(random());
      b[i] = static_cast<std::int16_t>(random());
      if (random() % 4 == 0) b[i] = a[0];
    }
    const auto bits = static_cast<std::uint32_t>(random() & 0xFFFF);
    ASSERT_EQ(all_operations<Lanes>(a, b, bits, a[0]),
              all_operations<PlainLanes>(a, b, bits, a[0]));
  }
}

/// What the loop over the cycles asks of 16 lanes and more, by one of the paths.
struct Asked {
  std::vector<std::int16_t> lifted, lifted_all;
  FirstOf16 first;
};

template <class Path>
Asked ask(LaneArray next, const LaneArray& offsets, const ScanOf16& scan, std::int16_t t) {
  Asked asked;
  Path::lift(next.data(), offsets.data(), next.size(), t);
  asked.lifted.assign(next.begin(), next.end());
  Path::lift_all(next.data() + kLanes, next.size() - kLanes, static_cast<std::int16_t>(t + 50));
  asked.lifted_all.assign(next.begin(), next.end());
  asked.first = Path::first(scan);
  return asked;
}

void expect_same(const Asked& path, const Asked& plain) {
  ASSERT_EQ(path.lifted, plain.lifted);
  ASSERT_EQ(path.lifted_all, plain.lifted_all);
  ASSERT_EQ(path.first.time, plain.first.time);
  ASSERT_EQ(path.first.bits, plain.first.bits);
}

TEST(LanePaths, all_give_the_same_numbers) {
  std::mt19937_64 random(2);
  const auto times = [&random](std::size_t lanes) {
    LaneArray out(lanes);
    for (std::int16_t& each : out) each = static_cast<std::int16_t>(random() % 300);
    return out;
  };
  for (int round = 0; round < 2000; ++round) {
    LaneArray offsets = times(48);
    for (std::int16_t& each : offsets) {
      if (random() % 3 == 0) each = INT16_MIN;  // no such rule
    }
    LaneArray visible = times(16);
    for (std::int16_t& each : visible) {
      if (random() % 4 == 0 || round % 50 == 0) each = kNoLane;
      if (random() % 4 == 0) each = INT16_MIN;
    }
    const LaneArray column = times(16);
    const LaneArray activate = times(16);
    const LaneArray precharge = times(16);
    const ScanOf16 scan{column.data(),
                        activate.data(),
                        precharge.data(),
                        visible.data(),
                        static_cast<std::uint32_t>(random() & 0xFFFF),
                        static_cast<std::uint32_t>(random() & 0xFFFF),
                        static_cast<std::int16_t>(random() % 300)};
    const LaneArray next = times(48);
    const auto t = static_cast<std::int16_t>(random() % 16'000);
    const Asked plain = ask<PlainPath>(next, offsets, scan, t);
    expect_same(ask<BasePath>(next, offsets, scan, t), plain);
#if DIFFRAM_HAS_AVX2_PATH
    if (is_available(SimdPath::avx2)) expect_same(ask<Avx2Path>(next, offsets, scan, t), plain);
#endif
    if (HasFatalFailure()) return;
  }
}

TEST(LanePaths, every_path_has_a_name_and_plain_is_always_there) {
  for (const SimdPath path : {SimdPath::plain, SimdPath::sse2, SimdPath::avx2}) {
    EXPECT_EQ(simd_path_named(name_of(path)), path);
  }
  EXPECT_EQ(simd_path_named("avx512"), std::nullopt);
  EXPECT_TRUE(is_available(SimdPath::plain));
  EXPECT_TRUE(is_available(chosen_simd_path()));
}

TEST(Lanes, lift_raises_to_the_offset_from_now_and_never_lowers) {
  alignas(32) std::array<std::int16_t, 2 * kLanes> next{};
  alignas(32) std::array<std::int16_t, 2 * kLanes> offsets;
  offsets.fill(INT16_MIN);
  next[3] = 120;
  offsets[3] = 10;
  offsets[12] = 30;
  BasePath::lift(next.data(), offsets.data(), next.size(), 100);
  EXPECT_EQ(next[3], 120);
  EXPECT_EQ(next[12], 130);
  EXPECT_EQ(next[0], 0);
}

}  // namespace
}  // namespace diffram::dram
