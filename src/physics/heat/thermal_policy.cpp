#include "physics/heat/thermal_policy.h"

#include <algorithm>

namespace diffram::physics::heat {

ThermalPolicy::ThermalPolicy(const spec::TemperatureLimits& limits, const ThrottleRule& rule)
    : limits_(limits), rule_(rule) {
  if (!limits_.bands.empty()) point_.refresh_rate = limits_.bands.front().refresh_rate;
}

const base::OperatingPoint& ThermalPolicy::next(double celsius) {
  choose_band(celsius);
  choose_share(celsius);
  point_.must_stop = limits_.shutdown && celsius > *limits_.shutdown;
  return point_;
}

void ThermalPolicy::choose_band(double celsius) {
  const auto& bands = limits_.bands;
  if (bands.empty()) return;
  // The upper end of a band belongs to it.
  while (band_ < bands.size() && celsius > bands[band_].up_to) ++band_;
  while (band_ > 0 && celsius <= bands[band_ - 1].up_to - rule_.hysteresis) --band_;
  out_of_range_ = band_ == bands.size();
  const auto& band = bands[std::min(band_, bands.size() - 1)];
  point_.refresh_rate = band.refresh_rate;
  point_.timing_derate_ns = band.timing_derate_ns;
}

void ThermalPolicy::choose_share(double celsius) {
  if (!rule_.threshold) return;
  if (celsius > *rule_.threshold) slots_ = std::max(1, slots_ - 1);
  if (celsius < *rule_.threshold - rule_.hysteresis) slots_ = std::min(kSlots, slots_ + 1);
  point_.column_share = static_cast<double>(slots_) / kSlots;
}

}  // namespace diffram::physics::heat
