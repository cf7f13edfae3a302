#pragma once
// From a list of commands to the pin counts that interface energy is computed from: what every pin
// did over a window, idle time included. Bursts are booked at their command's cycle, as if the read
// and write latencies were 0: that moves energy in time and changes none of it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "physics/command_pins.h"
#include "physics/interface_model.h"
#include "physics/pin_bus.h"

namespace diffram::physics {

/// Whose rules count where they differ (docs/interface-energy.md).
enum class InterfaceRules : std::uint8_t { diffram, drampower };

/// Levels of the data pins where a log does not say what was transferred.
struct DataRates {
  double read_toggle = 0.5, write_toggle = 0.5;  ///< share of beats in which a pin changes
  double read_ones = 0.5, write_ones = 0.5;      ///< share of beats in which it is high
  bool read_idles_high = true, write_idles_high = true;
};

/// A channel's pins.
struct InterfaceShape {
  std::string standard;  ///< "DDR4" "DDR5" "LPDDR4" "LPDDR5"
  BankMode bank_mode = BankMode::groups;
  InterfaceRules rules = InterfaceRules::diffram;
  std::uint32_t ranks = 1;
  std::uint32_t devices = 1, device_width = 8;  ///< of a rank
  std::uint32_t burst_length = 8;               ///< beats, of a command without data
  std::uint32_t data_rate = 2;                  ///< beats in a period of CK, of WCK in LPDDR5
  std::uint32_t write_clocks_per_clock = 1;     ///< WCK : CK, 1 where there is no WCK
  bool write_clock_always_on = true;
  bool inverts_data = false;  ///< data bus inversion
  /// diffram's rules: of bursts without data. DRAMPower's: of all bursts, if given; without them
  /// a burst without data has none.
  std::optional<DataRates> rates;

  std::uint32_t data_pins() const { return devices * device_width; }
  bool has_write_clock() const { return standard == "LPDDR5"; }
  /// Beats of the data pins in a period of CK.
  std::int64_t beats_per_clock() const;
  std::uint32_t strobe_pairs() const;
};

struct InterfaceCommand {
  std::int64_t cycle = 0;
  std::string_view name;  ///< JEDEC's
  std::uint32_t rank = 0;
  PinPlace place;
  std::span<const std::uint8_t> data;  ///< lowest bit of the first byte first; none = not known
};

class InterfaceReplay {
 public:
  /// The standard has a truth table (`CommandPins::of`).
  explicit InterfaceReplay(const InterfaceShape& shape);

  /// Commands come by ascending cycle. One that the standard's truth table does not have moves no
  /// pin of CA; `commands_without_pins` counts them.
  void apply(const InterfaceCommand& command);

  /// Counts of the window [0, cycle), after all commands applied so far.
  InterfaceCounts at(std::int64_t cycle) const;

  std::int64_t commands_without_pins() const { return commands_without_pins_; }
  std::int64_t bursts_without_data() const { return bursts_without_data_; }

 private:
  /// Read or write: the pins are the same, the books are two.
  struct Direction {
    PinBus data, inversion;
    std::vector<std::int64_t> last_end;  ///< by rank: cycle after the latest burst
    std::int64_t bursts = 0, seamless = 0, strobe_clocks = 0;
  };

  void run_until(std::int64_t cycle);
  std::int64_t transfer(Direction& way, const InterfaceCommand& command);
  void stop_or_start_clock(const InterfaceCommand& command);
  void count_stopped(std::int64_t cycle);
  void add_data(const Direction& way, bool is_read, InterfaceCounts& counts) const;
  std::int64_t write_clock_levels(std::int64_t running_cycles) const;
  bool is_ours() const { return shape_.rules == InterfaceRules::diffram; }

  InterfaceShape shape_;
  CommandPins pins_;
  PinBus command_bus_;
  Direction read_, write_;
  std::vector<bool> is_stopped_;  ///< by rank: CK may stand still
  std::int64_t stopped_cycles_ = 0, stopped_until_ = 0;
  std::int64_t burst_write_clock_ = 0;  ///< `write_clock_levels`, where WCK runs for bursts alone
  std::int64_t commands_without_pins_ = 0, bursts_without_data_ = 0;
};

}  // namespace diffram::physics
