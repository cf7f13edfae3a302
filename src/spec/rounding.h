#pragma once
// From nanoseconds of a data sheet to periods of the memory clock (memory-values.md 1).

#include <cstdint>
#include <string>
#include <string_view>

namespace diffram::spec {

/// Names of the rounding rules that a standard may ask for.
inline constexpr std::string_view kRoundingRules[] = {"jedec_ddr4", "jedec_ddr5", "up"};

/// A shortest time: the fewest periods that satisfy it under the standard's rule. The period is
/// 2/rate and so on, given as `period_fs` / `period_denominator` femtoseconds.
std::int64_t shortest_time_in_cycles(double nanoseconds, std::int64_t period_fs,
                                     std::int64_t period_denominator, const std::string& rule);

/// A longest time: the most whole *true* periods within it. The truncated period of the rules above
/// would give 12500 instead of 12480 for some rates' 7.8 µs.
std::int64_t longest_time_in_cycles(double nanoseconds, std::int64_t period_fs,
                                    std::int64_t period_denominator);

}  // namespace diffram::spec
