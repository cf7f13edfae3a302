#pragma once
// Percentiles of a histogram.

#include <cmath>
#include <map>

namespace diffram::base {

/// Nearest rank: the smallest value that at least `share` of all do not exceed; 0 of none.
/// `counts`: value → how often.
template <class Value>
Value percentile(const std::map<Value, Value>& counts, double share) {
  Value all = 0;
  for (const auto& [value, count] : counts) all += count;
  const auto rank = static_cast<Value>(std::ceil(share * static_cast<double>(all)));
  Value seen = 0;
  for (const auto& [value, count] : counts) {
    seen += count;
    if (seen >= rank) return value;
  }
  return 0;
}

}  // namespace diffram::base
