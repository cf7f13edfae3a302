#pragma once
// Where spec files lie and which names they have. Internal to spec.

#include <string>
#include <vector>

#include "base/result.h"
#include "spec/memory.h"
#include "spec/parse.h"

namespace diffram::spec {

/// Names (file stems) of the .toml files of one kind, sorted.
std::vector<std::string> list_names(const SpecFolders& folders, const std::string& kind_folder);

/// The text of a shipped name, or of a path to a TOML file. `what` is for messages: "memory".
base::Result<SourceText> read_spec(const SpecFolders& folders, const std::string& kind_folder,
                                   const std::string& what, const std::string& name_or_file);

}  // namespace diffram::spec
