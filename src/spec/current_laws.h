#pragma once
// What the currents of a memory owe each other (energy-and-heat.md 3). Internal to spec.

#include "spec/law_book.h"
#include "spec/standard.h"

namespace diffram::spec {

/// On power, summed over the rails; a current that is not known is asked nothing.
void check_current_laws(const Standard& standard, const MemorySpec& memory, LawBook& book);

}  // namespace diffram::spec
