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

/// An epoch of the loop between heat and the memory.
struct HeatEpoch {
  std::int64_t begin = 0, cycles = 0;         ///< memory cycles of simulated time
  double sensed = 0;                          ///< °C at its end, where the standard measures
  double refresh_rate = 1, column_share = 1;  ///< with which it was run

  bool operator==(const HeatEpoch&) const = default;
};

}  // namespace diffram::ledger
