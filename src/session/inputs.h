#pragma once
// What every kind of run needs from the outside: settings split by what they change, identity of
// the inputs, and the failures that are not an input's fault.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ledger/run_record.h"
#include "session/data_settings.h"
#include "session/session.h"
#include "spec/memory.h"
#include "spec/package.h"

namespace diffram::session {

struct SplitSettings {
  spec::Overrides memory, machine, package;
  DataSettings data;
};

/// "memory.controller.scheduler=…" belongs to the memory, "machine.…" to the machine, "package.…"
/// to the package, "data.…" to what the data pins see; other words are an error with the nearest
/// known one.
base::Result<SplitSettings> split_settings(const Settings& settings);

/// The memory with the settings of --set, and a scheduler that exists.
base::Result<spec::MemorySpec> load_memory(const std::string& name_or_file,
                                           const spec::Overrides& overrides);

/// The same, of settings that are not split yet; those of machine and package change nothing.
base::Result<spec::MemorySpec> load_memory_as_set(const std::string& name_or_file,
                                                  const Settings& settings);

/// The package with the settings of --set, and everything that heat needs; none if none is named.
base::Result<std::optional<spec::PackageSpec>> load_package(const std::string& name_or_file,
                                                            const spec::Overrides& overrides,
                                                            const spec::MemorySpec& memory);

tl::unexpected<Failure> bad_input(base::Errors errors);
/// The disk's fault or the like, not the input's.
tl::unexpected<Failure> not_finished(base::Errors errors);

std::size_t thread_count(std::size_t asked);
/// `resumable` = a checkpoint was kept.
Failure interrupted(bool resumable);

/// Version, command line, clock and geometry.
void fill_identity(ledger::RunRecord& record, const spec::MemorySpec& memory,
                   const std::string& command_line, const Settings& settings);

std::string file_name_of(
    const std::string& path);  ///< without folders: records hold no path of a machine

std::uint64_t bursts_of(const std::vector<ledger::StepRecord>& records);
std::string fallback_names(const ledger::RunRecord& record);  ///< "aten.foo (3), aten.bar (1)"

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace diffram::session
