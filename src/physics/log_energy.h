#pragma once
// Energy of a command log of any simulator: core and interface, in all and by command, rank and
// bank. One object a channel.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "physics/drampower_core.h"
#include "physics/interface_model.h"
#include "physics/interface_replay.h"

namespace diffram::physics {

/// What is known of a channel; a part that is not known has no energy.
struct LogMemory {
  struct Pins {
    InterfaceShape shape;
    InterfaceParameters parameters;
  };
  std::optional<CoreMemory> core;
  std::optional<Pins> interface;
};

struct LogCommand {
  std::int64_t cycle = 0;
  std::string_view name;  ///< JEDEC's, and of DRAMPower's: PREsb REFp2b REFdb DSME DSMX
  std::uint32_t rank = 0;
  PinPlace place;
  std::uint32_t bank = 0;  ///< within the rank, groups counted through
  std::span<const std::uint8_t> data;
};

/// Joules of a channel over a window.
struct LogEnergy {
  struct Place {
    std::uint32_t rank = 0, bank = 0;
    double joules = 0;
  };
  std::optional<CoreEnergy> core;       ///< NaN where a rank was in a state of unknown current
  std::vector<Place> by_rank, by_bank;  ///< core; a bank has its commands and its open time
  std::map<std::string, double> core_by_command;
  std::optional<InterfaceEnergy> interface;
  InterfaceCounts counts;
  std::int64_t bursts_without_data = 0, commands_without_pins = 0;
  std::int64_t activations_of_open_banks = 0;  ///< against the protocol: not in the core's energy
};

class LogChannel {
 public:
  /// `banks` of a rank, `banks_per_group` of a group.
  LogChannel(const LogMemory& memory, std::uint32_t banks, std::uint32_t banks_per_group);

  /// Commands come by ascending cycle.
  void apply(const LogCommand& command);
  LogEnergy at(std::int64_t cycle) const;

 private:
  void apply_to_core(const LogCommand& command, CommandReplay& core) const;
  /// False: an ACT of a bank that no command has closed.
  bool follow_banks(const LogCommand& command);
  void add_core(const CoreParameters& parameters, const base::ChannelCounters& counters,
                LogEnergy& out) const;

  LogMemory memory_;
  std::uint32_t banks_, banks_per_group_;
  std::optional<CommandReplay> core_;
  std::optional<InterfaceReplay> interface_;
  std::vector<bool> is_open_;  ///< as the log's commands say
  std::int64_t activations_of_open_banks_ = 0;
};

}  // namespace diffram::physics
