#pragma once
// How figures are printed on every view: three significant digits, a unit chosen so that
// 1 <= x < 1000, shares as "9.3 %", and the largest remainder where shown digits must add up.

#include <cstdint>
#include <string>
#include <vector>

namespace diffram::report {

inline constexpr const char* kNoBreakSpace = "\u00a0";  ///< before a unit on the page
inline constexpr const char* kThinSpace = "\u202f";     ///< between groups of three digits
inline constexpr const char* kDoesNotApply = "\u2013";  ///< a part that does not apply
inline constexpr const char* kMinus = "\u2212";

/// A printed figure: "28.2" and "s". An empty unit prints no gap.
struct Figure {
  std::string number, unit;

  std::string text(const std::string& gap = kNoBreakSpace) const;
};

Figure seconds_figure(double seconds);  ///< s, ms, µs, ns
Figure bytes_figure(double bytes);      ///< SI: B, kB, MB, GB, TB
Figure capacity_figure(double bytes);   ///< GiB, MiB
Figure energy_figure(double joules);    ///< kJ, J, mJ, µJ, nJ, pJ
Figure power_figure(double watts);
Figure rate_figure(double bytes_per_second);  ///< GB/s, MB/s
Figure celsius_figure(double celsius);        ///< 71.2 °C
Figure kelvin_figure(double kelvin);          ///< 12.3 K: a difference of temperatures
Figure count_figure(double count);            ///< below a million whole, else "215 M"
/// `part` of `whole`: "0", "<0.1 %", "9.3 %", "63 %"; a dash where `whole` is not positive.
Figure share_figure(double part, double whole);
Figure share_figure(double share);

/// Three significant digits of 0 < x < 1000; whole above that.
std::string three_digits(double value);
/// 82 304 118 016, with thin no-break spaces.
std::string grouped(std::int64_t value, const std::string& gap = kThinSpace);
/// "two" … "twelve", then digits: counts in sentences.
std::string counted(std::int64_t n);

/// A diagnostic's message as a sentence: begins with a capital, ends with a full stop.
std::string as_sentence(const std::string& message);

/// Whole numbers in the proportion of `values` that sum to `units` exactly (largest remainder,
/// ties to the earlier). All zero where the values are.
std::vector<std::int64_t> largest_remainder(const std::vector<double>& values, std::int64_t units);
/// The values rounded down or up to whole numbers that sum to `sum` exactly, which is as near to
/// their own sum as rounding is. Any signs.
std::vector<std::int64_t> rounded_to_sum(const std::vector<double>& values, std::int64_t sum);
/// A number of thousandths with all three decimals: "−0.512".
std::string thousandths(std::int64_t value);

}  // namespace diffram::report
