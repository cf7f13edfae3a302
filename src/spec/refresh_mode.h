#pragma once
// What the resolved integers must be for a controller to work with them. Internal to spec.

#include "spec/memory.h"
#include "spec/standard.h"
#include "spec/toml_section.h"

namespace diffram::spec {

/// Fine granularity refresh: nREFI and nRFC of the mode that the controller names.
void apply_refresh_granularity(const Standard& standard, MemorySpec& memory, Reading& reading);

/// Refused even where `--set` asks for it: a memory that refreshes without a pause serves nobody,
/// and data that come later than the engine's rings reach cannot be billed.
void check_limits(const MemorySpec& memory, Reading& reading);
/// The same of refresh by parts of the rank, once the table is resolved.
void check_part_refresh(const MemorySpec& memory, Reading& reading);

}  // namespace diffram::spec
