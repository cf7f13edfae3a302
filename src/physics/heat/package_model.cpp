#include "physics/heat/package_model.h"

#include <algorithm>
#include <limits>

namespace diffram::physics::heat {

namespace {

// What is not stated; the network is refused then.
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint32_t kLeastCells = 8, kMostCells = 128;  // along an axis
// Bands of a die that its column path lies in: pads along the lower edge, the spine in the middle.
constexpr double kPadsTop = 0.1, kSpineBottom = 0.45, kSpineTop = 0.55;

/// The least multiple of `parts` that is at least kLeastCells, or the most cells there may be.
std::uint32_t cells_for(std::uint32_t parts) {
  return std::min(kMostCells, parts * ((kLeastCells + parts - 1) / parts));
}

}  // namespace

PackageModel::PackageModel(const spec::PackageSpec& package, const spec::MemorySpec& memory)
    : package_(package),
      devices_(memory.organisation.devices()),
      bank_groups_(memory.organisation.bank_groups),
      banks_per_group_(memory.organisation.banks_per_group) {
  for (std::uint32_t l = 0; l < package.layers.size(); ++l) {
    const auto& layer = package.layers[l];
    if (layer.role == spec::LayerRole::memory) memory_layers_.push_back(l);
    block_.layers.push_back({layer.thickness, layer.k_in_plane, layer.k_in_plane, layer.k_through,
                             layer.heat_capacity});
  }
  units_a_layer_ =
      package.channels * package.ranks / static_cast<std::uint32_t>(memory_layers_.size());
  block_.width = package.width;
  block_.height = package.height;
  block_.nx = package.nx > 0 ? package.nx : cells_for(units_a_layer_ * bank_groups_);
  block_.ny = package.ny > 0 ? package.ny : cells_for(banks_per_group_);
  add_block(network_, block_);

  // A θ of the package is shared out among the cells of its outer layers.
  case_ = network_.add_node(package.case_capacity);
  board_ = network_.add_node(package.board_capacity);
  const auto top = static_cast<std::uint32_t>(package.layers.size() - 1);
  for (std::uint32_t c = 0; c < block_.cells(); ++c) {
    network_.connect(block_.node(top, 0, 0) + c, case_,
                     1 / (package.junction_to_case * block_.cells()));
    network_.connect(block_.node(0, 0, 0) + c, board_,
                     1 / (package.junction_to_board * block_.cells()));
  }
  network_.bound(case_, 1 / package.case_to_air.value_or(kUnknown), package.air.value_or(kUnknown));
  network_.bound(board_, 1 / package.board_to_air.value_or(kUnknown),
                 package.board.value_or(kUnknown));
  if (package.neighbour) add_neighbour(*package.neighbour);
}

// On an interposer it heats the lowest die, elsewhere the board.
void PackageModel::add_neighbour(const spec::HotNeighbour& neighbour) {
  const std::uint32_t node = network_.add_node(neighbour.heat_capacity);
  neighbour_ = node;
  network_.bound(node, 1 / neighbour.to_air, package_.air.value_or(kUnknown));
  const double conductance = 1 / neighbour.to_memory;
  if (package_.kind == spec::PackageKind::stack) {
    for (std::uint32_t c = 0; c < block_.cells(); ++c)
      network_.connect(node, block_.node(0, 0, 0) + c, conductance / block_.cells());
  } else {
    network_.connect(node, board_, conductance);
  }
}

std::uint32_t PackageModel::hottest_cell(const std::vector<double>& celsius) const {
  std::uint32_t hottest = block_.node(memory_layers_.front(), 0, 0);
  for (const std::uint32_t layer : memory_layers_) {
    const std::uint32_t first = block_.node(layer, 0, 0);
    for (std::uint32_t node = first; node < first + block_.cells(); ++node)
      if (celsius[node] > celsius[hottest]) hottest = node;
  }
  return hottest;
}

double PackageModel::measured(const std::vector<double>& celsius, spec::MeasuredAt at) const {
  return celsius[at == spec::MeasuredAt::box ? case_ : hottest_cell(celsius)];
}

std::vector<double> PackageModel::layer_watts(spec::LayerRole role) const {
  std::vector<double> watts(network_.size(), 0.0);
  const double all = role == spec::LayerRole::base    ? package_.base_watts
                     : role == spec::LayerRole::logic ? package_.logic_watts
                                                      : 0;
  for (std::uint32_t l = 0; l < package_.layers.size(); ++l) {
    if (package_.layers[l].role == role) spread(watts, l, {}, all / package_.layers_of(role));
  }
  return watts;
}

std::vector<double> PackageModel::neighbour_watts() const {
  std::vector<double> watts(network_.size(), 0.0);
  if (neighbour_ && package_.neighbour) watts[*neighbour_] = package_.neighbour->watts;
  return watts;
}

std::vector<double> PackageModel::other_watts() const {
  std::vector<double> watts = neighbour_watts();
  for (const auto role : {spec::LayerRole::base, spec::LayerRole::logic}) {
    const auto more = layer_watts(role);
    for (std::size_t i = 0; i < watts.size(); ++i) watts[i] += more[i];
  }
  return watts;
}

std::vector<double> PackageModel::memory_watts(const PowerMap& map, std::uint32_t first_channel,
                                               std::uint32_t first_rank) const {
  std::vector<double> watts(network_.size(), 0.0);
  for (std::uint32_t c = 0; c < package_.channels; ++c) {
    for (std::uint32_t r = 0; r < package_.ranks; ++r) {
      const Unit unit = c * package_.ranks + r;
      const std::size_t rank = std::size_t{first_channel + c} * map.ranks + first_rank + r;
      heat_unit(watts, unit, map.of_rank[rank] / devices_);
      for (std::uint32_t bank = 0; bank < map.banks; ++bank) {
        heat_bank(watts, unit, bank, map.of_bank[rank * map.banks + bank] / devices_);
        heat_columns(watts, unit, bank, map.of_columns[rank * map.banks + bank] / devices_);
      }
    }
  }
  return watts;
}

// Each cell gets the share of the area that lies in it, so no watt is lost.
void PackageModel::spread(std::vector<double>& watts, std::uint32_t layer, const Area& area,
                          double power) const {
  const double left = area.left * block_.nx, right = area.right * block_.nx;
  const double bottom = area.bottom * block_.ny, top = area.top * block_.ny;
  const auto overlap = [](std::uint32_t cell, double from, double to) {
    return std::max(0.0, std::min(to, cell + 1.0) - std::max(from, static_cast<double>(cell)));
  };
  const double density = power / ((right - left) * (top - bottom));
  for (auto j = static_cast<std::uint32_t>(bottom); j < block_.ny && j < top; ++j) {
    for (auto i = static_cast<std::uint32_t>(left); i < block_.nx && i < right; ++i)
      watts[block_.node(layer, i, j)] +=
          density * overlap(i, left, right) * overlap(j, bottom, top);
  }
}

// Units of one die lie side by side.
PackageModel::Area PackageModel::area_of(Unit unit) const {
  const double width = 1.0 / units_a_layer_, left = unit % units_a_layer_ * width;
  return {left, left + width, 0, 1};
}

// Bank groups side by side, their banks one above the other.
PackageModel::Area PackageModel::area_of_bank(Unit unit, std::uint32_t bank) const {
  const Area whole = area_of(unit);
  const double width = (whole.right - whole.left) / bank_groups_, height = 1.0 / banks_per_group_;
  const std::uint32_t group = bank / banks_per_group_;
  const double left = whole.left + group * width;
  const double bottom = bank % banks_per_group_ * height;
  return {left, left + width, bottom, bottom + height};
}

void PackageModel::heat_bank(std::vector<double>& watts, Unit unit, std::uint32_t bank,
                             double power) const {
  spread(watts, layer_of(unit), area_of_bank(unit, bank), power);
}

void PackageModel::heat_columns(std::vector<double>& watts, Unit unit, std::uint32_t bank,
                                double power) const {
  Area area = area_of(unit);
  spread(watts, layer_of(unit), area_of_bank(unit, bank), power * package_.in_bank);
  area.bottom = kSpineBottom, area.top = kSpineTop;
  spread(watts, layer_of(unit), area, power * package_.in_spine);
  area.bottom = 0, area.top = kPadsTop;
  spread(watts, layer_of(unit), area, power * package_.in_pads);
}

void PackageModel::heat_unit(std::vector<double>& watts, Unit unit, double power) const {
  spread(watts, layer_of(unit), area_of(unit), power);
}

}  // namespace diffram::physics::heat
