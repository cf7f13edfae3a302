#pragma once
// Spec files from memory: no folder is needed. The loaders of memory.h and machine.h are these plus
// the search for the files; fuzzing starts here.

#include <functional>
#include <string>

#include "spec/machine.h"
#include "spec/memory.h"
#include "spec/package.h"

namespace diffram::spec {

struct SourceText {
  std::string file;  ///< for messages
  std::string text;

  /// What the spec is called: the file's name without folders and `.toml`.
  std::string name() const;
};

/// Gives the text of a standard's file by the name that a memory states ("ddr4").
using StandardLookup = std::function<base::Result<SourceText>(const std::string& name)>;

base::Result<MemorySpec> parse_memory(const SourceText& memory, const StandardLookup& standards,
                                      const Overrides& overrides = {});
base::Result<MachineSpec> parse_machine(const SourceText& machine, const Overrides& overrides = {});
base::Result<PackageSpec> parse_package(const SourceText& package, const Overrides& overrides = {});
/// `folder` is where the traces lie; it is prefixed to the chosen file.
base::Result<WorkloadSpec> parse_workload(const SourceText& workload, const std::string& folder,
                                          const WorkloadOptions& options);

}  // namespace diffram::spec
