#pragma once
// Logs written by hand: "cycle NAME rank bank_group bank row column; …", as far in as the command
// goes, and what the checker says about them.

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "check/protocol.h"
#include "spec/memory.h"

namespace diffram::check::testing {

inline spec::Command name_from(const std::string& word) {
  for (std::size_t i = 0; i < spec::kCommandCount; ++i) {
    if (word == spec::kCommandNames[i]) return static_cast<spec::Command>(i);
  }
  throw std::runtime_error("no command: " + word);
}

inline std::vector<Command> log_of(const std::string& text) {
  std::vector<Command> log;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    std::istringstream words(part);
    Command command;
    std::string name;
    if (!(words >> command.cycle >> name)) continue;
    command.name = name_from(name);
    words >> command.rank >> command.bank_group >> command.bank >> command.row >> command.column;
    log.push_back(command);
  }
  return log;
}

inline std::vector<Violation> violations_in(const spec::MemorySpec& memory,
                                            const std::vector<Command>& log) {
  std::vector<Violation> found;
  ChannelProtocol protocol(memory, 0, [&](const Violation& v) { found.push_back(v); });
  for (const auto& command : log) protocol.command(command);
  protocol.finish();
  return found;
}

/// The names of the rules that a log breaks, in order, each as often as it is broken.
inline std::vector<std::string> rules_broken(const spec::MemorySpec& memory,
                                             const std::vector<Command>& log) {
  const auto rules = rules_of(memory);
  std::vector<std::string> names;
  for (const auto& violation : violations_in(memory, log)) {
    names.push_back(rules[violation.rule].name);
  }
  return names;
}

}  // namespace diffram::check::testing
