#pragma once
// The synthetic memories of DRAMPower's unit tests, and what a golden case overrides in them: the
// overrides write into already derived numbers (energy-and-heat.md 2e).

#include <nlohmann/json.hpp>
#include <string>

#include "physics/command_replay.h"
#include "physics/core_model.h"

namespace diffram::physics {

/// `memspecs` by family ("ddr4", "lpddr5") and `cases`.
nlohmann::json read_golden();

struct GoldenMemory {
  CoreParameters core;
  ReplayTimings replay;
  std::string part_kind;  ///< DRAMPower's word for its partial refresh: SB, PB, 2B, DB

  CorePower power() const { return core_power(core); }
  CoreEnergy energy(const CoreCounts& counts) const {
    return core_energy(power(), counts, core.period_s);
  }
  CoreEnergy energy(const base::ChannelCounters& channel) const {
    CoreCounts counts;
    counts.add(channel);
    return energy(counts);
  }
  /// Replay of the commands up to `end`.
  base::ChannelCounters replayed(const std::vector<TimedCommand>& commands, std::int64_t end) const;
};

/// "ddr4" … as the golden file has it, with a case's overrides.
GoldenMemory golden_memory(const std::string& family,
                           const nlohmann::json& overrides = nlohmann::json::object());
/// The case's memory: its family, its overrides, and the partial refresh that its commands use.
GoldenMemory golden_memory_of_case(const nlohmann::json& golden_case);

/// A row of a case; one that closes the same bank of every group becomes one PRE for each.
std::vector<TimedCommand> golden_commands(const nlohmann::json& row, const GoldenMemory& memory);

}  // namespace diffram::physics
