#pragma once
// What `diffram energy` prints: a table for people, one object for machines.

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "physics/log_energy.h"
#include "session/session.h"

namespace diffram::session {

/// The log, the memory and what was found; a channel without commands is not in it.
struct EnergyFindings {
  std::string commands_file, format, memory, standard;
  std::uint64_t commands = 0;
  std::int64_t cycles = 0;
  double period_s = 0;
  std::uint32_t banks_per_group = 1;
  std::vector<std::uint64_t> by_command;  ///< how many, in the order of `command_names`
  std::vector<std::string> command_names;
  std::vector<std::uint32_t> channels;  ///< numbers of those in `energies`
  std::vector<physics::LogEnergy> energies;
  std::string core_missing, interface_missing;  ///< why; empty = known
  bool are_rates_used = false;
  double toggle = 0, ones = 0;
  std::vector<base::Diagnostic> diagnostics;
};

std::string energy_json(const EnergyFindings& findings);
std::string energy_text(const EnergyFindings& findings);

}  // namespace diffram::session
