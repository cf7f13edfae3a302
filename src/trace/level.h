#pragma once
// The levels of a place in a memory.

#include <array>
#include <cstddef>
#include <cstdint>

namespace diffram::trace {

/// Outermost first.
enum class Level : std::uint8_t { channel, rank, bank_group, bank, row, column };
inline constexpr std::size_t kLevelCount = 6;
inline constexpr std::array<const char*, kLevelCount> kLevelNames = {
    "channel", "rank", "bank_group", "bank", "row", "column"};
using LevelNumbers = std::array<std::uint32_t, kLevelCount>;

}  // namespace diffram::trace
