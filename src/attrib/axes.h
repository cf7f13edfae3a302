#pragma once
// The axes of explain.md 3 by their names.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace diffram::attrib {

enum class Axis : std::uint8_t {
  layer,
  op,
  kernel,
  tensor_class,
  tensor,
  phase,
  step,
  model,
  channel,
  rank,
  bank,
  cause,
  culprit
};

inline constexpr std::array<const char*, 13> kAxisNames = {
    "layer", "op",      "kernel", "class", "tensor", "phase",  "step",
    "model", "channel", "rank",   "bank",  "cause",  "culprit"};

inline constexpr const char* name_of(Axis axis) {
  return kAxisNames[static_cast<std::size_t>(axis)];
}

/// All unknown and repeated names are reported at once, each with the nearest axis.
base::Result<std::vector<Axis>> parse_axes(const std::vector<std::string>& names);

bool holds_any(const std::vector<Axis>& axes, std::initializer_list<Axis> wanted);

}  // namespace diffram::attrib
