#pragma once
// What a memory's heat passes on its way out: dies, bonds, case, board, and what is hot beside it
// (docs/heat.md). What the machine around the package does (θ_CA, θ_BA, air and board temperature)
// has no default: the file or --set states it, or there is no answer.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "spec/memory.h"

namespace diffram::spec {

enum class PackageKind : std::uint8_t { module, package_on_package, board, stack };
inline constexpr std::array<const char*, 4> kPackageKindNames = {"module", "package_on_package",
                                                                 "board", "stack"};
inline constexpr const char* name_of(PackageKind k) {
  return kPackageKindNames[static_cast<std::size_t>(k)];
}

/// Whose heat a layer makes.
enum class LayerRole : std::uint8_t { memory, base, logic, passive };
inline constexpr std::array<const char*, 4> kLayerRoleNames = {"memory", "base", "logic",
                                                               "passive"};
inline constexpr const char* name_of(LayerRole r) {
  return kLayerRoleNames[static_cast<std::size_t>(r)];
}

struct PackageLayer {
  std::string name;
  LayerRole role = LayerRole::passive;
  double thickness = 0;      ///< m
  double k_in_plane = 0;     ///< W/(m·K)
  double k_through = 0;      ///< W/(m·K)
  double heat_capacity = 0;  ///< J/(m³·K)
};

/// A die beside the package, with a way of its own to the air.
struct HotNeighbour {
  double watts = 0;
  double to_memory = 0, to_air = 0;  ///< K/W
  double heat_capacity = 0;          ///< J/K
};

struct PackageSpec {
  std::string name, title;
  PackageKind kind = PackageKind::module;
  double width = 0, height = 0;  ///< m, of every layer
  std::uint32_t nx = 0, ny = 0;  ///< cells; 0 = one a bank, at least 8
  /// One device of each of so many channels and ranks is in a package, shared out evenly among its
  /// memory layers, channels first.
  std::uint32_t channels = 1, ranks = 1;
  std::vector<PackageLayer> layers;                    ///< the lowest, on the board's side, first
  double junction_to_case = 0, junction_to_board = 0;  ///< K/W
  double case_capacity = 0, board_capacity = 0;        ///< J/K
  std::optional<double> case_to_air, board_to_air;     ///< K/W; the machine's
  std::optional<double> air, board;                    ///< °C of the surroundings; the machine's
  double base_watts = 0, logic_watts = 0;              ///< of all layers of the role
  /// Where a read's or write's heat goes; their sum is 1.
  double in_bank = 1, in_spine = 0, in_pads = 0;
  std::optional<HotNeighbour> neighbour;
  std::vector<base::Assumption> provenance;

  std::uint32_t layers_of(LayerRole role) const;
};

/// A name from `specs/packages/` or a TOML file. All errors at once.
base::Result<PackageSpec> load_package(const SpecFolders& folders, const std::string& name_or_file,
                                       const Overrides& overrides = {});
std::vector<std::string> list_packages(const SpecFolders& folders);

/// Whether such packages can hold the memory (`does_not_match`), and whether the machine's side is
/// stated (`missing_key`).
base::Errors check_package(const PackageSpec& package, const MemorySpec& memory);

}  // namespace diffram::spec
