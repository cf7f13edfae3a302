#pragma once
// What computes: peak rates, on-chip memory, pacing. Values with a source each; an efficiency that
// no document states is an assumption that the result prints.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/diagnostic.h"
#include "base/result.h"
#include "spec/memory.h"

namespace diffram::spec {

enum class OnChip : std::uint8_t { none, scratchpad, cache };

struct MachineSpec {
  std::string name;
  std::string title;
  std::string memory;  ///< the machine's own memory
  base::Clock clock;
  std::uint32_t cores = 1;
  std::uint32_t array_rows = 128, array_columns = 128;  ///< multiply-accumulate array of a core
  std::map<std::string, double>
      array_rate;  ///< MACs a PE makes per cycle, by dtype ("fp16": 1, "fp32": 0.25)
  std::uint32_t vector_lanes = 128;  ///< elementwise operations a cycle and core
  std::map<std::string, double>
      efficiency;  ///< by kernel family ("gemm", "convolution", …; "other" for the rest), 0 < e ≤ 1
  OnChip on_chip = OnChip::none;
  std::uint64_t on_chip_bytes = 0;
  std::uint32_t line_bytes = 64;
  std::uint64_t outstanding_bytes =
      65536;  ///< bound on bytes asked for and not yet back, all channels
  std::uint64_t store_buffer_bytes = 65536;  ///< stores that may wait behind compute
  std::uint64_t launch_gap_cycles = 0;       ///< between kernels, machine clock
  std::string page_map = "identity";
  std::string allocator = "cuda";
  std::vector<base::Assumption> provenance;
  std::vector<std::string> not_modelled;  ///< sentences for `describe` and the page
};

base::Result<MachineSpec> load_machine(const SpecFolders& folders, const std::string& name_or_file,
                                       const Overrides& overrides = {});
std::vector<std::string> list_machines(const SpecFolders& folders);

/// A shipped workload: specs/workloads/<name>.toml beside its traces.
struct WorkloadSpec {
  std::string name;
  std::string title;
  std::string trace_file;  ///< chosen for the batch and options asked for
  std::int64_t trace_batch =
      0;  ///< batch to instantiate an affine trace at; 0 = trace is not affine
  std::int64_t images = 1;
  std::string repeated_phase;      ///< --steps counts the steps with this phase
  std::int64_t default_steps = 0;  ///< 0 = as stored
  std::vector<std::string> text;   ///< lines for `describe`
};

struct WorkloadOptions {
  std::int64_t images = 1;
  bool checkpointing = false;
};

base::Result<WorkloadSpec> load_workload(const SpecFolders& folders, const std::string& name,
                                         const WorkloadOptions& options);
std::vector<std::string> list_workloads(const SpecFolders& folders);

}  // namespace diffram::spec
