#pragma once
// A stack of layers cut into equal cells (energy-and-heat.md 8c). Layer 0 is the lowest; cell (i,
// j) of layer l is node first + (l·ny + j)·nx + i. The cells fill the layers exactly.

#include <cstdint>
#include <span>
#include <vector>

#include "physics/heat/network.h"

namespace diffram::physics::heat {

struct Layer {
  double thickness = 0;              ///< m
  double k_x = 0, k_y = 0, k_z = 0;  ///< W/(m·K)
  double heat_capacity = 0;          ///< J/(m³·K)
};

struct Block {
  double width = 0, height = 0;  ///< m, along x and y
  std::uint32_t nx = 1, ny = 1;
  std::vector<Layer> layers;
  std::uint32_t first = 0;  ///< node of the first cell, set by `add_block`

  std::uint32_t cells() const { return nx * ny; }  ///< of a layer
  std::uint32_t node(std::uint32_t layer, std::uint32_t i, std::uint32_t j) const {
    return first + (layer * ny + j) * nx + i;
  }
  double cell_area() const { return width / nx * (height / ny); }
};

/// Append the block's cells and the links among them.
void add_block(Network& network, Block& block);

/// Each cell of the layer through half its thickness and a film (K·m²/W) to the surroundings.
void bound_layer(Network& network, const Block& block, std::uint32_t layer, double film,
                 double celsius);
/// … to one node.
void connect_layer(Network& network, const Block& block, std::uint32_t layer, double film,
                   std::uint32_t node);

/// Seconds that heat takes through a layer (thickness² · capacity / k_z).
double diffusion_time(const Layer& layer);

}  // namespace diffram::physics::heat
