#include "physics/heat/heat_rises.h"

#include <algorithm>
#include <numeric>

#include "physics/heat/power_map.h"

namespace diffram::physics::heat {

namespace {

/// K of the node for a watt in each place of the memory, in the order of `PowerMap`, but of this
/// package only.
struct PlaceResponse {
  std::vector<double> of_bank, of_columns, of_rank;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

PlaceResponse respond(const PackageModel& model, const std::vector<double>& response, Unit units,
                      std::uint32_t banks) {
  PlaceResponse out;
  std::vector<double> watts(response.size());
  const auto of_a_watt = [&](auto put) {
    std::ranges::fill(watts, 0.0);
    put();
    return dot(watts, response);
  };
  for (Unit unit = 0; unit < units; ++unit) {
    out.of_rank.push_back(of_a_watt([&] { model.heat_unit(watts, unit, 1); }));
    for (std::uint32_t bank = 0; bank < banks; ++bank) {
      out.of_bank.push_back(of_a_watt([&] { model.heat_bank(watts, unit, bank, 1); }));
      out.of_columns.push_back(of_a_watt([&] { model.heat_columns(watts, unit, bank, 1); }));
    }
  }
  return out;
}

/// Rises of one component, whose power lies in the memory as `map` says.
void add_component(std::uint32_t component, const PowerMap& map, const PlaceResponse& response,
                   const PackageOfRun& package, double devices,
                   std::vector<ledger::PlacedRise>& out) {
  const auto add = [&](std::uint32_t channel, std::uint32_t rank, std::uint32_t bank, double rise) {
    if (rise != 0) out.push_back({component, channel, rank, bank, rise / devices});
  };
  for (std::uint32_t c = 0; c < package.channels; ++c) {
    for (std::uint32_t r = 0; r < package.ranks; ++r) {
      const std::uint32_t channel = package.first_channel + c, rank = package.first_rank + r;
      const std::size_t unit = std::size_t{c} * package.ranks + r;
      const std::size_t place = std::size_t{channel} * map.ranks + rank;
      add(channel, rank, ledger::kWholeRank, map.of_rank[place] * response.of_rank[unit]);
      for (std::uint32_t bank = 0; bank < map.banks; ++bank) {
        const std::size_t from = place * map.banks + bank, to = unit * map.banks + bank;
        add(channel, rank, bank,
            map.of_bank[from] * response.of_bank[to] +
                map.of_columns[from] * response.of_columns[to]);
      }
    }
  }
}

}  // namespace

void add_rises(const PackageModel& model, const Solver& solver, const ledger::RunRecord& run,
               const PackageOfRun& package, std::uint32_t node, ledger::HottestPlace& out) {
  const std::vector<double> response = solver.response(node);
  out.of_base = dot(response, model.layer_watts(spec::LayerRole::base));
  out.of_logic = dot(response, model.layer_watts(spec::LayerRole::logic));
  out.of_neighbour = dot(response, model.neighbour_watts());
  for (const Boundary& boundary : solver.network().boundaries)
    out.of_board += response[boundary.node] * boundary.conductance * (boundary.celsius - out.air);
  const std::uint32_t banks = run.bank_groups * run.banks_per_group;
  const PlaceResponse places = respond(model, response, package.channels * package.ranks, banks);
  for (std::uint32_t i = 0; i < run.energy.size(); ++i)
    add_component(i, power_map(run, {&run.energy[i], 1}), places, package, model.devices(),
                  out.of_memory);
}

}  // namespace diffram::physics::heat
