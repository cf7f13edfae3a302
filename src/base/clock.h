#pragma once
// A clock is a rational number of femtoseconds a period: 2.4 GHz is 2500/6 ps, not 416 ps.

#include <cstdint>
#include <numeric>

#include "base/quantities.h"

namespace diffram::base {

// Products of two 64-bit numbers need 128 bits; __extension__ keeps -Wpedantic quiet.
__extension__ using WideInteger = __int128;

class Clock {
 public:
  constexpr Clock() = default;
  /// Period = numerator / denominator femtoseconds, both positive.
  constexpr Clock(std::int64_t numerator_fs, std::int64_t denominator)
      : numerator_(numerator_fs / std::gcd(numerator_fs, denominator)),
        denominator_(denominator / std::gcd(numerator_fs, denominator)) {}

  /// `hertz` periods a second, exactly.
  static constexpr Clock from_hertz(std::int64_t hertz) {
    return Clock(1'000'000'000'000'000, hertz);
  }

  constexpr std::int64_t numerator_fs() const { return numerator_; }
  constexpr std::int64_t denominator() const { return denominator_; }
  constexpr double period_s() const {
    return static_cast<double>(numerator_) / static_cast<double>(denominator_) * 1e-15;
  }
  constexpr double hertz() const { return 1.0 / period_s(); }
  constexpr Seconds seconds(Cycles c) const {
    return Seconds(static_cast<double>(c.value) * period_s());
  }

  /// The fewest periods of this clock that last at least `count` periods of `other`.
  constexpr Cycles cover(std::int64_t count, const Clock& other) const {
    const auto top = static_cast<WideInteger>(count) * other.numerator_ * denominator_;
    const auto bottom = static_cast<WideInteger>(other.denominator_) * numerator_;
    return Cycles(static_cast<std::int64_t>((top + bottom - 1) / bottom));
  }

  constexpr bool operator==(const Clock&) const = default;

 private:
  std::int64_t numerator_ = 1'000'000;  // 1 ns
  std::int64_t denominator_ = 1;
};

}  // namespace diffram::base
