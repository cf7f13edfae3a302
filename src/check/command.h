#pragma once
// A command of a log, as both halves of this room see it.

#include <cstdint>
#include <string>

#include "spec/command.h"

namespace diffram::check {

struct Command {
  std::int64_t cycle = 0;
  spec::Command name = spec::Command::ACT;
  /// Bank group, bank, row and column are 0 where the command has none.
  std::uint32_t rank = 0, bank_group = 0, bank = 0, row = 0, column = 0;
  std::uint64_t line = 0;  ///< of the log, 0 = none

  bool operator==(const Command&) const = default;
};

inline bool is_read(spec::Command name) {
  return name == spec::Command::RD || name == spec::Command::RDA;
}
inline bool is_write(spec::Command name) {
  return name == spec::Command::WR || name == spec::Command::WRA;
}
inline bool is_column(spec::Command name) { return is_read(name) || is_write(name); }
inline bool closes_by_itself(spec::Command name) {
  return name == spec::Command::RDA || name == spec::Command::WRA;
}
/// It concerns one bank; every other command concerns its rank.
inline bool has_bank(spec::Command name) { return spec::names_a_bank(name); }
/// It refreshes banks that must be closed, but not the whole rank.
inline bool refreshes_banks(spec::Command name) {
  return spec::refreshes_a_part(name) || name == spec::Command::RFMpb;
}

/// "ACT of rank 0, bank group 1, bank 2, row 7 at cycle 24".
std::string text_of(const Command& command);

}  // namespace diffram::check
