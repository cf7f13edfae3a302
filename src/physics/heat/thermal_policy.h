#pragma once
// From the temperature of a closed epoch to the operating point of the next (energy-and-heat.md 9).
// A state, not a fixed point: near a threshold both rates can be self-consistent, and the answer is
// the one that the past leads to.

#include <cstdint>
#include <optional>

#include "base/operating_point.h"
#include "spec/temperature.h"

namespace diffram::physics::heat {

struct ThrottleRule {
  std::optional<double> threshold;  ///< °C; empty = never throttled
  double hysteresis = 2;            ///< K: so far below a limit what it brought is taken back
};

class ThermalPolicy {
 public:
  ThermalPolicy(const spec::TemperatureLimits& limits, const ThrottleRule& rule);

  /// The hottest temperature of the closed epoch, °C. A hotter band holds from the next epoch on, a
  /// cooler one when it is `hysteresis` below the limit between them. Hotter than the threshold: a
  /// sixteenth of the column slots less; cooler than threshold − hysteresis: a sixteenth more.
  const base::OperatingPoint& next(double celsius);

  const base::OperatingPoint& point() const { return point_; }
  bool out_of_range() const { return out_of_range_; }  ///< above the last band

  static constexpr std::int32_t kSlots = 16;

 private:
  void choose_band(double celsius);
  void choose_share(double celsius);

  spec::TemperatureLimits limits_;
  ThrottleRule rule_;
  std::size_t band_ = 0;  ///< of limits_.bands; its size = above all
  std::int32_t slots_ = kSlots;
  bool out_of_range_ = false;
  base::OperatingPoint point_;
};

}  // namespace diffram::physics::heat
