#pragma once
// What DRAMsim3 prints at the end, under the names of its JSON file.

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "naive_dramsim3/channel.h"

namespace diffram::naive_dramsim3 {

/// Integers and reals by name; a value of one rank has the name `name.rank`, a count of a full
/// histogram `name.value`.
using Figures = std::map<std::string, std::variant<std::uint64_t, double>>;

Figures figures_of(const Configuration& configuration, const Counters& counters, int channel);

}  // namespace diffram::naive_dramsim3
