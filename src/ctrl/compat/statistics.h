#pragma once
// What DRAMsim3 counts of a channel (dramsim3-behaviour.md 14), and the figures it makes of it.

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ctrl/compat/command.h"
#include "spec/dramsim3_config.h"

namespace diffram::ctrl::compat {

/// Value → how often. Flat up to a power of two that grows with the values: those of a queue that
/// is always full lie beyond any guess, and a search for each costs more than the command.
class Histogram {
 public:
  void add(std::uint64_t value) {
    sum_ += value;
    ++count_;
    if (value >= flat_.size() && !reach(value)) {
      ++far_[value];
      return;
    }
    ++flat_[value];
  }
  /// Sum over count, 0 where nothing was added.
  double mean() const;
  std::uint64_t count() const { return count_; }
  /// In the order of the values; only those that came.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> values() const;

 private:
  static constexpr std::size_t kFlatValues = 1024, kMostFlatValues = std::size_t{1} << 16;
  /// Makes the flat part reach a value, if it may.
  bool reach(std::uint64_t value);

  std::vector<std::uint64_t> flat_ = std::vector<std::uint64_t>(kFlatValues);
  std::map<std::uint64_t, std::uint64_t> far_;
  std::uint64_t sum_ = 0, count_ = 0;
};

/// Cycles of a rank, by what its banks did; they sum to the cycles of the run.
struct RankCycles {
  std::uint64_t active = 0, idle = 0, asleep = 0;
};

struct Counters {
  std::uint64_t cycles = 0, epochs = 0;
  std::uint64_t reads_done = 0, writes_done = 0;
  std::array<std::uint64_t, kCommands> commands{};  ///< by Command
  std::uint64_t ondemand_precharges = 0;
  std::uint64_t dual_commands = 0;
  std::uint64_t read_row_hits = 0, write_row_hits = 0;
  std::vector<RankCycles> ranks;
  Histogram read_latency, write_latency, interarrival;

  // Not DRAMsim3's: what its oddities did in this run.
  std::uint64_t reads_forwarded = 0, reads_merged = 0, writes_merged = 0;
  std::uint64_t lost_column_commands = 0;  ///< picked for the second bus and thrown away

  std::uint64_t of(Command command) const { return commands[static_cast<std::size_t>(command)]; }
  std::uint64_t reads() const { return of(Command::RD) + of(Command::RDA); }
  std::uint64_t writes() const { return of(Command::WR) + of(Command::WRA); }
};

/// DRAMsim3's energies: V·mA·cycles, so times tCK in ns they are pJ.
struct Energies {
  double activate = 0, read = 0, write = 0, refresh = 0, refresh_bank = 0;
  struct Background {
    double active = 0, idle = 0, asleep = 0;
  };
  std::vector<Background> ranks;
  double total = 0;
};

/// Of an energy in V·mA·cycles; the power in mW, energy ÷ cycles, needs no tCK.
inline double picojoules(double volt_milliampere_cycles, double tCK_ns) {
  return volt_milliampere_cycles * tCK_ns;
}

/// Equal to DRAMsim3's to the last bit: its order of operations, without fused multiply-add.
Energies energies_of(const Counters& counters, const spec::Dramsim3Config& config);
/// Bytes a nanosecond.
double bandwidth_of(const Counters& counters, const spec::Dramsim3Config& config);

}  // namespace diffram::ctrl::compat
