#pragma once
// [controller] of a memory's file: policy, not fact. Internal to spec.

#include "spec/memory.h"
#include "spec/standard.h"
#include "spec/toml_section.h"

namespace diffram::spec {

/// The controller of a memory of this standard (nullptr: unknown, its part is not checked). Values
/// that contradict each other, or that the standard has no command for, are refused.
Controller read_controller(Section section, const Standard* standard, Reading& reading);

}  // namespace diffram::spec
