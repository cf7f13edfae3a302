#pragma once
// `[interface]` of a standard, and of a memory that differs from it. Internal to spec.

#include <optional>

#include "spec/interface.h"
#include "spec/toml_section.h"

namespace diffram::spec {

/// `otherwise`: what holds where the section does not state a value; without it all are required.
/// Neither a section nor `otherwise`: nothing is known.
std::optional<Pads> read_pads(Section section, const std::optional<Pads>& otherwise);

}  // namespace diffram::spec
