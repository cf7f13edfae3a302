#pragma once
// Words of a spec file that stand for the values of an enumeration. Internal to spec.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace diffram::spec {

/// The value whose place in `names` the word has.
template <class Enum, std::size_t N>
std::optional<Enum> by_name(const std::array<const char*, N>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

/// Empty if none is near.
template <std::size_t N>
std::string nearest_of(const std::array<const char*, N>& names, const std::string& name) {
  return base::nearest(name, std::vector<std::string>(names.begin(), names.end()));
}

}  // namespace diffram::spec
