#pragma once
// The thermal cases of tests/oracle/data, by id, and the networks that several of them share.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/gz_file.h"
#include "physics/heat/block.h"
#include "physics/heat/solver.h"

namespace diffram::physics::heat {

using nlohmann::json;

inline const json& thermal_cases() {
  static const json cases = oracle::json_of_gz("thermal_cases.json.gz").at("cases");
  return cases;
}

inline const json& thermal_case(const std::string& id) {
  for (const json& each : thermal_cases())
    if (each.at("id") == id) return each;
  throw std::runtime_error("no thermal case " + id);
}

inline double number(const json& where, const char* key) { return where.at(key).get<double>(); }
inline std::vector<double> numbers(const json& where, const char* key) {
  return where.at(key).get<std::vector<double>>();
}

inline Solver solver_of(Network network) {
  auto solver = Solver::make(std::move(network));
  if (!solver) throw std::runtime_error(solver.error().front().text());
  return std::move(*solver);
}

inline void expect_near_relative(double is, double should, double relative) {
  EXPECT_NEAR(is, should, relative * std::abs(should));
}

/// A case of explicit nodes: "nodes", "between", "to_ambient".
inline Network network_of(const json& inputs) {
  Network network;
  for (const json& node : inputs.at("nodes")) network.add_node(number(node, "C_J_per_K"));
  for (const json& link : inputs.value("between", json::array()))
    network.connect(link.at("a"), link.at("b"), 1 / number(link, "R_K_per_W"));
  for (const json& way : inputs.at("to_ambient"))
    network.bound(way.at("node"), 1 / number(way, "R_K_per_W"), number(inputs, "T_ambient_C"));
  return network;
}

inline Layer uniform_layer(double thickness, double k, double heat_capacity = 0) {
  return {thickness, k, k, k, heat_capacity};
}

inline double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double each : values) sum += each;
  return sum;
}

struct SchemeCase {
  Scheme scheme;
  const char* tolerance;  ///< key of an absolute tolerance
};
inline constexpr SchemeCase kSchemes[] = {
    {Scheme::sdirk2, "second_order_abs_K"},
    {Scheme::backward_euler, "backward_euler_abs_K"},
};

}  // namespace diffram::physics::heat
