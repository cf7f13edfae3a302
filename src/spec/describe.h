#pragma once
// Everything that follows from a spec, in units a person reads: what `diffram describe` prints.

#include <string>

#include "spec/machine.h"
#include "spec/memory.h"
#include "spec/package.h"

namespace diffram::spec {

std::string describe(const MemorySpec& memory);
std::string describe(const MachineSpec& machine);
std::string describe(const WorkloadSpec& workload);
std::string describe(const PackageSpec& package);

/// The same as one JSON object each; `values` holds {field, value, source} of every stated value.
std::string describe_json(const MemorySpec& memory);
std::string describe_json(const MachineSpec& machine);
std::string describe_json(const WorkloadSpec& workload);
std::string describe_json(const PackageSpec& package);

/// Whether a TOML file states a machine, or a package, rather than a memory; false if it cannot be
/// read.
bool is_machine_file(const std::string& file);
bool is_package_file(const std::string& file);

}  // namespace diffram::spec
