#pragma once
// Energy of the interface (VDDQ) from pin counts: energy-and-heat.md 4. A pin at the level that
// draws current through its termination costs VDDQ²/R a second, a rising edge costs its charge.

#include <cstdint>

#include "physics/pin_bus.h"
#include "spec/interface.h"

namespace diffram::physics {

using spec::ByPinGroup;
using spec::PinGroup;

struct InterfaceParameters {
  spec::Interface electrics;
  double period_s = 0;    ///< of CK
  bool burns_low = true;  ///< terminated to VDDQ (DDR4, DDR5); false: to ground (LPDDR)
  std::int64_t data_beats_per_clock = 2, command_beats_per_clock = 1;
  std::int64_t write_clocks_per_clock = 1;  ///< WCK : CK
};

struct InterfaceCounts {
  std::int64_t cycles = 0;  ///< of the window
  ByPinGroup<PinCounts> pins{};
  std::int64_t reads = 0, writes = 0;                    ///< bursts
  std::int64_t reads_seamless = 0, writes_seamless = 0;  ///< … right behind one like them
  std::int64_t read_ambles = 0, write_ambles = 0;        ///< the others, times strobe pairs
};

struct PinEnergy {
  double level = 0, edges = 0;  ///< J: through the terminations, by changes of level
  double total() const { return level + edges; }
};

struct InterfaceEnergy {
  ByPinGroup<PinEnergy> pins;

  double total() const;
  /// By the side that drives. Where the heat comes out is another matter.
  PinEnergy driven_by_dram() const;
  PinEnergy driven_by_controller() const;
};

/// The DRAM drives the data, strobes and inversion of reads, the controller all else.
bool is_driven_by_dram(PinGroup group);

/// Seconds of one unit interval of a group.
double unit_interval_s(const InterfaceParameters& parameters, PinGroup group);

InterfaceEnergy interface_energy(const InterfaceParameters& parameters,
                                 const InterfaceCounts& counts);

}  // namespace diffram::physics
