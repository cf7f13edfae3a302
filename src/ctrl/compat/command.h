#pragma once
// A command as DRAMsim3 issues it, and its canonical form in a log.

#include <cstdint>
#include <string>

namespace diffram::ctrl::compat {

/// Cycles of one channel, from 0. Without a sign, as DRAMsim3's clock: where a sum falls below 0 it
/// becomes a cycle that is never reached, which is what happens there (dramsim3-behaviour.md 10).
using Tick = std::uint64_t;
inline constexpr Tick kNever = ~Tick{0};

enum class Command : std::uint8_t { RD, RDA, WR, WRA, ACT, PRE, REF, REFB, SREFE, SREFX };
inline constexpr std::size_t kCommands = 10;

struct IssuedCommand {
  Tick cycle = 0;
  Command command = Command::RD;
  std::uint32_t rank = 0, bank_group = 0, bank = 0, row = 0, column = 0;
};

/// Appends "clk NAME rank [bank_group bank [row [column]]]" and a newline, all in decimal.
void append_line(const IssuedCommand& command, std::string& to);

}  // namespace diffram::ctrl::compat
