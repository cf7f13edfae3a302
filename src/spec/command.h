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
  SREFX,
  REFpb,    ///< refresh of one bank, or of two
  REFsb,    ///< refresh of one bank of each group
  RFMab,    ///< refresh management of all banks
  RFMpb,    ///< refresh management of one bank
  CAS_RD,   ///< starts the data clock of a rank for reads
  CAS_WR,   ///< … for writes
  RCKSTRT,  ///< starts the read clock
  RCKSTOP   ///< stops it
};
inline constexpr std::size_t kCommandCount = 20;
inline constexpr std::array<const char*, kCommandCount> kCommandNames = {
    "ACT",   "PRE",   "PREA",  "RD",    "RDA",   "WR",    "WRA",    "REFab",  "PDE",     "PDX",
    "SREFE", "SREFX", "REFpb", "REFsb", "RFMab", "RFMpb", "CAS_RD", "CAS_WR", "RCKSTRT", "RCKSTOP"};
inline constexpr const char* name_of(Command c) {
  return kCommandNames[static_cast<std::size_t>(c)];
}

/// A refresh of fewer banks than the rank has.
inline constexpr bool refreshes_a_part(Command c) {
  return c == Command::REFpb || c == Command::REFsb;
}
/// It concerns one bank, or a few that one of them names; every other command concerns its rank.
inline constexpr bool names_a_bank(Command c) {
  return c <= Command::PRE || (c >= Command::RD && c <= Command::WRA) || refreshes_a_part(c) ||
         c == Command::RFMpb;
}

/// Relation between the bank of the earlier and the bank of the later command.
enum class Scope : std::uint8_t {
  bank,         ///< the same bank
  bank_group,   ///< the same bank group of the same rank, the same bank included
  other_group,  ///< the same rank, another bank group
  rank,         ///< anywhere in the same rank, the same bank included
  other_stack,  ///< the same rank, a bank group of another stack id
  other_rank,   ///< another rank of the channel
  channel,      ///< anywhere in the channel
};
inline constexpr std::size_t kScopeCount = 7;
inline constexpr std::array<const char*, kScopeCount> kScopeNames = {
    "bank", "bank_group", "other_group", "rank", "other_stack", "other_rank", "channel"};

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
