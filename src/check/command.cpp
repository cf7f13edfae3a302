#include "check/command.h"

#include <fmt/format.h>

namespace diffram::check {

std::string text_of(const Command& command) {
  std::string text = fmt::format("{} of rank {}", spec::name_of(command.name), command.rank);
  if (has_bank(command.name)) {
    text += fmt::format(", bank group {}, bank {}", command.bank_group, command.bank);
  }
  if (command.name == spec::Command::ACT || is_column(command.name)) {
    text += fmt::format(", row {}", command.row);
  }
  if (is_column(command.name)) text += fmt::format(", column {}", command.column);
  return text + fmt::format(" at cycle {}", command.cycle);
}

}  // namespace diffram::check
