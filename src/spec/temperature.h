#pragma once
// What heat does to a memory of a standard: how often it is refreshed by temperature, and where it
// must stop.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace diffram::spec {

/// Up to a temperature, its end included, the memory is refreshed so often.
struct RefreshBand {
  double up_to = 0;             ///< °C
  double refresh_rate = 1;      ///< the interval is tREFI ÷ this
  double timing_derate_ns = 0;  ///< more of tRCD, tRAS, tRP and tRRD
};

/// Where a standard's limits are measured.
enum class MeasuredAt : std::uint8_t { box, die, stack };
inline constexpr std::array<const char*, 3> kMeasuredAtNames = {"case", "die", "stack"};

/// Bands rise. No bands: the standard does not say.
struct TemperatureLimits {
  MeasuredAt measured_at = MeasuredAt::die;
  std::vector<RefreshBand> bands;
  std::optional<double> shutdown;  ///< °C
};

}  // namespace diffram::spec
