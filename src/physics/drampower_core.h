#pragma once
// A memory of DRAMPower's in the form that the core model takes.

#include "physics/command_replay.h"
#include "physics/core_model.h"
#include "spec/drampower_memspec.h"

namespace diffram::physics {

struct CoreMemory {
  CoreParameters parameters;
  ReplayTimings timings;
};

/// `loops` are those of the standard (`spec::current_loops`). `by_pairs`: a partial refresh of
/// LPDDR5 is of two banks, not of one; a log has one kind.
CoreMemory core_memory(const spec::DrampowerMemspec& memory, const spec::CurrentLoops& loops,
                       bool by_pairs);

}  // namespace diffram::physics
