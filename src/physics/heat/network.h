#pragma once
// A thermal network: nodes that store heat, links that conduct it, and boundaries held at a
// temperature. Linear, so temperatures may be in °C throughout; differences are in K.

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace diffram::physics::heat {

struct Link {
  std::uint32_t a = 0, b = 0;
  double conductance = 0;  ///< W/K
};

/// A node conducts to surroundings that stay at one temperature.
struct Boundary {
  std::uint32_t node = 0;
  double conductance = 0;  ///< W/K
  double celsius = 0;
};

struct Network {
  std::vector<double> capacity;  ///< J/K of each node, 0 = it stores nothing
  std::vector<Link> links;
  std::vector<Boundary> boundaries;

  std::size_t size() const { return capacity.size(); }
  /// Gives the new node's number.
  std::uint32_t add_node(double joules_per_kelvin);
  void connect(std::uint32_t a, std::uint32_t b, double conductance) {
    links.push_back({a, b, conductance});
  }
  void bound(std::uint32_t node, double conductance, double celsius) {
    boundaries.push_back({node, conductance, celsius});
  }

  /// Watts that flow out of each boundary at these temperatures; negative = in.
  std::vector<double> boundary_flows(std::span<const double> celsius) const;
};

/// Errors `no_boundary` (a node whose heat has no way out), `out_of_range` (a conductance that is
/// not positive, a negative capacity, a temperature below absolute zero).
base::Errors check(const Network& network);

}  // namespace diffram::physics::heat
