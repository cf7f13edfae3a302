#pragma once
// What the values of one memory owe each other and their standard (memory-values.md 6). Internal.

#include "spec/memory.h"
#include "spec/standard.h"
#include "spec/toml_section.h"

namespace diffram::spec {

/// A broken law is an error in a file and a warning where `--set` changed one of its values: a
/// what-if may leave the standard, a shipped or user's memory may not do so unseen.
void check_laws(const Standard& standard, double stated_clock_ns, MemorySpec& memory,
                Reading& reading);

}  // namespace diffram::spec
