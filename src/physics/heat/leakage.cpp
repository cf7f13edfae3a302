#include "physics/heat/leakage.h"

#include <cmath>
#include <numbers>

namespace diffram::physics::heat {

namespace {

constexpr double kReference = 85;   // °C of Leakage::watts_at_85
constexpr int kBisections = 200;    // ends earlier, when no number lies between
constexpr double kFarAbove = 1000;  // doublings: 2^1000 K of rise

double rise(double celsius, double resistance, const Leakage& leakage) {
  return resistance * leakage.watts_at_85 *
         std::exp2((celsius - kReference) / leakage.doubling_kelvin);
}

/// Where a kelvin more makes leakage heat by a kelvin more.
double gain_of_one(double resistance, const Leakage& leakage) {
  const double d = leakage.doubling_kelvin;
  return kReference + d * std::log2(d / (resistance * leakage.watts_at_85 * std::numbers::ln2));
}

}  // namespace

double hottest_without_leakage(double resistance, const Leakage& leakage) {
  return gain_of_one(resistance, leakage) - leakage.doubling_kelvin / std::numbers::ln2;
}

std::optional<LeakagePoint> with_leakage(double without, double resistance,
                                         const Leakage& leakage) {
  if (leakage.watts_at_85 <= 0) return LeakagePoint{without, HUGE_VAL, 0};
  if (without > hottest_without_leakage(resistance, leakage)) return std::nullopt;
  const auto excess = [&](double t) { return without + rise(t, resistance, leakage) - t; };
  // `excess` falls from a positive value to its least at the gain of one, then grows for ever.
  const auto root = [&](double positive, double negative) {
    for (int i = 0; i < kBisections; ++i) {
      const double middle = (positive + negative) / 2;
      (excess(middle) > 0 ? positive : negative) = middle;
    }
    return (positive + negative) / 2;
  };
  const double turn = gain_of_one(resistance, leakage);
  LeakagePoint point;
  point.stable = root(without, turn);
  point.unstable = root(turn + kFarAbove * leakage.doubling_kelvin, turn);
  point.loop_gain =
      rise(point.stable, resistance, leakage) * std::numbers::ln2 / leakage.doubling_kelvin;
  return point;
}

}  // namespace diffram::physics::heat
