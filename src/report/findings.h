#pragma once
// The verdict and the findings under it: only what this run shows. Remedies are printed by `advise`
// alone, which simulates them.

#include "report/model.h"

namespace diffram::report {

/// Trifles are not findings (report-design 8).
inline constexpr double kTrifleShare = 0.02;
inline constexpr std::size_t kFindingsShown = 3;

Verdict judge(const Model& model);
std::string limits_of_result(const Model& model);
std::vector<Finding> find_what_matters(const Model& model);

}  // namespace diffram::report
