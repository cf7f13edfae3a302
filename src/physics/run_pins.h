#pragma once
// What the pins cost in a run (energy-and-heat.md 4). A run keeps no commands and no values: each
// kind of command has a price, a burst's price goes by the rates of its tensor, and counters tell
// how many there were. tests/physics/run_pins_test.cpp holds it against `InterfaceReplay`.

#include <optional>
#include <vector>

#include "ledger/run_record.h"
#include "physics/command_pins.h"
#include "physics/interface_memory.h"
#include "spec/memory.h"

namespace diffram::physics {

/// Joules of one event, and how many of them become heat in the memory.
struct PinCost {
  double joules = 0, in_memory = 0;

  PinCost operator+(const PinCost& o) const { return {joules + o.joules, in_memory + o.in_memory}; }
  PinCost operator-(const PinCost& o) const { return {joules - o.joules, in_memory - o.in_memory}; }
  friend PinCost operator*(double times, const PinCost& cost) {
    return {times * cost.joules, times * cost.in_memory};
  }
};

/// Of a channel. A command's pins are idle before and behind it, its addresses are random; what
/// strobes do beside the data (pre- and postambles) and data bus inversion are not in it.
class RunPins {
 public:
  /// Nothing: what the memory's pins cost is not known.
  static std::optional<RunPins> of(const spec::MemorySpec& memory);

  /// A burst with its column command, strobes and, where WCK runs for bursts alone, WCK.
  PinCost read(const ledger::DataRates& rates) const { return read_.with(rates); }
  PinCost write(const ledger::DataRates& rates) const { return write_.with(rates); }
  /// A command without data, by JEDEC's name; one that the truth table does not have costs nothing.
  double command(const char* name) const;
  /// CK, and WCK where it always runs, in a period of CK.
  double clock() const;
  /// CK may stand still in power-down too.
  bool stops_in_power_down() const { return !parameters_.burns_low; }

 private:
  /// A burst of low pins, and what all high and all changing ones cost more.
  struct Burst {
    PinCost low, ones, toggle;
    PinCost with(const ledger::DataRates& rates) const {
      return low + rates.ones * ones + rates.toggle * toggle;
    }
  };

  RunPins(const spec::MemorySpec& memory, const spec::Pads& pads);

  Burst burst(bool is_read) const;
  PinCost of_data(bool is_read, std::int64_t ones, std::int64_t toggle) const;

  spec::Organisation organisation_;
  InterfaceShape shape_;
  InterfaceParameters parameters_;
  CommandPins command_pins_;
  Burst read_, write_;
};

/// Prices of bursts, by tensor and of those without one, by the rates in `run`.
void price_bursts(const RunPins& pins, ledger::RunRecord& run);

/// Components read_interface write_interface row_interface refresh_interface clock_interface, and
/// refresh_part_interface where there was such a thing; all estimated.
std::vector<ledger::EnergyComponent> pin_components(const RunPins& pins,
                                                    const spec::MemorySpec& memory,
                                                    const ledger::RunRecord& run);

}  // namespace diffram::physics
