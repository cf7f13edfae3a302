// Thermal cases of layers cut into cells: slabs, sheets and the 4 × 3 × 3 block.

#include <algorithm>
#include <optional>

#include "physics/thermal_cases.h"

namespace diffram::physics::heat {
namespace {

/// A slab of unit area: layers from the insulated face to the cooled one.
Block slab(double thickness, std::uint32_t cells, double k, double heat_capacity = 0) {
  Block block{1, 1, 1, 1, {}, 0};
  block.layers.assign(cells, uniform_layer(thickness / cells, k, heat_capacity));
  return block;
}

Block slab_of(const json& in) {
  return slab(number(in, "thickness_m"), in.at("cells"), number(in, "k_W_per_mK"));
}

Solver cooled(const Block& block, const json& in) {
  Network network;
  Block placed = block;
  add_block(network, placed);
  bound_layer(network, placed, static_cast<std::uint32_t>(block.layers.size() - 1),
              1 / number(in, "h_W_per_m2K"), number(in, "T_ambient_C"));
  return solver_of(std::move(network));
}

TEST(ThermalCase, slab_face_heated) {
  const auto& each = thermal_case("slab_face_heated");
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  const double limit = number(each.at("tolerance"), "rel");
  const Block block = slab_of(in);
  std::vector<double> watts(block.layers.size(), 0.0);
  const double flux = number(in, "flux_W_per_m2");
  watts[0] = flux;
  const auto celsius = cooled(block, in).steady(watts);
  const auto cells = numbers(expected, "T_cell_centres_C");
  for (std::size_t i = 0; i < cells.size(); ++i) expect_near_relative(celsius[i], cells[i], limit);
  const double half = block.layers[0].thickness / (2 * block.layers[0].k_z);
  const double hot = celsius.front() + flux * half, cold = celsius.back() - flux * half;
  expect_near_relative(hot, number(expected, "T_hot_face_C"), limit);
  expect_near_relative(cold, number(expected, "T_cold_face_C"), limit);
  EXPECT_NEAR(hot - cold, number(expected, "drop_K"), 1e-10);
}

TEST(ThermalCase, slab_uniform_generation) {
  const auto& each = thermal_case("slab_uniform_generation");
  const auto& in = each.at("inputs");
  const auto& tolerance = each.at("tolerance");
  const Block block = slab_of(in);
  const std::vector<double> watts(block.layers.size(),
                                  number(in, "generation_W_per_m3") * block.layers[0].thickness);
  const auto celsius = cooled(block, in).steady(watts);
  const auto discrete = numbers(each.at("expected"), "finite_volume_C");
  const auto exact = numbers(each.at("expected"), "exact_at_cell_centres_C");
  for (std::size_t i = 0; i < exact.size(); ++i) {
    expect_near_relative(celsius[i], discrete[i], number(tolerance, "finite_volume_rel"));
    EXPECT_NEAR(celsius[i], exact[i], number(tolerance, "exact_abs_K"));
  }
}

TEST(ThermalCase, slab_cooling_series) {
  const auto& each = thermal_case("slab_cooling_series");
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  constexpr double kStep = 2e-3;
  const Block block = slab(number(in, "thickness_m"), 40, number(in, "k_W_per_mK"),
                           number(in, "volumetric_heat_J_per_m3K"));
  const auto times = numbers(in, "times_s");
  const double half = block.layers[0].thickness / (2 * block.layers[0].k_z);
  const double film = 1 / number(in, "h_W_per_m2K"), ambient = number(in, "T_ambient_C");
  for (const auto& [scheme, tolerance] : kSchemes) {
    Solver solver = cooled(block, in);
    std::vector<double> celsius(40, number(in, "T_initial_C"));
    const std::vector<double> watts(40, 0.0);
    std::int64_t done = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      for (const auto steps = std::llround(times[i] / kStep); done < steps; ++done)
        solver.step(celsius, watts, kStep, scheme);
      const double limit = number(each.at("tolerance"), tolerance);
      EXPECT_NEAR(celsius[0] + (celsius[0] - celsius[1]) / 8,
                  numbers(expected, "T_insulated_face_C")[i], limit);
      const double flux = (celsius.back() - ambient) / (half + film);
      EXPECT_NEAR(ambient + flux * film, numbers(expected, "T_cooled_face_C")[i], limit);
    }
  }
}

TEST(ThermalCase, semi_infinite_flux) {
  const auto& each = thermal_case("semi_infinite_flux");
  const auto& in = each.at("inputs");
  constexpr double kStep = 2e-8;
  const double k = number(in, "k_W_per_mK"), flux = number(in, "flux_W_per_m2");
  const auto times = numbers(in, "times_s");
  const auto expected = numbers(each.at("expected"), "surface_rise_K");
  for (const auto& [scheme, tolerance] :
       {std::pair{Scheme::sdirk2, "second_order_rel"},
        std::pair{Scheme::backward_euler, "backward_euler_rel"}}) {
    Block block = slab(400e-6, 400, k, number(in, "volumetric_heat_J_per_m3K"));
    Network network;
    add_block(network, block);
    // The far face is cold; within 16 µs no heat comes there.
    bound_layer(network, block, 399, 0, 0);
    Solver solver = solver_of(std::move(network));
    std::vector<double> celsius(400, 0.0), watts(400, 0.0);
    watts[0] = flux;
    std::int64_t done = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      for (const auto steps = std::llround(times[i] / kStep); done < steps; ++done)
        solver.step(celsius, watts, kStep, scheme);
      expect_near_relative(celsius[0] + flux * block.layers[0].thickness / (2 * k), expected[i],
                           number(each.at("tolerance"), tolerance));
    }
  }
}

