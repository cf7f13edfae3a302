#pragma once
// How hot a run makes its memory: a row for each layer of each distinct package, and for the case,
// the board and what is hot beside them. Temperatures in °C.

#include <cstdint>
#include <string>
#include <vector>

namespace diffram::ledger {

struct LayerHeat {
  std::string package;  ///< "channel 0, rank 0": whose heat it is
  std::string layer;    ///< from the board up: "0 base", "2 die"; "case", "board", "neighbour"
  std::string role;     ///< "memory", "base", "logic", "passive"; "node" for the last three
  std::int64_t instances = 1;               ///< equal packages that this one stands for
  double watts = 0;                         ///< of one instance, mean of the run
  double steady_mean = 0, steady_peak = 0;  ///< if this load lasts
  double end_mean = 0, end_peak = 0;        ///< when the run ends
  std::int64_t columns = 0;                 ///< of the map; 0 = a node
  /// Steady state of the cells, thousandths of a degree, row by row from the pads.
  std::vector<std::int64_t> map;

  bool operator==(const LayerHeat&) const = default;
};

inline constexpr std::uint32_t kWholeRank = 0xFFFFFFFFu;  ///< in place of a bank

/// What a component's power at one place of the memory does to the hottest place.
struct PlacedRise {
  std::uint32_t component = 0;  ///< index into RunRecord::energy
  std::uint32_t channel = 0, rank = 0, bank = kWholeRank;
  double kelvin = 0;

  bool operator==(const PlacedRise&) const = default;
};

/// The hottest place of the memory's dies if the run's mean power lasts, and what makes it so. Heat
/// is linear in power: Σ of all rises = `celsius` − `air`.
struct HottestPlace {
  std::string package, layer;        ///< as in LayerHeat; empty = no temperatures
  std::int64_t column = 0, row = 0;  ///< of the layer's map
  double celsius = 0;
  double air = 0;           ///< °C around the package
  std::string measured_at;  ///< "case", "die", "stack": where the standard's limits hold
  double measured = 0;      ///< °C there, in the hottest package
  double limit = 0;         ///< °C, the end of the standard's last band; 0 = it has none
  std::vector<PlacedRise> of_memory;
  /// K: dies that are not the memory's, the die beside it, a board warmer (or cooler) than the air.
  double of_base = 0, of_logic = 0, of_neighbour = 0, of_board = 0;

  bool is_known() const { return !package.empty(); }
  double rise() const { return celsius - air; }
  bool operator==(const HottestPlace&) const = default;
};

/// An epoch of the loop between heat and the memory.
struct HeatEpoch {
  std::int64_t begin = 0, cycles = 0;         ///< memory cycles of simulated time
  double sensed = 0;                          ///< °C at its end, where the standard measures
  double refresh_rate = 1, column_share = 1;  ///< with which it was run

  bool operator==(const HeatEpoch&) const = default;
};

}  // namespace diffram::ledger
