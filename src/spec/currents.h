#pragma once
// What a device draws, and in which loops its standard measures that (energy-and-heat.md 2a).

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace diffram::spec {

inline constexpr double kUnknownCurrent = std::numeric_limits<double>::quiet_NaN();

/// Currents of one rail, ampere per device; NaN = not known.
struct RailCurrents {
  double volts = 0;
  double i0 = 0, i2n = 0, i3n = 0, i4r = 0, i4w = 0, i5 = 0, i6 = 0, i2p = 0, i3p = 0;
  double i_beta = 0;                 ///< during tRP; the datasheet's IDD0 loop uses i0
  double i5_part = kUnknownCurrent;  ///< I5C, I5PB, I5DB: of the loop of partial refreshes
  double i5_2x = kUnknownCurrent, i5_4x = kUnknownCurrent;  ///< of REFab at fine granularity
  double i6_deep = kUnknownCurrent;                         ///< I6DS: deep sleep
  std::string name;                                         ///< "VDD", "VPP"
};

struct Currents {
  std::vector<RailCurrents> rails;  ///< VDD, VPP …
  double rho = 1;                   ///< share of the active-standby rise that a rank pays once
  bool estimated = false;           ///< taken from another part (memory-values.md 5)
  bool measured = false;            ///< means of measured parts, not a sheet's maxima
  std::string part;                 ///< the device the currents belong to
  std::vector<std::string> unknown_rails;  ///< of the standard's: no energy of theirs is counted
};

/// Published energies of a memory without a table of currents.
struct EventEnergies {
  double activate_j = 0;  ///< an activation and its precharge; 0 = held by the others or not known
  double read_j_per_bit = 0, write_j_per_bit = 0;
  std::string scope;  ///< what they hold, in words
};

/// Banks that are open while a current is measured.
enum class OpenBanks : std::uint8_t { all, one, two };
inline constexpr std::array<const char*, 3> kOpenBanksNames = {"all", "one", "two"};

/// How a standard measures its currents.
struct CurrentLoops {
  std::vector<std::string> rails;      ///< of the core; the first carries most of it
  OpenBanks standby = OpenBanks::all;  ///< I3N
  OpenBanks columns = OpenBanks::all;  ///< I4R, I4W
  std::string part_refresh;            ///< the current of the loop of partial refreshes: "I5C"
  std::int32_t part_refreshes = 0;     ///< of that loop in one tREFI; 0 = one after the other
  bool splits_activation = true;  ///< an activation alone, without its precharge, has an energy

  bool operator==(const CurrentLoops&) const = default;
};

/// Of a device with `banks` banks.
double open_banks(OpenBanks open, double banks);

/// What a rail draws with so many banks open: I2N with none, shared + n · each with n. The share ρ
/// of the rise above I2N is paid once, the rest by each bank, and the loop of I3N draws I3N.
struct StandbyCurrents {
  double shared = 0;  ///< Iρ
  double each = 0;    ///< I1 − Iρ

  double with(double open) const { return shared + open * each; }
};
StandbyCurrents standby_currents(const RailCurrents& rail, double rho, OpenBanks measured_with,
                                 double banks);

/// I5PB*, the current during a partial refresh, from the average of a loop that issues one every
/// `interval` cycles: JEDEC's I5PB, I5DB.
double burst_current(double average, double i2n, double interval, double lasts);

}  // namespace diffram::spec
