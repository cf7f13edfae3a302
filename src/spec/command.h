#pragma once
// DRAM commands by JEDEC's names, and where a constraint between two of them applies.

#include <array>
#include <cstddef>
#include <cstdint>

namespace diffram::spec {

enum class Command : std::uint8_t {
  ACT,
  PRE,
  PREA,
  RD,
  RDA,
  WR,
  WRA,
  REFab,
  PDE,
  PDX,
  SREFE,
  SREFX
};
inline constexpr std::size_t kCommandCount = 12;
inline constexpr std::array<const char*, kCommandCount> kCommandNames = {
    "ACT", "PRE", "PREA", "RD", "RDA", "WR", "WRA", "REFab", "PDE", "PDX", "SREFE", "SREFX"};
inline constexpr const char* name_of(Command c) {
  return kCommandNames[static_cast<std::size_t>(c)];
}

/// Relation between the bank of the earlier and the bank of the later command.
enum class Scope : std::uint8_t {
  bank,         ///< the same bank
  bank_group,   ///< the same bank group of the same rank, the same bank included
  other_group,  ///< the same rank, another bank group
  rank,         ///< anywhere in the same rank, the same bank included
  other_rank,   ///< another rank of the channel
  channel,      ///< anywhere in the channel
};
inline constexpr std::size_t kScopeCount = 6;
inline constexpr std::array<const char*, kScopeCount> kScopeNames = {
    "bank", "bank_group", "other_group", "rank", "other_rank", "channel"};

/// `after` may issue no sooner than `cycles` after the `window`-th last `before` in this scope
/// (window 1 = the last one; tFAW is window 4, ACT to ACT, in the rank).
struct Constraint {
  static constexpr std::int32_t kMostCycles = 16'383;  ///< the device keeps times in 16 bits

  Scope scope = Scope::bank;
  Command before = Command::ACT;
  Command after = Command::ACT;
  std::int32_t cycles = 0;
  std::uint8_t window = 1;
  std::uint8_t rule = 0;  ///< index into MemorySpec::rules: the row of the standard's table
};

}  // namespace diffram::spec
