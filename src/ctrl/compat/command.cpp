#include "ctrl/compat/command.h"

#include <fmt/format.h>

#include <array>
#include <iterator>

namespace diffram::ctrl::compat {

namespace {
constexpr std::array<const char*, kCommands> kNames = {"RD",  "RDA", "WR",   "WRA",   "ACT",
                                                       "PRE", "REF", "REFB", "SREFE", "SREFX"};
}

void append_line(const IssuedCommand& c, std::string& to) {
  const auto out = std::back_inserter(to);
  fmt::format_to(out, "{} {} {}", c.cycle, kNames[static_cast<std::size_t>(c.command)], c.rank);
  const bool is_column = c.command <= Command::WRA;
  if (is_column || c.command == Command::ACT || c.command == Command::PRE ||
      c.command == Command::REFB) {
    fmt::format_to(out, " {} {}", c.bank_group, c.bank);
  }
  if (is_column || c.command == Command::ACT) fmt::format_to(out, " {}", c.row);
  if (is_column) fmt::format_to(out, " {}", c.column);
  to += '\n';
}

}  // namespace diffram::ctrl::compat
