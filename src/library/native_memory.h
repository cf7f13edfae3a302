#pragma once
// The memory that a DRAMsim3 configuration describes, as a spec of diffram.

#include "base/result.h"
#include "spec/dramsim3_config.h"
#include "spec/memory.h"

namespace diffram::library {

/// Organisation, times, address map, page policy and self-refresh are the configuration's; queues
/// and scheduler are diffram's defaults. Errors: `not_supported` for a protocol without a
/// standard here, and `out_of_range` for times that native cannot wait.
base::Result<spec::MemorySpec> memory_of(const spec::Dramsim3Config& config);

}  // namespace diffram::library
