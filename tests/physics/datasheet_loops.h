#pragma once
// JEDEC's current loops as command lists (energy-and-heat.md 3): what the model says a loop draws,
// over what the data sheet says it draws. 1 for any ρ, Iβ and currents, or the model is wrong.

#include <string>
#include <vector>

#include "physics/command_replay.h"
#include "physics/core_model.h"

namespace diffram::physics {

struct LoopMemory {
  CoreParameters core;
  ReplayTimings replay;
};

struct Loop {
  std::string name;
  double spec::RailCurrents::* current;
  std::vector<TimedCommand> commands;
  std::int64_t from = 0, to = 0;  ///< the measured window, a whole number of repetitions
};

double datasheet_power(const CoreParameters& core, double spec::RailCurrents::* current);

/// Of one rank. The loop of partial refreshes where `rfc_part` is known.
std::vector<Loop> datasheet_loops(const LoopMemory& memory);

/// Simulated ÷ data sheet.
double loop_ratio(const LoopMemory& memory, const Loop& loop);

}  // namespace diffram::physics
