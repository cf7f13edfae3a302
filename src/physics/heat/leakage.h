#pragma once
// Power that grows with temperature: leakage that doubles every so many kelvin. A load has two
// fixed points, a stable and an unstable one, or none: then the part runs away (energy-and-heat.md
// 9). Solved in closed form up to one root, never iterated for ever.

#include <optional>

namespace diffram::physics::heat {

struct Leakage {
  double watts_at_85 = 0;
  double doubling_kelvin = 0;
};

struct LeakagePoint {
  double stable = 0;     ///< °C
  double unstable = 0;   ///< °C: above it the part runs away
  double loop_gain = 0;  ///< at the stable point; < 1
};

/// The temperature of a part that is at `without` °C without its leakage and rises `resistance`
/// K per watt. Empty: no steady state exists.
std::optional<LeakagePoint> with_leakage(double without, double resistance, const Leakage& leakage);

/// The highest `without` (°C) that has a steady state.
double hottest_without_leakage(double resistance, const Leakage& leakage);

}  // namespace diffram::physics::heat
