#pragma once
// Quantities are types: a cycle count cannot be added to a byte count by accident.
// `value` is public because the hot loops of `ctrl` keep plain integers in flat arrays.

#include <compare>
#include <cstdint>

namespace diffram::base {

template <class Tag, class Number>
struct Quantity {
  using number = Number;
  Number value{};

  constexpr Quantity() = default;
  constexpr explicit Quantity(Number v) : value(v) {}

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity o) {
    value += o.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity o) {
    value -= o.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, Number k) { return Quantity(a.value * k); }
  friend constexpr Quantity operator*(Number k, Quantity a) { return Quantity(a.value * k); }
};

using Cycles = Quantity<struct CyclesTag, std::int64_t>;  ///< periods of the memory clock
using Bytes = Quantity<struct BytesTag, std::int64_t>;
using Seconds = Quantity<struct SecondsTag, double>;
using Joules = Quantity<struct JoulesTag, double>;
using Watts = Quantity<struct WattsTag, double>;
using Kelvin = Quantity<struct KelvinTag, double>;

}  // namespace diffram::base
