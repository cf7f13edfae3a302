#pragma once
// `[currents]` or `[energy_per_bit]` of a memory's file. Internal to spec.

#include "spec/memory.h"
#include "spec/toml_section.h"

namespace diffram::spec {

/// Fills `currents` or `event_energies` where the file has them. The rails are those of the
/// standard, in its order.
void read_energy(Section& root, const CurrentLoops& loops, MemorySpec& memory, Reading& reading);

}  // namespace diffram::spec
