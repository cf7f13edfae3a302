#include "dram/lanes.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

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

TEST(Lanes, lift_raises_to_the_offset_from_now_and_never_lowers) {
  alignas(16) std::array<std::int16_t, 2 * kLanes> next{};
  alignas(16) std::array<std::int16_t, 2 * kLanes> offsets;
  offsets.fill(INT16_MIN);
  next[3] = 120;
  offsets[3] = 10;
  offsets[12] = 30;
  lift(next.data(), offsets.data(), next.size(), 100);
  EXPECT_EQ(next[3], 120);
  EXPECT_EQ(next[12], 130);
  EXPECT_EQ(next[0], 0);
}

}  // namespace
}  // namespace diffram::dram
