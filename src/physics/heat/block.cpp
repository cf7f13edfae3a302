#include "physics/heat/block.h"

namespace diffram::physics::heat {

namespace {

double half_cell(const Layer& layer) { return layer.thickness / (2 * layer.k_z); }  // K·m²/W

void link_layer(Network& network, const Block& block, std::uint32_t l) {
  const Layer& layer = block.layers[l];
  const double dx = block.width / block.nx, dy = block.height / block.ny;
  const double along_x = layer.k_x * dy * layer.thickness / dx;
  const double along_y = layer.k_y * dx * layer.thickness / dy;
  for (std::uint32_t j = 0; j < block.ny; ++j) {
    for (std::uint32_t i = 0; i < block.nx; ++i) {
      if (i + 1 < block.nx) network.connect(block.node(l, i, j), block.node(l, i + 1, j), along_x);
      if (j + 1 < block.ny) network.connect(block.node(l, i, j), block.node(l, i, j + 1), along_y);
    }
  }
}

}  // namespace

void add_block(Network& network, Block& block) {
  block.first = static_cast<std::uint32_t>(network.size());
  const double area = block.cell_area();
  for (const Layer& layer : block.layers) {
    network.capacity.insert(network.capacity.end(), block.cells(),
                            layer.heat_capacity * area * layer.thickness);
  }
  for (std::uint32_t l = 0; l < block.layers.size(); ++l) {
    link_layer(network, block, l);
    if (l == 0) continue;
    const double upwards = area / (half_cell(block.layers[l - 1]) + half_cell(block.layers[l]));
    for (std::uint32_t c = 0; c < block.cells(); ++c)
      network.connect(block.node(l - 1, 0, 0) + c, block.node(l, 0, 0) + c, upwards);
  }
}

void bound_layer(Network& network, const Block& block, std::uint32_t layer, double film,
                 double celsius) {
  const double out = block.cell_area() / (half_cell(block.layers[layer]) + film);
  for (std::uint32_t c = 0; c < block.cells(); ++c)
    network.bound(block.node(layer, 0, 0) + c, out, celsius);
}

void connect_layer(Network& network, const Block& block, std::uint32_t layer, double film,
                   std::uint32_t node) {
  const double out = block.cell_area() / (half_cell(block.layers[layer]) + film);
  for (std::uint32_t c = 0; c < block.cells(); ++c)
    network.connect(block.node(layer, 0, 0) + c, node, out);
}

double diffusion_time(const Layer& layer) {
  return layer.thickness * layer.thickness * layer.heat_capacity / layer.k_z;
}

}  // namespace diffram::physics::heat
