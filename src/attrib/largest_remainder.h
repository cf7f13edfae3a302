#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace diffram::attrib {

/// Cut `total` ≥ 0 in proportion to `weights` (≥ 0, not all 0) into integers whose sum is `total`:
/// every part is rounded down, and the parts with the largest remainders get one more (ties: the
/// earlier part).
std::vector<std::int64_t> cut_by_largest_remainder(std::int64_t total,
                                                   std::span<const std::int64_t> weights);

}  // namespace diffram::attrib
