// A package's file. Every value has a range that no real part leaves, narrower than a factor of
// 1000 to the usual value: a unit mistaken is an error, not a temperature.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "spec/folders.h"
#include "spec/package.h"
#include "spec/parse.h"
#include "spec/toml_section.h"

namespace diffram::spec {

namespace {

constexpr double kMillimetre = 1e-3, kMicrometre = 1e-6, kMegajoule = 1e6;
constexpr std::int64_t kMostCells = 128, kMostHeld = 64;
constexpr std::size_t kMostLayers = 64;
constexpr double kMostTheta = 200;  // K/W; a 54-pin TSOP in still air has 86
constexpr double kLeastCelsius = -55, kMostCelsius = 125;
constexpr double kShareSlack = 1e-9;

template <class Enum, std::size_t N>
Enum choice(Section& section, Reading& reading, const char* key,
            const std::array<const char*, N>& names) {
  const auto name = section.text(key);
  if (!name) return Enum{};
  const auto found = std::find(names.begin(), names.end(), *name);
  if (found != names.end()) return static_cast<Enum>(found - names.begin());
  const std::vector<std::string> known(names.begin(), names.end());
  const auto near = base::nearest(*name, known);
  reading.refuse("unknown_choice", section.path_of(key), section.line_of(key),
                 "there is no " + std::string(key) + " '" + *name + "'",
                 near.empty() ? fmt::format("{}", fmt::join(known, ", ")) : near);
  return Enum{};
}

bool is_silicon(LayerRole role) { return role != LayerRole::passive; }

/// `policy` is the same section for what is no fact.
PackageLayer read_layer(Section section, Section policy, const std::string& name,
                        Reading& reading) {
  PackageLayer out;
  out.name = name;
  out.role = choice<LayerRole>(policy, reading, "role", kLayerRoleNames);
  section.note_known({"role"});
  // Dies: 20 µm of a thinned one to 1 mm. Bonds, mould and lids: 1 µm to 5 mm.
  const bool silicon = is_silicon(out.role);
  const double least = silicon ? 20 : 1, most = silicon ? 1000 : 5000;
  out.thickness = section.real("thickness_um", least, most).value_or(1) * kMicrometre;
  // Silicon from 50 W/mK (hot, doped) to 160; else from mould to diamond.
  const double least_k = silicon ? 50 : 0.1, most_k = silicon ? 160 : 2000;
  out.k_through = section.real("conductivity", least_k, most_k).value_or(1);
  out.k_in_plane =
      section.real("conductivity_in_plane", 0.1, 2000, Need::optional).value_or(out.k_through);
  out.heat_capacity = section.real("heat_capacity", 0.5, 5).value_or(1) * kMegajoule;
  section.refuse_unknown_keys();
  return out;
}

/// `order` names the layers from the board up; a name may come again.
std::vector<PackageLayer> read_layers(Section& names, Section kinds, Reading& reading) {
  auto order = names.texts("order");
  if (order.size() > kMostLayers) {
    reading.refuse("out_of_range", "order", names.line_of("order"),
                   fmt::format("{} layers are too many", order.size()),
                   fmt::format("at most {}", kMostLayers));
    order.clear();
  }
  std::map<std::string, PackageLayer> known;
  for (const auto& key : kinds.keys())
    known[key] =
        read_layer(kinds.section(key), kinds.section(key, Need::required, ""), key, reading);
  std::vector<PackageLayer> out;
  for (const auto& name : order) {
    const auto found = known.find(name);
    if (found != known.end()) {
      out.push_back(found->second);
      continue;
    }
    std::vector<std::string> all;
    all.reserve(known.size());
    for (const auto& [each, ignored] : known) all.push_back(each);
    const auto near = base::nearest(name, all);
    reading.refuse("unknown_choice", "order", names.line_of("order"),
                   "there is no layer '" + name + "'",
                   near.empty() ? "[layer." + name + "]" : near);
  }
  for (const auto& [each, ignored] : known) {
    if (std::find(order.begin(), order.end(), each) == order.end() && !order.empty())
      reading.refuse("unused", "layer." + each, kinds.line_of(each),
                     "the layer is not in the order of layers");
  }
  return out;
}

void read_die(Section section, PackageSpec& out) {
  out.width = section.real("width_mm", 1, 60).value_or(1) * kMillimetre;
  out.height = section.real("height_mm", 1, 60).value_or(1) * kMillimetre;
  const auto cells = [&](const char* key) {
    return static_cast<std::uint32_t>(
        section.whole(key, 1, kMostCells, Need::optional).value_or(0));
  };
  out.nx = cells("cells_x");
  out.ny = cells("cells_y");
  section.refuse_unknown_keys();
}

void read_thetas(Section section, PackageSpec& out) {
  out.junction_to_case = section.real("junction_to_case", 0.01, 50).value_or(1);
  out.junction_to_board = section.real("junction_to_board", 0.1, 100).value_or(1);
  out.case_to_air = section.real("case_to_air", 0.02, kMostTheta, Need::optional);
  out.board_to_air = section.real("board_to_air", 0.02, kMostTheta, Need::optional);
  section.refuse_unknown_keys();
}

void read_capacities(Section section, PackageSpec& out) {
  out.case_capacity = section.real("case_j_per_k", 0.01, 5000).value_or(0);
  out.board_capacity = section.real("board_j_per_k", 0.01, 5000).value_or(0);
  section.refuse_unknown_keys();
}

void read_surroundings(Section section, PackageSpec& out) {
  out.air = section.real("air_c", kLeastCelsius, kMostCelsius, Need::optional);
  out.board = section.real("board_c", kLeastCelsius, kMostCelsius, Need::optional);
  section.refuse_unknown_keys();
}

void read_holds(Section section, PackageSpec& out) {
  out.channels = static_cast<std::uint32_t>(section.whole("channels", 1, kMostHeld).value_or(1));
  out.ranks = static_cast<std::uint32_t>(section.whole("ranks", 1, kMostHeld).value_or(1));
  section.refuse_unknown_keys();
}

void read_column_heat(Section section, Reading& reading, PackageSpec& out) {
  if (!section.present()) return;
  out.in_bank = section.real("banks", 0, 1).value_or(1);
  out.in_spine = section.real("spine", 0, 1).value_or(0);
  out.in_pads = section.real("pads", 0, 1).value_or(0);
  section.refuse_unknown_keys();
  const double sum = out.in_bank + out.in_spine + out.in_pads;
  if (std::abs(sum - 1) > kShareSlack)
    reading.refuse("inconsistent", section.path_of("banks"), 0,
                   fmt::format("the shares of a column command's heat add up to {:g}", sum),
                   "banks + spine + pads = 1");
}

std::optional<HotNeighbour> read_neighbour(Section section) {
  if (!section.present()) return std::nullopt;
  HotNeighbour out;
  out.watts = section.real("watts", 0, 2000).value_or(0);
  out.to_memory = section.real("to_memory", 0.1, 1000).value_or(1);
  out.to_air = section.real("to_air", 0.005, kMostTheta).value_or(1);
  out.heat_capacity = section.real("j_per_k", 0.01, 5000).value_or(0);
  section.refuse_unknown_keys();
  return out;
}

/// The watts of a role that the package has a layer of are required, of another refused.
double read_watts(Section& section, const char* key, LayerRole role, const PackageSpec& package) {
  if (package.layers_of(role) == 0) return 0;
  return section.real(key, 0, 1000).value_or(0);
}

void check_layers(const PackageSpec& package, Reading& reading) {
  const auto dies = package.layers_of(LayerRole::memory);
  if (dies == 0)
    reading.refuse("missing_key", "order", 0, "no layer is a memory's", "role = \"memory\"");
  const auto held = package.channels * package.ranks;
  if (dies > 0 && held % dies != 0)
    reading.refuse("inconsistent", "holds", 0,
                   fmt::format("{} channels of {} ranks do not share out evenly among {} memory "
                               "layers",
                               package.channels, package.ranks, dies),
                   "channels × ranks, a multiple of the memory layers");
}

}  // namespace

std::uint32_t PackageSpec::layers_of(LayerRole role) const {
  return static_cast<std::uint32_t>(std::count_if(
      layers.begin(), layers.end(), [&](const auto& layer) { return layer.role == role; }));
}

base::Result<PackageSpec> parse_package(const SourceText& source, const Overrides& overrides) {
  Reading reading;
  reading.file = source.file;
  auto tree = parse_toml(source.text, reading);
  if (!tree) return base::failure(std::move(reading.errors));
  apply_overrides(*tree, "package", overrides, reading);

  Section root(&*tree, "", reading);
  read_sources(root, reading);
  PackageSpec out;
  out.name = source.name();
  Section names(&*tree, "", reading, "");
  out.title = names.text("title", Need::optional).value_or(out.name);
  out.kind = choice<PackageKind>(names, reading, "kind", kPackageKindNames);
  read_die(root.section("die"), out);
  read_holds(root.section("holds", Need::required, ""), out);
  out.layers = read_layers(names, root.section("layer"), reading);
  read_thetas(root.section("theta"), out);
  read_capacities(root.section("capacity"), out);
  read_surroundings(root.section("surroundings", Need::optional), out);
  read_column_heat(root.section("column_heat", Need::optional), reading, out);
  const bool has_others = out.layers_of(LayerRole::base) > 0 || out.layers_of(LayerRole::logic) > 0;
  auto watts = root.section("watts", has_others ? Need::required : Need::optional);
  if (watts.present()) {
    out.base_watts = read_watts(watts, "base", LayerRole::base, out);
    out.logic_watts = read_watts(watts, "logic", LayerRole::logic, out);
    watts.refuse_unknown_keys();
  }
  out.neighbour = read_neighbour(root.section("neighbour", Need::optional));
  root.note_known({"title", "kind", "order"});
  root.refuse_unknown_keys();
  if (reading.errors.empty()) check_layers(out, reading);
  if (!reading.errors.empty()) return base::failure(std::move(reading.errors));
  out.provenance = std::move(reading.provenance);
  for (auto& assumption : out.provenance) assumption.field = "package." + assumption.field;
  return out;
}

base::Errors check_package(const PackageSpec& package, const MemorySpec& memory) {
  base::Errors errors;
  const auto& o = memory.organisation;
  const auto demand = [&](const char* field, std::uint32_t of, std::uint32_t held,
                          const char* what) {
    if (of % held == 0) return;
    errors.push_back({.code = "does_not_match",
                      .message = fmt::format("packages of {} {} cannot hold the {} of {}", held,
                                             what, of, memory.name),
                      .file = "",
                      .line = 0,
                      .field = std::string("package.holds.") + field,
                      .expected = fmt::format("a divisor of {}", of)});
  };
  demand("channels", o.channels, package.channels, "channels");
  demand("ranks", o.ranks, package.ranks, "ranks");
  const auto state = [&](const std::optional<double>& value, const char* field, const char* what,
                         const char* unit) {
    if (value) return;
    errors.push_back({.code = "missing_key",
                      .message = fmt::format("{} is not known: it belongs to the machine around "
                                             "the package, and is not guessed",
                                             what),
                      .file = "",
                      .line = 0,
                      .field = std::string("package.") + field,
                      .expected = fmt::format("--set package.{}={}", field, unit)});
  };
  state(package.case_to_air, "theta.case_to_air", "the resistance from case to air", "K/W");
  state(package.board_to_air, "theta.board_to_air", "the resistance from board to air", "K/W");
  state(package.air, "surroundings.air_c", "the temperature of the air above the case", "°C");
  state(package.board, "surroundings.board_c", "the temperature around the board", "°C");
  return errors;
}

base::Result<PackageSpec> load_package(const SpecFolders& folders, const std::string& name_or_file,
                                       const Overrides& overrides) {
  const auto source = read_spec(folders, "packages", "package", name_or_file);
  if (!source) return base::failure(source.error());
  return parse_package(*source, overrides);
}

std::vector<std::string> list_packages(const SpecFolders& folders) {
  return list_names(folders, "packages");
}

}  // namespace diffram::spec
