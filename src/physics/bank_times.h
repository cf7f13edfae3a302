#pragma once
// How long a bank is busy, as the memory's table says it and the engine counts it: from the first
// cycle of one command to the first cycle of another.

#include <cstdint>
#include <optional>

#include "spec/memory.h"

namespace diffram::physics {

/// The least number of cycles from `before` to `after` in one bank; none = the table has no such
/// row.
std::optional<std::int64_t> same_bank_cycles(const spec::MemorySpec& memory, spec::Command before,
                                             spec::Command after);

/// The banks of a partial refresh: so many of a rank, so far apart.
struct RefreshPart {
  std::uint32_t banks = 1, step = 0;
};
RefreshPart refresh_part(const spec::MemorySpec& memory);

}  // namespace diffram::physics
