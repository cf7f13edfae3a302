#pragma once
// Where a library that may lie anywhere finds `specs/`.

#include "spec/memory.h"

namespace diffram::library {

/// $DIFFRAM_SPECS, ../share/diffram/specs beside the library's own file, or the source tree.
spec::SpecFolders find_spec_folder();

}  // namespace diffram::library
