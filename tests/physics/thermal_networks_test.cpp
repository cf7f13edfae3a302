// Thermal cases of networks given node by node: steps, decays, ripples, packages, conservation.

#include <algorithm>
#include <numeric>

#include "physics/thermal_cases.h"

namespace diffram::physics::heat {
namespace {

/// Temperatures of every node at the case's times.
std::vector<std::vector<double>> at_times(Solver& solver, const json& inputs, double dt,
                                          Scheme scheme) {
  std::vector<double> celsius(solver.network().size(), number(inputs, "T_initial_C"));
  const auto watts = numbers(inputs, "power_W");
  std::vector<std::vector<double>> out;
  std::int64_t done = 0;
  for (const double time : numbers(inputs, "times_s")) {
    for (const auto steps = std::llround(time / dt); done < steps; ++done)
      solver.step(celsius, watts, dt, scheme);
    out.push_back(celsius);
  }
  return out;
}

void expect_curve(const json& each, const char* key, std::size_t node, double dt) {
  const auto expected = numbers(each.at("expected"), key);
  for (const auto& [scheme, tolerance] : kSchemes) {
    Solver solver = solver_of(network_of(each.at("inputs")));
    const auto curve = at_times(solver, each.at("inputs"), dt, scheme);
    ASSERT_EQ(curve.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(curve[i][node], expected[i], number(each.at("tolerance"), tolerance)) << i;
    EXPECT_EQ(solver.factors(), 2u) << "the steady state and one length of step";
  }
}

TEST(ThermalCase, single_node_step) {
  const auto& each = thermal_case("single_node_step");
  expect_curve(each, "T_C", 0, 0.02);
  const Solver solver = solver_of(network_of(each.at("inputs")));
  expect_near_relative(solver.steady(numbers(each.at("inputs"), "power_W"))[0],
                       number(each.at("expected"), "T_steady_C"), 1e-12);
}

TEST(ThermalCase, single_node_step_discrete) {
  const auto& each = thermal_case("single_node_step_discrete");
  const auto& inputs = each.at("inputs");
  const auto& expected = each.at("expected");
  for (const auto& [scheme, key] : {std::pair{Scheme::backward_euler, "backward_euler_T_C"},
                                    std::pair{Scheme::sdirk2, "sdirk2_T_C"}}) {
    Solver solver = solver_of(network_of(inputs));
    std::vector<double> celsius = {number(inputs, "T_initial_C")};
    const auto values = numbers(expected, key);
    int done = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (; done < inputs.at("steps").at(i); ++done)
        solver.step(celsius, numbers(inputs, "power_W"), number(inputs, "dt_s"), scheme);
      expect_near_relative(celsius[0], values[i], number(each.at("tolerance"), "rel"));
    }
  }
}

TEST(ThermalCase, single_node_cooling) {
  expect_curve(thermal_case("single_node_cooling"), "T_C", 0, 0.02);
}

TEST(ThermalCase, single_node_square_wave) {
  const auto& each = thermal_case("single_node_square_wave");
  const auto& inputs = each.at("inputs");
  const auto& expected = each.at("expected");
  constexpr double kStep = 0.01;
  constexpr int kPeriods = 60;
  const auto steps = std::llround(number(inputs, "period_s") / kStep);
  const auto high = std::llround(number(inputs, "duty") * static_cast<double>(steps));
  for (const auto& [scheme, tolerance] : kSchemes) {
    Solver solver = solver_of(network_of(inputs));
    std::vector<double> celsius = {number(inputs, "T_ambient_C")};
    double most = 0, least = 0, mean = 0;
    for (int period = 0; period < kPeriods; ++period) {
      most = 0, least = 1e9, mean = 0;
      for (std::int64_t i = 0; i < steps; ++i) {
        const double before = celsius[0];
        const std::vector<double> watts = {
            number(inputs, i < high ? "power_high_W" : "power_low_W")};
        solver.step(celsius, watts, kStep, scheme);
        most = std::max(most, celsius[0]);
        least = std::min(least, celsius[0]);
        mean += (before + celsius[0]) / 2 / static_cast<double>(steps);
      }
    }
    const double limit = number(each.at("tolerance"), tolerance);
    EXPECT_NEAR(most, number(expected, "T_max_C"), limit);
    EXPECT_NEAR(least, number(expected, "T_min_C"), limit);
    EXPECT_NEAR(mean, number(expected, "T_mean_C"), limit);
  }
}

/// JESD15-3: junction 0, case 1, board 2.
Solver two_resistors(const json& inputs) {
  Network network;
  for (int node = 0; node < 3; ++node) network.add_node(0);
  network.connect(0, 1, 1 / number(inputs, "theta_JC_top"));
  network.connect(0, 2, 1 / number(inputs, "theta_JB"));
  network.bound(1, 1 / number(inputs, "theta_CA"), number(inputs, "T_air_C"));
  network.bound(2, 1 / number(inputs, "theta_BA"), number(inputs, "T_board_ambient_C"));
  return solver_of(std::move(network));
}

TEST(ThermalCase, two_resistor_package) {
  const auto& each = thermal_case("two_resistor_package");
  const auto& expected = each.at("expected");
  const double limit = 5e-12;  // the file's 1e-12, and the twelve digits it prints
  const Solver solver = two_resistors(each.at("inputs"));
  const auto celsius = solver.steady(std::vector{number(each.at("inputs"), "power_W"), 0.0, 0.0});
  expect_near_relative(celsius[0], number(expected, "T_J_C"), limit);
  expect_near_relative(celsius[1], number(expected, "T_case_C"), limit);
  expect_near_relative(celsius[2], number(expected, "T_board_C"), limit);
  const auto flows = solver.network().boundary_flows(celsius);
  expect_near_relative(flows[0], number(expected, "heat_top_W"), limit);
  expect_near_relative(flows[1], number(expected, "heat_bottom_W"), limit);
  expect_near_relative(sum_of(flows), number(expected, "sum_heat_W"), limit);
}

TEST(ThermalCase, theta_is_not_psi) {
  const auto& each = thermal_case("theta_is_not_psi");
  const auto& expected = each.at("expected");
  const double watts = number(each.at("inputs"), "power_W"), limit = 5e-12;
  const auto celsius = two_resistors(each.at("inputs")).steady(std::vector{watts, 0.0, 0.0});
  expect_near_relative((celsius[0] - celsius[1]) / watts, number(expected, "psi_JT_K_per_W"),
                       limit);
  expect_near_relative(celsius[0], number(expected, "T_J_right_C"), limit);
  expect_near_relative(celsius[1] + number(expected, "theta_JC_top") * watts,
                       number(expected, "T_J_if_theta_JC_times_total_power_C"), limit);
}

TEST(ThermalCase, two_node_ladder) {
  const auto& each = thermal_case("two_node_ladder");
  expect_curve(each, "T_die_C", 0, 1e-3);
  expect_curve(each, "T_package_C", 1, 1e-3);
  const auto steady =
      solver_of(network_of(each.at("inputs"))).steady(numbers(each.at("inputs"), "power_W"));
  const auto expected = numbers(each.at("expected"), "T_steady_C");
  for (std::size_t i = 0; i < 2; ++i) expect_near_relative(steady[i], expected[i], 1e-12);
}

TEST(ThermalCase, two_node_energy_book) {
  const auto& each = thermal_case("two_node_energy_book");
  const auto& inputs = each.at("inputs");
  const double limit = number(each.at("tolerance"), "rel");
  for (const auto& [scheme, key] :
       {std::pair{Scheme::backward_euler, "backward_euler"}, std::pair{Scheme::sdirk2, "sdirk2"}}) {
    const auto& expected = each.at("expected").at(key);
    Solver solver = solver_of(network_of(inputs));
    std::vector<double> celsius(2, number(inputs, "T_initial_C"));
    StepHeat book;
    for (int i = 0; i < inputs.at("steps"); ++i) {
      const auto heat =
          solver.step(celsius, numbers(inputs, "power_W"), number(inputs, "dt_s"), scheme);
      book.in += heat.in;
      book.stored += heat.stored;
      book.out += heat.out;
    }
    for (std::size_t i = 0; i < 2; ++i)
      expect_near_relative(celsius[i], numbers(expected, "T_C")[i], limit);
    expect_near_relative(book.in, number(each.at("expected"), "heat_in_J"), limit);
    expect_near_relative(book.stored, number(expected, "stored_J"), limit);
    expect_near_relative(book.out, number(expected, "out_J"), limit);
    expect_near_relative(book.stored + book.out, book.in,
                         number(each.at("tolerance"), "balance_rel"));
  }
}

TEST(ThermalCase, hbm_stack_1d) {
  const auto& each = thermal_case("hbm_stack_1d");
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  const double area = number(in, "area_m2");
  const double silicon = number(in, "silicon_thickness_m") / number(in, "k_silicon_W_per_mK");
  const std::uint32_t dies = in.at("dies");
  // Node d is the active face of die d, away from the sink; 0 is the base die.
  Network network;
  for (std::uint32_t d = 0; d <= dies; ++d) network.add_node(0);
  for (std::uint32_t d = 0; d < dies; ++d)
    network.connect(d, d + 1, area / (silicon + number(in, "bond_Km2_per_W")));
  network.bound(dies,
                1 / ((silicon + number(in, "tim_Km2_per_W")) / area + number(in, "R_sink_K_per_W")),
                number(in, "T_ambient_C"));
  std::vector<double> watts(dies + 1, number(in, "power_die_W"));
  watts[0] = number(in, "power_base_W");
  const Solver solver = solver_of(std::move(network));
  const auto celsius = solver.steady(watts);
  const double limit = number(each.at("tolerance"), "rel");
  for (const auto& [name, value] : expected.at("T_C").items()) {
    const std::size_t die = name == "base" ? 0 : std::stoul(name.substr(3));
    expect_near_relative(celsius[die], value.get<double>(), limit);
  }
  expect_near_relative(sum_of(solver.network().boundary_flows(celsius)),
                       number(expected, "total_power_W"), limit);
  expect_near_relative(celsius[0] - celsius[dies], number(expected, "base_minus_die8_K"), limit);
}

TEST(ThermalCase, time_scales) {
  const auto& each = thermal_case("time_scales");
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  const double limit = number(each.at("tolerance"), "rel");
  expect_near_relative(diffusion_time(uniform_layer(number(in, "silicon_thickness_m"),
                                                    number(in, "k"), number(in, "c"))),
                       number(expected, "die_diffusion_s"), limit);
  Network network;
  network.bound(network.add_node(number(in, "package_C_J_per_K")),
                1 / number(in, "package_R_K_per_W"), 0);
  Solver solver = solver_of(std::move(network));
  const std::vector<double> watts = {number(in, "power_W")};
  std::vector<double> celsius = {0};
  for (int i = 0; i < 10; ++i) solver.step(celsius, watts, number(in, "run_s") / 10);
  expect_near_relative(celsius[0], number(expected, "rise_after_run_K"), limit);
  expect_near_relative(solver.steady(watts)[0], number(expected, "rise_steady_K"), limit);
}

}  // namespace
}  // namespace diffram::physics::heat
