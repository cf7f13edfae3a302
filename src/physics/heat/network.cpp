#include "physics/heat/network.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace diffram::physics::heat {

namespace {

constexpr double kAbsoluteZero = -273.15;  // °C

bool conducts(double conductance) { return std::isfinite(conductance) && conductance > 0; }

base::Error out_of_range(std::string message) {
  return {.code = "out_of_range",
          .message = std::move(message),
          .file = "",
          .line = 0,
          .field = "",
          .expected = "a positive, finite value"};
}

/// Nodes joined by links, as sets (union-find with path halving).
class Islands {
 public:
  explicit Islands(std::size_t nodes) : parent_(nodes) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t of(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[of(a)] = of(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::uint32_t Network::add_node(double joules_per_kelvin) {
  capacity.push_back(joules_per_kelvin);
  return static_cast<std::uint32_t>(capacity.size() - 1);
}

std::vector<double> Network::boundary_flows(std::span<const double> celsius) const {
  std::vector<double> flows;
  flows.reserve(boundaries.size());
  for (const Boundary& b : boundaries)
    flows.push_back(b.conductance * (celsius[b.node] - b.celsius));
  return flows;
}

base::Errors check(const Network& network) {
  base::Errors errors;
  const std::size_t nodes = network.size();
  for (std::size_t i = 0; i < nodes; ++i) {
    if (!std::isfinite(network.capacity[i]) || network.capacity[i] < 0)
      errors.push_back(out_of_range(
          fmt::format("node {} has a heat capacity of {} J/K", i, network.capacity[i])));
  }
  Islands islands(nodes);
  for (const Link& link : network.links) {
    if (link.a >= nodes || link.b >= nodes || !conducts(link.conductance)) {
      errors.push_back(out_of_range(fmt::format("the link of nodes {} and {} conducts {} W/K",
                                                link.a, link.b, link.conductance)));
    } else {
      islands.join(link.a, link.b);
    }
  }
  std::vector<bool> has_way_out(nodes);
  for (const Boundary& b : network.boundaries) {
    if (b.node >= nodes || !conducts(b.conductance) || !std::isfinite(b.celsius) ||
        b.celsius < kAbsoluteZero) {
      errors.push_back(out_of_range(fmt::format("the boundary of node {} conducts {} W/K to {} °C",
                                                b.node, b.conductance, b.celsius)));
    } else {
      has_way_out[islands.of(b.node)] = true;
    }
  }
  for (std::uint32_t i = 0; i < nodes && errors.empty(); ++i) {
    if (!has_way_out[islands.of(i)])
      errors.push_back({.code = "no_boundary",
                        .message = fmt::format("the heat of node {} has no way out of the network, "
                                               "so it would grow hotter for ever",
                                               i),
                        .file = "",
                        .line = 0,
                        .field = "",
                        .expected = "a way to the air or to the board"});
  }
  return errors;
}

}  // namespace diffram::physics::heat
