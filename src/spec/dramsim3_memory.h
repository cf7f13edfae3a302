#pragma once
// A DRAMsim3 configuration as a memory file of ours: what both can say is carried over, everything
// else is named (docs/dramsim3-configurations.md).

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "spec/parse.h"

namespace diffram::spec {

/// A memory file, and what it says.
struct Dramsim3Memory {
  std::string toml;
  MemorySpec memory;        ///< as `toml` is read, under the name of the configuration
  std::size_t carried = 0;  ///< values that the configuration states
  /// Of the configuration, of what was not carried, and of the memory: broken laws, no currents.
  std::vector<base::Diagnostic> diagnostics;
};

/// Whether a file that begins so is a configuration: its first line that is no remark is a
/// `[section]`.
bool looks_like_dramsim3_config(std::string_view start);

/// Every value has `source = "unverified"` and the key it comes from beside it. Laws that the
/// values break are named in the file's `broken_laws` and are warnings. Errors: those of
/// parse_dramsim3_config; `no_such_standard` for a protocol that no standard of ours is;
/// `not_supported` for ranks of a standard that has none; those of a memory file, with the line of
/// the configuration.
base::Result<Dramsim3Memory> convert_dramsim3_config(const SourceText& config,
                                                     const StandardLookup& standards);
/// The same of a file, with the standards of the folder. `unreadable`, `too_large` beyond a MiB.
base::Result<Dramsim3Memory> convert_dramsim3_config(const SpecFolders& folders,
                                                     const std::string& file);

}  // namespace diffram::spec
