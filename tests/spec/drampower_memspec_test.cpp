// DRAMPower's memspecs: the five of its tests are read, and every wrong field is named.

#include "spec/drampower_memspec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "oracle/gz_file.h"

namespace diffram::spec {
namespace {

using nlohmann::json;

json memspecs() { return oracle::json_of_gz("drampower_interface.json.gz").at("memspecs"); }

base::Result<DrampowerMemspec> read(const json& memspec) {
  return parse_drampower_memspec(memspec.dump(1), "mine.json");
}

TEST(DrampowerMemspec, all_five_of_its_own_are_read) {
  const json all = memspecs();
  ASSERT_EQ(all.size(), 5u);
  for (const auto& [name, memspec] : all.items()) {
    const auto memory = read(memspec);
    ASSERT_TRUE(memory) << name << ": " << memory.error().front().text();
    EXPECT_EQ(memory->id, name);
    EXPECT_EQ(memory->organisation.banks(), 16u);
    EXPECT_DOUBLE_EQ(memory->period_s, 1 / 1.3e9);
    EXPECT_EQ(memory->timing("RAS"), 10);
    EXPECT_TRUE(memory->interface);
    EXPECT_DOUBLE_EQ(memory->currents.rails.front().i0, 0.05625);
    EXPECT_EQ(memory->currents.rails.size(), name == "lpddr5" || name == "lpddr6" ? 3u : 2u);
    // The wrapper that DRAMPower's command line tool expects.
    EXPECT_TRUE(read({{"memspec", memspec}})) << name;
  }
}

TEST(DrampowerMemspec, a_file_without_impedances_has_no_interface) {
  json memspec = memspecs().at("ddr4");
  memspec.erase("memimpedancespec");
  memspec.erase("prepostamble");
  const auto memory = read(memspec);
  ASSERT_TRUE(memory);
  EXPECT_FALSE(memory->interface);
}

struct Wrong {
  const char* pointer;  ///< of the field that is set
  const char* value;    ///< JSON; empty = the field is taken away
  const char* code;
  const char* field;
};

class WrongField : public testing::TestWithParam<Wrong> {};

TEST_P(WrongField, is_named) {
  const Wrong& wrong = GetParam();
  json memspec = memspecs().at("ddr4");
  const json::json_pointer at(wrong.pointer);
  if (*wrong.value == '\0') {
    memspec.at(at.parent_pointer()).erase(at.back());
  } else {
    memspec[at] = json::parse(wrong.value);
  }
  const auto memory = read(memspec);
  ASSERT_FALSE(memory);
  ASSERT_EQ(memory.error().size(), 1u) << memory.error().back().text();
  const base::Error& error = memory.error().front();
  EXPECT_EQ(error.code, wrong.code) << error.text();
  EXPECT_EQ(error.field, wrong.field) << error.text();
  EXPECT_EQ(error.file, "mine.json");
  EXPECT_FALSE(error.expected.empty());
  EXPECT_EQ(error.line > 0, *wrong.value != '\0') << error.text();
}

INSTANTIATE_TEST_SUITE_P(
    spec, WrongField,
    testing::Values(
        Wrong{"/memtimingspec/RAS", "", "missing_key", "memtimingspec.RAS"},
        Wrong{"/memtimingspec/RAS", "-1", "out_of_range", "memtimingspec.RAS"},
        Wrong{"/memtimingspec/RAS", "1.5", "wrong_type", "memtimingspec.RAS"},
        Wrong{"/memtimingspec/RSA", "10", "unknown_key", "memtimingspec.RSA"},
        Wrong{"/memtimingspec/tCK", "0", "out_of_range", "memtimingspec.tCK"},
        Wrong{"/mempowerspec/idd0", "56.25", "out_of_range", "mempowerspec.idd0"},  // mA
        Wrong{"/mempowerspec/idd0", "\"a lot\"", "wrong_type", "mempowerspec.idd0"},
        Wrong{"/mempowerspec/idd2n", "", "missing_key", "mempowerspec.idd2n"},
        Wrong{"/memarchitecturespec/nbrOfBanks", "15", "inconsistent",
              "memarchitecturespec.nbrOfBanks"},
        Wrong{"/memarchitecturespec/nbrOfRanks", "0", "out_of_range",
              "memarchitecturespec.nbrOfRanks"},
        Wrong{"/bankwisespec/factRho", "1.01", "out_of_range", "bankwisespec.factRho"},
        Wrong{"/memimpedancespec/ck_R_eq", "0", "inconsistent", "memimpedancespec.ck_R_eq"},
        Wrong{"/memimpedancespec/ck_termination", "1", "wrong_type",
              "memimpedancespec.ck_termination"},
        Wrong{"/memtype", "\"DDR4\"", "unknown_key", "memtype"},
        Wrong{"/memoryType", "\"DDR7\"", "unknown_choice", "memoryType"}));

TEST(DrampowerMemspec, a_missing_section_is_one_error_not_one_a_field) {
  json memspec = memspecs().at("ddr4");
  memspec.erase("mempowerspec");
  const auto memory = read(memspec);
  ASSERT_FALSE(memory);
  ASSERT_EQ(memory.error().size(), 1u);
  EXPECT_EQ(memory.error().front().field, "mempowerspec");
}

TEST(DrampowerMemspec, all_wrong_fields_are_told_at_once) {
  json memspec = memspecs().at("ddr4");
  memspec["mempowerspec"]["vdd"] = -1.2;
  memspec["memtimingspec"].erase("RP");
  memspec["memarchitecturespec"]["widht"] = 8;
  const auto memory = read(memspec);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().size(), 3u);
}

TEST(DrampowerMemspec, a_syntax_error_has_its_line) {
  const auto memory = parse_drampower_memspec("{\n \"memspec\": {\n  oops\n}}\n", "mine.json");
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().front().code, "bad_syntax");
  EXPECT_EQ(memory.error().front().line, 3);
}

}  // namespace
}  // namespace diffram::spec
