#pragma once
// A figure over a run's time, drawn for the page: where samples are denser than the picture, from
// the least to the most of them.

#include <string>
#include <vector>

#include "report/number_format.h"

namespace diffram::report {

struct CurveSample {
  double begin_s = 0, end_s = 0;
  double value = 0;
};

struct Curve {
  std::string title;                   ///< "Power over time"
  std::string remark;                  ///< what a sample is
  std::vector<CurveSample> samples;    ///< each begins where the one before ends
  double floor = 0;                    ///< the value at the bottom of the picture
  Figure (*figure)(double) = nullptr;  ///< a value with its unit
};

/// Empty without samples.
std::string curve_markup(const Curve& curve);

}  // namespace diffram::report
