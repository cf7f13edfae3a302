#include "attrib/axes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace diffram::attrib {
namespace {

base::Error axis_error(const std::string& code, const std::string& message,
                       const std::string& expected) {
  base::Error error;
  error.code = code;
  error.message = message;
  error.field = "by";
  error.expected = expected;
  return error;
}

}  // namespace

base::Result<std::vector<Axis>> parse_axes(const std::vector<std::string>& names) {
  const std::vector<std::string> known(kAxisNames.begin(), kAxisNames.end());
  std::vector<Axis> axes;
  base::Errors errors;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) {
      const std::string near = base::nearest(name, known);
      errors.push_back(
          axis_error("unknown_axis", fmt::format("\"{}\" is not an axis", name),
                     near.empty() ? fmt::format("one of {}", fmt::join(known, ", ")) : near));
      continue;
    }
    const auto axis = static_cast<Axis>(found - known.begin());
    if (std::ranges::find(axes, axis) != axes.end())
      errors.push_back(axis_error("repeated_axis", fmt::format("\"{}\" is given twice", name),
                                  "each axis once"));
    axes.push_back(axis);
  }
  if (!errors.empty()) return base::failure(std::move(errors));
  return axes;
}

bool holds_any(const std::vector<Axis>& axes, std::initializer_list<Axis> wanted) {
  return std::ranges::find_first_of(axes, wanted) != axes.end();
}

}  // namespace diffram::attrib
