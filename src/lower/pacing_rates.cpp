#include "lower/pacing_rates.h"

#include <algorithm>
#include <cmath>

namespace diffram::lower {

namespace {

const std::vector<std::string> kFamilies = {"gemm",      "convolution", "attention",
                                            "norm",      "elementwise", "reduction",
                                            "optimizer", "embedding",   "other"};

}  // namespace

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
  const bool uses_array =
      efficiency == "gemm" || efficiency == "convolution" || efficiency == "attention";
  if (uses_array)
    rate.macs_per_cycle = cores * machine_.array_rows * machine_.array_columns * share *
                          stated(machine_.array_rate, "array_rate", trace::name_of(dtype));
  return rate;
}

base::Result<void> PacingRates::check_families(const spec::MachineSpec& machine) {
  base::Errors errors;
  for (const auto& [family, share] : machine.efficiency) {
    if (std::find(kFamilies.begin(), kFamilies.end(), family) != kFamilies.end()) continue;
    errors.push_back({"unknown_key", "no kernel model has the family " + family, "", 0,
                      "machine.efficiency." + family, base::nearest(family, kFamilies)});
  }
  if (!errors.empty()) return base::failure(std::move(errors));
  return {};
}

std::vector<base::Assumption> PacingRates::assumptions() const {
  std::vector<base::Assumption> result;
  result.reserve(assumed_.size());
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
