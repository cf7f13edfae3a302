#pragma once
// What heat asks of a memory for one epoch. A value: `physics` gives it for a closed epoch, `sim`
// hands it to the channels of the next. The engine never sees a temperature.

namespace diffram::base {

struct OperatingPoint {
  double refresh_rate = 1;      ///< the interval is tREFI ÷ this; a power of two
  double timing_derate_ns = 0;  ///< more of tRCD, tRAS, tRP and tRRD
  double column_share = 1;      ///< of the column slots that may be used, in (0, 1]
  bool must_stop = false;       ///< the shutdown limit is passed

  bool operator==(const OperatingPoint&) const = default;
};

}  // namespace diffram::base