void expect_cosine_sheet(const json& each) {
  const auto& in = each.at("inputs");
  const auto& expected = each.at("expected");
  const bool along_x = in.at("axis") == "x";
  const std::uint32_t cells = in.at("cells"), others = in.at("other_cells");
  const double width = number(in, "width_m"), other = number(in, "other_width_m");
  const double k = number(in, "k_lateral_W_per_mK");
  // The film stands for the whole way out, so the layer's own half thickness is taken off it.
  constexpr double kUpwards = 1e12;
  const Layer layer{number(in, "thickness_m"), along_x ? k : 7 * k, along_x ? 7 * k : k, kUpwards,
                    0};
  Block block{along_x ? width : other,
              along_x ? other : width,
              along_x ? cells : others,
              along_x ? others : cells,
              {layer},
              0};
  Network network;
  add_block(network, block);
  bound_layer(network, block, 0, 1 / number(in, "h_W_per_m2K"), number(in, "T_ambient_C"));
  std::vector<double> watts(block.cells());
  for (std::uint32_t a = 0; a < cells; ++a) {
    const double flux =
        number(in, "flux_amplitude_W_per_m2") * std::cos(std::acos(-1.0) * (a + 0.5) / cells);
    for (std::uint32_t b = 0; b < others; ++b)
      watts[along_x ? block.node(0, a, b) : block.node(0, b, a)] = flux * block.cell_area();
  }
  const auto celsius = solver_of(std::move(network)).steady(watts);
  const auto values = numbers(expected, "T_cells_C");
  const double limit = number(each.at("tolerance"), "rel");
  for (std::uint32_t a = 0; a < cells; ++a) {
    for (std::uint32_t b = 0; b < others; ++b)
      expect_near_relative(celsius[along_x ? block.node(0, a, b) : block.node(0, b, a)], values[a],
                           limit);
  }
}

TEST(ThermalCase, cosine_sheet_x) { expect_cosine_sheet(thermal_case("cosine_sheet_x")); }
TEST(ThermalCase, cosine_sheet_y) { expect_cosine_sheet(thermal_case("cosine_sheet_y")); }

/// The block of the grid_* cases with its two boundaries.
class Grid {
 public:
  explicit Grid(const json& grid) {
    const double dx = number(grid, "dx_m"), dy = number(grid, "dy_m");
    const auto& cells = grid.at("cells");
    const auto thickness = numbers(grid, "layer_thickness_m");
    block_ = {
        dx * cells.at(0).get<int>(), dy * cells.at(1).get<int>(), cells.at(0), cells.at(1), {}, 0};
    for (std::size_t l = 0; l < thickness.size(); ++l) {
      const auto& k = grid.at("layer_k_xyz_W_per_mK").at(l);
      block_.layers.push_back({thickness[l], k.at(0), k.at(1), k.at(2), 0});
    }
    Network network;
    add_block(network, block_);
    const double ambient = number(grid, "T_ambient_C");
    bound_layer(network, block_, 2, 1 / number(grid, "h_top_W_per_m2K"), ambient);
    bound_layer(network, block_, 0, 1 / number(grid, "h_bottom_W_per_m2K"), ambient);
    solver_.emplace(solver_of(std::move(network)));
  }

  std::uint32_t node(const json& place) const {
    return block_.node(place.at(2), place.at(0), place.at(1));
  }
  std::vector<double> watts(const json& sources) const {
    std::vector<double> out(solver_->network().size(), 0.0);
    for (const json& source : sources) out[node(source)] += source.at(3).get<double>();
    return out;
  }
  const Solver& solver() const { return *solver_; }
  std::uint32_t cells() const { return block_.cells(); }

