#include "lower/pacing_rates.h"

#include <cmath>

namespace diffram::lower {

double PacingRates::stated(const std::map<std::string, double>& values, const std::string& group,
                           const std::string& key) {
  const auto found = values.find(key);
  if (found != values.end() && found->second > 0) return found->second;
  const std::string field = "machine." + group + "." + key;
  assumed_.try_emplace(field, base::Assumption{field, "1", "assumed"});
  return 1.0;
}

PacingRates::Rate PacingRates::rate(const std::string& efficiency, trace::DType dtype) {
  const double share = stated(machine_.efficiency, "efficiency", efficiency);
  const double cores = machine_.cores;
  Rate rate;
  rate.operations_per_cycle = cores * machine_.vector_lanes * share;
  const bool uses_array = efficiency == "mm" || efficiency == "conv" || efficiency == "attn";
  if (uses_array)
    rate.macs_per_cycle = cores * machine_.array_rows * machine_.array_columns * share *
                          stated(machine_.array_rate, "array_rate", trace::name_of(dtype));
  return rate;
}

std::vector<base::Assumption> PacingRates::assumptions() const {
  std::vector<base::Assumption> result;
  for (const auto& [field, assumption] : assumed_) result.push_back(assumption);
  return result;
}

std::int64_t cycles_of(const TileWork& work, const PacingRates::Rate& rate) {
  const auto whole = [](std::int64_t amount, double per_cycle) {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(amount) / per_cycle));
  };
  return whole(work.macs, rate.macs_per_cycle) + whole(work.operations, rate.operations_per_cycle);
}

}  // namespace diffram::lower
