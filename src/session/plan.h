#pragma once
// What a run needs before anything is simulated: the trace, the machine, the memory, all loaded and
// checked.

#include <optional>

#include "base/result.h"
#include "lower/lowering.h"
#include "session/data_settings.h"
#include "session/session.h"
#include "spec/machine.h"
#include "spec/memory.h"
#include "spec/package.h"
#include "trace/tensor_trace.h"

namespace diffram::session {

struct Plan {
  trace::TensorTrace trace;
  spec::MachineSpec machine;
  spec::MemorySpec memory;
  std::optional<spec::PackageSpec> package;
  DataSettings data;
  std::string trace_file;
  std::string repeated_phase;
  lower::LoweringOptions lowering;
};

base::Result<Plan> make_plan(const RunOptions& options);

/// Steps that --steps and `steps` count: those with the workload's repeated phase, else all.
std::int64_t counted_steps(const trace::TensorTrace& trace, const std::string& phase);

}  // namespace diffram::session
