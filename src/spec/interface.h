#pragma once
// What the pins of a channel cost (energy-and-heat.md 4): VDDQ, and for each group of pins what one
// of them draws at the level that its termination pulls against, and what an edge costs.

#include <array>
#include <cstddef>
#include <cstdint>

namespace diffram::spec {

enum class PinGroup : std::uint8_t {
  clock,
  command,
  read_data,
  write_data,
  read_strobe,
  write_strobe,
  read_inversion,
  write_inversion,
  write_clock
};
inline constexpr std::size_t kPinGroups = 9;
inline constexpr std::array<const char*, kPinGroups> kPinGroupNames = {
    "CK", "CA", "DQ read", "DQ write", "DQS read", "DQS write", "DBI read", "DBI write", "WCK"};
inline constexpr const char* name_of(PinGroup g) {
  return kPinGroupNames[static_cast<std::size_t>(g)];
}

template <class T>
struct ByPinGroup : std::array<T, kPinGroups> {
  using std::array<T, kPinGroups>::operator[];
  T& operator[](PinGroup g) { return (*this)[static_cast<std::size_t>(g)]; }
  const T& operator[](PinGroup g) const { return (*this)[static_cast<std::size_t>(g)]; }
};

/// One pin of a group.
struct PinElectrics {
  bool is_terminated = false;
  double ohms = 0;  ///< driver and termination in series, R_eq
  double joules_per_rise = 0;
  double memory_ohms = 0;  ///< of `ohms`, those that lie in the memory
};

/// What a burst costs before and after its data where it does not follow another one at once.
struct StrobeAmble {
  double zeroes = 0;  ///< periods of CK, of one strobe pair
  double rises = 0;
};

/// What is known of the pads of a memory of ours: `[interface]` of its standard, or of its own
/// file.
struct Pads {
  double volts = 0;                            ///< VDDQ
  double driver_ohms = 0;                      ///< of either side
  double termination_ohms = 0;                 ///< of data and strobes, of either side; 0 = none
  double data_farads = 0, command_farads = 0;  ///< of a device's pin; command: CA, CK and WCK too

  bool operator==(const Pads&) const = default;
};

struct Interface {
  double volts = 0;  ///< VDDQ
  ByPinGroup<PinElectrics> pins;
  StrobeAmble read_amble, write_amble;  ///< DDR4 alone
};

}  // namespace diffram::spec
