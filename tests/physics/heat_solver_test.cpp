// What the solver promises beyond the golden cases: refusals, balance, halved steps, large grids.

#include <algorithm>

#include "physics/thermal_cases.h"

namespace diffram::physics::heat {
namespace {

TEST(HeatNetwork, without_a_boundary_is_refused) {
  Network network;
  network.connect(network.add_node(1), network.add_node(1), 0.5);
  const auto solver = Solver::make(network);
  ASSERT_FALSE(solver);
  EXPECT_EQ(solver.error().front().code, "no_boundary");
}

TEST(HeatNetwork, an_island_without_a_boundary_is_refused) {
  Network network;
  network.bound(network.add_node(1), 0.5, 25);
  network.connect(network.add_node(1), network.add_node(1), 0.5);
  const auto solver = Solver::make(network);
  ASSERT_FALSE(solver);
  EXPECT_EQ(solver.error().front().code, "no_boundary");
  EXPECT_NE(solver.error().front().message.find("node 1"), std::string::npos);
}

TEST(HeatNetwork, a_conductance_that_is_not_positive_is_refused) {
  for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    Network network;
    network.bound(network.add_node(1), wrong, 25);
    const auto solver = Solver::make(network);
    ASSERT_FALSE(solver) << wrong;
    EXPECT_EQ(solver.error().front().code, "out_of_range");
  }
}

/// A die under a lid with a hot corner.
struct HotCorner {
  Block block;
  std::vector<double> watts;
  Network network;

  explicit HotCorner(std::uint32_t cells) {
    block = {8e-3,
             8e-3,
             cells,
             cells,
             {uniform_layer(50e-6, 120, 1.66e6), uniform_layer(20e-6, 1.5, 1.65e6),
              uniform_layer(400e-6, 148, 1.66e6)},
             0};
    add_block(network, block);
    bound_layer(network, block, 2, 1 / 8000.0, 45);
    watts.assign(network.size(), 0.0);
    for (std::uint32_t i = 0; i < cells / 4; ++i) {
      for (std::uint32_t j = 0; j < cells / 4; ++j)
        watts[block.node(0, i, j)] = 1.5 / (cells / 4) / (cells / 4);
    }
  }
};

double imbalance(const HotCorner& hot) {
  const Solver solver = solver_of(hot.network);
  const double in = sum_of(hot.watts);
  return std::abs(sum_of(hot.network.boundary_flows(solver.steady(hot.watts))) - in) / in;
}

TEST(HeatSolver, steady_heat_out_equals_power_in) { EXPECT_LE(imbalance(HotCorner(32)), 1e-9); }

TEST(HeatSolver, above_the_direct_limit_gradients_balance_as_well) {
  const HotCorner hot(68);
  ASSERT_GT(hot.network.size(), Solver::kDirectNodes);
  EXPECT_LE(imbalance(hot), 1e-9);
}

TEST(HeatSolver, gradients_agree_with_the_factor) {
  // The same die with cells of a 64th: means over the hot corner agree, and the grids are solved
  // in different ways.
  const HotCorner coarse(16), fine(64 + 16);
  ASSERT_LE(coarse.network.size(), Solver::kDirectNodes);
  ASSERT_GT(fine.network.size(), Solver::kDirectNodes);
  const auto mean = [](const HotCorner& hot) {
    const auto celsius = solver_of(hot.network).steady(hot.watts);
    return sum_of(std::span(celsius).first(hot.block.cells())) / hot.block.cells();
  };
  EXPECT_NEAR(mean(coarse), mean(fine), 0.01);
}

TEST(HeatSolver, halving_the_step_moves_no_temperature_by_a_twentieth_kelvin) {
  const HotCorner hot(16);
  const auto after = [&](int steps) {
    Solver solver = solver_of(hot.network);
    std::vector<double> celsius(hot.network.size(), 45.0);
    for (int i = 0; i < steps; ++i) solver.step(celsius, hot.watts, 0.05 / steps);
    return celsius;
  };
  const auto whole = after(50), half = after(100);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_NEAR(whole[i], half[i], 0.05);
}

TEST(HeatSolver, a_length_of_step_is_factorised_once) {
  HotCorner hot(16);
  Solver solver = solver_of(hot.network);
  std::vector<double> celsius(hot.network.size(), 45.0);
  for (int i = 0; i < 10; ++i) {
    solver.step(celsius, hot.watts, 1e-3);
    solver.step(celsius, hot.watts, 2e-3);
  }
  EXPECT_EQ(solver.factors(), 3u);
}

}  // namespace
}  // namespace diffram::physics::heat