 private:
  Block block_;
  std::optional<Solver> solver_;
};

TEST(ThermalCase, grid_point_source) {
  const auto& each = thermal_case("grid_point_source");
  const Grid grid(each.at("inputs").at("grid"));
  const auto celsius = grid.solver().steady(grid.watts(each.at("inputs").at("power_W")));
  for (std::uint32_t l = 0; l < 3; ++l) {
    const auto key = "T_layer" + std::to_string(l) + "_C";
    const auto values = numbers(each.at("expected"), key.c_str());
    for (std::uint32_t c = 0; c < values.size(); ++c)
      expect_near_relative(celsius[l * grid.cells() + c], values[c],
                           number(each.at("tolerance"), "rel"));
  }
}

TEST(ThermalCase, grid_superposition) {
  const auto& each = thermal_case("grid_superposition");
  const auto& expected = each.at("expected");
  const auto& tolerance = each.at("tolerance");
  const Grid grid(each.at("inputs").at("grid"));
  const auto& sets = each.at("inputs").at("power_sets");
  const auto one = grid.watts(sets.at(0)), two = grid.watts(sets.at(1));
  auto both = one;
  for (std::size_t i = 0; i < both.size(); ++i) both[i] += two[i];
  const auto of_one = grid.solver().steady(one), of_two = grid.solver().steady(two);
  const auto of_both = grid.solver().steady(both);
  const double limit = number(tolerance, "rel");
  expect_near_relative(std::ranges::max(of_one), number(expected, "T_max_set1_C"), limit);
  expect_near_relative(std::ranges::max(of_two), number(expected, "T_max_set2_C"), limit);
  expect_near_relative(std::ranges::max(of_both), number(expected, "T_max_both_C"), limit);
  const auto layer0 = numbers(expected, "T_layer0_both_C");
  for (std::size_t i = 0; i < of_both.size(); ++i) {
    expect_near_relative(of_one[i] + of_two[i], of_both[i], number(tolerance, "superposition_rel"));
    if (i < layer0.size()) expect_near_relative(of_both[i], layer0[i], limit);
  }
}

TEST(ThermalCase, grid_energy_balance) {
  const auto& each = thermal_case("grid_energy_balance");
  const auto& expected = each.at("expected");
  const Grid grid(each.at("inputs").at("grid"));
  const auto celsius = grid.solver().steady(grid.watts(each.at("inputs").at("power_W")));
  const auto flows = grid.solver().network().boundary_flows(celsius);
  const std::span<const double> all = flows;
  const double limit = number(each.at("tolerance"), "rel");
  expect_near_relative(sum_of(all), number(expected, "boundary_heat_W"), limit);
  expect_near_relative(sum_of(all.first(grid.cells())), number(expected, "top_W"), limit);
  expect_near_relative(sum_of(all.last(grid.cells())), number(expected, "bottom_W"), limit);
}

TEST(ThermalCase, grid_reciprocity) {
  const auto& each = thermal_case("grid_reciprocity");
  const auto& in = each.at("inputs");
  const Grid grid(in.at("grid"));
  const auto rise = [&](const json& at, const json& of) {
    std::vector<double> watts(grid.solver().network().size(), 0.0);
    watts[grid.node(of)] = 1;
    return grid.solver().steady(watts)[grid.node(at)];
  };
  const double limit = number(each.at("tolerance"), "rel");
  expect_near_relative(rise(in.at("a"), in.at("b")), number(each.at("expected"), "R_ab_K_per_W"),
                       limit);
  expect_near_relative(rise(in.at("b"), in.at("a")), number(each.at("expected"), "R_ba_K_per_W"),
                       limit);
}

TEST(ThermalCase, grid_uniform_equals_1d) {
  const auto& each = thermal_case("grid_uniform_equals_1d");
  const Grid grid(each.at("inputs").at("grid"));
  std::vector<double> watts(grid.solver().network().size(), 0.0);
  std::fill_n(watts.begin(), grid.cells(), number(each.at("inputs"), "power_W_every_cell_layer0"));
  const auto celsius = grid.solver().steady(watts);
  const auto expected = numbers(each.at("expected"), "T_layers_C");
  for (std::uint32_t l = 0; l < 3; ++l) {
    const auto layer = std::span(celsius).subspan(std::size_t{l} * grid.cells(), grid.cells());
    for (const double value : layer)
      expect_near_relative(value, expected[l], number(each.at("tolerance"), "rel"));
    EXPECT_LE(std::ranges::max(layer) - std::ranges::min(layer),
              number(each.at("tolerance"), "spread_abs_K"));
  }
}

}  // namespace
}  // namespace diffram::physics::heat
