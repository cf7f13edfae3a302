#include "spec/rounding.h"

#include <cmath>

#include "base/clock.h"

namespace diffram::spec {

namespace {

using Wide = base::WideInteger;

std::int64_t picoseconds(double nanoseconds) { return std::llround(nanoseconds * 1000.0); }

}  // namespace

std::int64_t shortest_time_in_cycles(double nanoseconds, std::int64_t period_fs,
                                     std::int64_t period_denominator, const std::string& rule) {
  const Wide time = picoseconds(nanoseconds);
  if (rule == "up") {
    const Wide top = time * 1000 * period_denominator;
    return static_cast<std::int64_t>((top + period_fs - 1) / period_fs);
  }
  // JEDEC's algorithms divide by the period truncated to whole picoseconds and forgive 2.6 % (DDR4)
  // or 0.3 % (DDR5) of a period.
  const Wide period_ps = Wide{period_fs} / period_denominator / 1000;
  const Wide period = period_ps > 0 ? period_ps : 1;
  if (rule == "jedec_ddr5") return static_cast<std::int64_t>((time * 997 / period + 1000) / 1000);
  return static_cast<std::int64_t>((time * 1000 / period + 974) / 1000);
}

std::int64_t longest_time_in_cycles(double nanoseconds, std::int64_t period_fs,
                                    std::int64_t period_denominator) {
  return static_cast<std::int64_t>(Wide{picoseconds(nanoseconds)} * 1000 * period_denominator /
                                   period_fs);
}

}  // namespace diffram::spec
