#pragma once
// A package as a network: its layers as cells, case and board as nodes, and the places in it where
// a memory makes heat.

#include <cstdint>
#include <optional>
#include <vector>

#include "physics/heat/block.h"
#include "physics/heat/network.h"
#include "physics/heat/power_map.h"
#include "spec/memory.h"
#include "spec/package.h"

namespace diffram::physics::heat {

/// What a channel's rank in the package is called here: channel of the package × its ranks + rank.
using Unit = std::uint32_t;

class PackageModel {
 public:
  /// The package fits the memory and its surroundings are known (`spec::check_package`).
  PackageModel(const spec::PackageSpec& package, const spec::MemorySpec& memory);

  const Network& network() const { return network_; }
  const Block& block() const { return block_; }
  std::uint32_t case_node() const { return case_; }
  std::uint32_t board_node() const { return board_; }
  std::optional<std::uint32_t> neighbour_node() const { return neighbour_; }
  std::uint32_t devices() const { return devices_; }  ///< of a rank, which work in step

  /// The hottest cell of the memory's dies.
  std::uint32_t hottest_cell(const std::vector<double>& celsius) const;
  /// °C where a standard's limits are measured.
  double measured(const std::vector<double>& celsius, spec::MeasuredAt at) const;

  /// Watts of each node by whose they are: base or logic dies, the neighbour.
  std::vector<double> layer_watts(spec::LayerRole role) const;
  std::vector<double> neighbour_watts() const;
  /// Watts of each node that are not the memory's: the three together.
  std::vector<double> other_watts() const;
  /// Watts of each node that the memory makes, in the package whose first channel and rank these
  /// are. Devices of a rank work in step, so each makes its part.
  std::vector<double> memory_watts(const PowerMap& map, std::uint32_t first_channel,
                                   std::uint32_t first_rank) const;
  /// Heat of one bank, of column commands to it, and of a unit as a whole. `watts` is by node.
  void heat_bank(std::vector<double>& watts, Unit unit, std::uint32_t bank, double power) const;
  void heat_columns(std::vector<double>& watts, Unit unit, std::uint32_t bank, double power) const;
  void heat_unit(std::vector<double>& watts, Unit unit, double power) const;

 private:
  void add_neighbour(const spec::HotNeighbour& neighbour);

  /// A part of a layer, in shares of its width and height.
  struct Area {
    double left = 0, right = 1, bottom = 0, top = 1;
  };
  void spread(std::vector<double>& watts, std::uint32_t layer, const Area& area,
              double power) const;
  Area area_of(Unit unit) const;
  Area area_of_bank(Unit unit, std::uint32_t bank) const;
  std::uint32_t layer_of(Unit unit) const { return memory_layers_[unit / units_a_layer_]; }

  spec::PackageSpec package_;
  std::uint32_t devices_, bank_groups_, banks_per_group_;
  std::vector<std::uint32_t> memory_layers_;
  std::uint32_t units_a_layer_ = 1;
  Network network_;
  Block block_;
  std::uint32_t case_ = 0, board_ = 0;
  std::optional<std::uint32_t> neighbour_;
};

}  // namespace diffram::physics::heat
