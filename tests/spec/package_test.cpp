#include "spec/package.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "spec/describe.h"
#include "spec/parse.h"
#include "spec/shipped.h"

namespace diffram::spec {
namespace {

using testing::HasSubstr;

/// A shipped package with the machine's side stated.
Overrides machine_side(Overrides more = {}) {
  Overrides out = {{"theta.case_to_air", "20"},
                   {"theta.board_to_air", "15"},
                   {"surroundings.air_c", "40"},
                   {"surroundings.board_c", "45"}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

TEST(Package, each_kind_is_shipped) {
  std::set<PackageKind> kinds;
  for (const auto& name : list_packages(shipped_folders())) {
    const auto package = load_package(shipped_folders(), name);
    ASSERT_TRUE(package) << all_texts(package.error());
    kinds.insert(package->kind);
    EXPECT_THAT(describe(*package), HasSubstr("not stated: the machine's")) << name;
    EXPECT_TRUE(nlohmann::json::parse(describe_json(*package)).at("air_c").is_null());
  }
  EXPECT_EQ(kinds.size(), kPackageKindNames.size());
}

TEST(Package, each_value_of_a_shipped_one_has_a_source) {
  for (const auto& name : list_packages(shipped_folders())) {
    const auto package = load_package(shipped_folders(), name);
    ASSERT_TRUE(package);
    EXPECT_GT(package->provenance.size(), 10u);
    for (const auto& value : package->provenance) EXPECT_FALSE(value.source.empty()) << value.field;
    for (const std::string theta : {"junction_to_case", "junction_to_board"}) {
      EXPECT_TRUE(
          std::any_of(package->provenance.begin(), package->provenance.end(),
                      [&](const auto& value) { return value.field == "package.theta." + theta; }))
          << name << theta;
    }
  }
}

TEST(Package, the_machines_side_is_never_guessed) {
  const auto memory = load_memory(shipped_folders(), "ddr4-3200-8g-2ch");
  const auto package = load_package(shipped_folders(), "ddr4-module");
  ASSERT_TRUE(memory && package);
  const auto errors = check_package(*package, *memory);
  ASSERT_EQ(errors.size(), 4u) << all_texts(errors);
  for (const auto* field : {"package.theta.case_to_air", "package.theta.board_to_air",
                            "package.surroundings.air_c", "package.surroundings.board_c"})
    EXPECT_TRUE(has_error(errors, "missing_key", field)) << field;
  EXPECT_THAT(errors.front().expected, HasSubstr("--set package.theta.case_to_air="));
  const auto stated = load_package(shipped_folders(), "ddr4-module", machine_side());
  ASSERT_TRUE(stated) << all_texts(stated.error());
  EXPECT_TRUE(check_package(*stated, *memory).empty());
}

TEST(Package, must_hold_the_memory) {
  const auto memory = load_memory(shipped_folders(), "ddr4-3200-8g-2ch");
  const auto package = load_package(shipped_folders(), "hbm-stack", machine_side());
  ASSERT_TRUE(memory && package);
  const auto errors = check_package(*package, *memory);
  ASSERT_EQ(errors.size(), 1u) << all_texts(errors);
  EXPECT_TRUE(has_error(errors, "does_not_match", "package.holds.channels"));
}

struct WrongValue {
  const char *field, *value, *why;
};

// Each by a factor of 1000, a unit or a sign.
TEST(Package, a_value_no_part_has_is_refused_with_its_range) {
  const WrongValue wrong[] = {
      {"theta.junction_to_case", "3200", "mK/W"},
      {"theta.junction_to_case", "0.0032", "K/mW"},
      {"theta.junction_to_case", "-3.2", "sign"},
      {"theta.junction_to_board", "12000", "mK/W"},
      {"theta.case_to_air", "20000", "mK/W"},
      {"theta.case_to_air", "0", "a perfect sink"},
      {"surroundings.air_c", "313", "kelvin"},
      {"surroundings.board_c", "-273", "absolute zero"},
      {"layer.die.thickness_um", "0.3", "millimetres"},
      {"layer.die.thickness_um", "300000", "nanometres"},
      {"layer.die.conductivity", "0.148", "kW/mK"},
      {"layer.die.conductivity", "148000", "mW/mK"},
      {"layer.die.heat_capacity", "1660", "kJ/m3K"},
      {"layer.die.heat_capacity", "-1.66", "sign"},
      {"die.width_mm", "0.01", "metres"},
      {"die.width_mm", "10000", "micrometres"},
      {"capacity.case_j_per_k", "-1", "sign"},
      {"column_heat.banks", "-0.1", "sign"},
      {"holds.channels", "0", "none"},
  };
  for (const auto& [field, value, why] : wrong) {
    const auto package =
        load_package(shipped_folders(), "ddr4-module", machine_side({{field, value}}));
    ASSERT_FALSE(package) << field << " = " << value;
    EXPECT_TRUE(has_error(package.error(), "out_of_range", field)) << all_texts(package.error());
    EXPECT_THAT(package.error().front().expected, HasSubstr(" to ")) << why;
  }
}

TEST(Package, an_unknown_key_names_the_nearest) {
  const auto package =
      load_package(shipped_folders(), "ddr4-module", machine_side({{"theta.case_to_ait", "3"}}));
  ASSERT_FALSE(package);
  ASSERT_TRUE(has_error(package.error(), "unknown_key", "theta.case_to_ait"));
  EXPECT_THAT(all_texts(package.error()), HasSubstr("case_to_air"));
}

TEST(Package, shares_of_a_columns_heat_add_up) {
  const auto package =
      load_package(shipped_folders(), "ddr4-module", machine_side({{"column_heat.pads", "0.5"}}));
  ASSERT_FALSE(package);
  EXPECT_TRUE(has_error(package.error(), "inconsistent", "column_heat.banks"));
}

const std::string kTiny = R"(
kind = "stack"
order = ["die", "glue", "die"]
[holds]
channels = 2
ranks = 1
[die]
width_mm = 10
height_mm = 10
[layer.die]
role = "memory"
thickness_um = 50
conductivity = 120
heat_capacity = 1.66
[layer.glue]
role = "passive"
thickness_um = 20
conductivity = 1.5
heat_capacity = 1.65
[theta]
junction_to_case = 0.1
junction_to_board = 10
[capacity]
case_j_per_k = 1
board_j_per_k = 1
)";

base::Result<PackageSpec> parse_with(const std::string& what, const std::string& instead) {
  std::string text = kTiny;
  text.replace(text.find(what), what.size(), instead);
  return parse_package({"tiny.toml", text});
}

TEST(Package, layers_come_in_their_order_and_may_come_again) {
  const auto package = parse_package({"tiny.toml", kTiny});
  ASSERT_TRUE(package) << all_texts(package.error());
  ASSERT_EQ(package->layers.size(), 3u);
  EXPECT_EQ(package->layers[1].name, "glue");
  EXPECT_DOUBLE_EQ(package->layers[2].thickness, 50e-6);
  EXPECT_EQ(package->layers_of(LayerRole::memory), 2u);
  // What no source was given for says so.
  EXPECT_TRUE(std::all_of(package->provenance.begin(), package->provenance.end(),
                          [](const auto& value) { return value.source == "unverified"; }));
}

TEST(Package, what_makes_no_stack_is_refused) {
  const auto unknown = parse_with(R"(["die", "glue", "die"])", R"(["die", "glu", "die"])");
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(has_error(unknown.error(), "unknown_choice", "order"));
  EXPECT_THAT(all_texts(unknown.error()), HasSubstr("glue"));
  const auto uneven = parse_with("channels = 2", "channels = 3");
  ASSERT_FALSE(uneven);
  EXPECT_TRUE(has_error(uneven.error(), "inconsistent", "holds"));
  const auto no_memory = parse_with(R"(["die", "glue", "die"])", R"(["glue"])");
  ASSERT_FALSE(no_memory);
  const auto no_kind = parse_with(R"(kind = "stack")", R"(kind = "stak")");
  ASSERT_FALSE(no_kind);
  EXPECT_THAT(all_texts(no_kind.error()), HasSubstr("stack"));
}

TEST(Package, a_hot_layer_needs_its_watts) {
  const auto package = parse_with(R"([layer.glue]
role = "passive"
thickness_um = 20
conductivity = 1.5)",
                                  R"([layer.glue]
role = "logic"
thickness_um = 20
conductivity = 120)");
  ASSERT_FALSE(package);
  EXPECT_TRUE(has_error(package.error(), "missing_key", "watts")) << all_texts(package.error());
}

}  // namespace
}  // namespace diffram::spec
