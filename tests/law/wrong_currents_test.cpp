// Currents that cannot be (energy-and-heat.md 3): refused by field, with a range that could be.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "spec/shipped.h"

namespace diffram::spec {
namespace {

struct Stated {
  std::string field;  ///< "currents.VDD.I0"
  std::string before, number, after;
};

/// The currents and voltages of a shipped file, each with the text before and behind its number.
std::vector<Stated> stated_currents(const std::string& text) {
  std::vector<Stated> out;
  const std::regex line(R"((\[currents\.(\w+)\])|\n((?:I|volts)\w*) = \{ value = ([\d.]+))");
  std::string rail;
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
    if ((*match)[2].matched) {
      rail = (*match)[2];
      continue;
    }
    const auto at = static_cast<std::size_t>(match->position(4));
    out.push_back({"currents." + rail + "." + (*match)[3].str(), text.substr(0, at), (*match)[4],
                   text.substr(at + (*match)[4].str().size())});
  }
  return out;
}

base::Result<MemorySpec> with(const Stated& stated, double value) {
  return parse_memory({"m.toml", stated.before + std::to_string(value) + stated.after},
                      shipped_standards());
}

bool names_a_range(const base::Error& error) {
  return std::regex_search(error.expected, std::regex(R"([\d.]+ to [\d.]+)"));
}

const std::vector<std::string> kOneOfEachFamily = {
    "ddr3-1600-8g-2ch",   "ddr4-2400-4g-1ch",   "ddr4-3200-8g-2ch",   "ddr5-4800-32g-4ch",
    "ddr5-5600-32g-4ch",  "lpddr4-3200-4g-4ch", "lpddr5-6400-8g-4ch", "lpddr5x-8533-8g-4ch",
    "gddr6-14000-4g-8ch", "hbm2-2000-4g-8ch"};

TEST(WrongCurrent, off_by_a_thousand_is_refused_with_a_range) {
  int tried = 0;
  for (const std::string& name : kOneOfEachFamily) {
    const auto text = file_text(shipped_folders().root + "/memories/" + name + ".toml");
    for (const Stated& stated : stated_currents(text)) {
      for (const double factor : {1000.0, 0.001}) {
        SCOPED_TRACE(name + " " + stated.field + " x " + std::to_string(factor));
        const auto memory = with(stated, std::stod(stated.number) * factor);
        ++tried;
        if (memory) {
          ADD_FAILURE() << "accepted";
          continue;
        }
        EXPECT_TRUE(std::any_of(memory.error().begin(), memory.error().end(), names_a_range))
            << all_texts(memory.error());
        for (const auto& error : memory.error()) EXPECT_TRUE(error.field.starts_with("currents."));
      }
    }
  }
  EXPECT_GT(tried, 200);
}

TEST(WrongCurrent, negative_is_refused_by_its_field) {
  for (const std::string& name : kOneOfEachFamily) {
    const auto text = file_text(shipped_folders().root + "/memories/" + name + ".toml");
    for (const Stated& stated : stated_currents(text)) {
      const auto memory = with(stated, -std::stod(stated.number));
      ASSERT_FALSE(memory) << name << " " << stated.field;
      EXPECT_TRUE(has_error(memory.error(), "out_of_range", stated.field))
          << all_texts(memory.error());
      EXPECT_TRUE(std::any_of(memory.error().begin(), memory.error().end(), names_a_range));
    }
  }
}

TEST(WrongCurrent, a_rail_of_the_standard_must_be_there_or_be_called_unknown) {
  const auto text = file_text(shipped_folders().root + "/memories/ddr4-3200-8g-2ch.toml");
  const auto from = text.find("[currents.VPP]"), to = text.find("[map]");
  ASSERT_LT(from, to);
  const auto without = text.substr(0, from) + text.substr(to);
  const auto missing = parse_memory({"m.toml", without}, shipped_standards());
  ASSERT_FALSE(missing);
  ASSERT_TRUE(has_error(missing.error(), "missing_rail", "currents.VPP"))
      << all_texts(missing.error());
  EXPECT_NE(missing.error()[0].expected.find("unknown_rails = [\"VPP\"]"), std::string::npos);

  auto called_unknown = without;
  called_unknown.insert(called_unknown.find("[currents]\n") + 11, "unknown_rails = [\"VPP\"]\n");
  const auto known = parse_memory({"m.toml", called_unknown}, shipped_standards());
  ASSERT_TRUE(known) << all_texts(known.error());
  EXPECT_TRUE(std::any_of(known->diagnostics.begin(), known->diagnostics.end(),
                          [](const auto& d) { return d.code == "rails_unknown"; }));
}

TEST(WrongCurrent, a_rail_that_the_standard_does_not_have_is_refused) {
  const auto memory = memory_with("lpddr4-3200-4g-4ch", "[currents.VDD1]", "[currents.VPP]");
  ASSERT_FALSE(memory);
  EXPECT_TRUE(has_error(memory.error(), "unknown_key", "currents.VPP"))
      << all_texts(memory.error());
  const auto unknown =
      memory_with("hbm2-2000-4g-8ch", "unknown_rails = [\"VPP\"]", "unknown_rails = [\"VDD1\"]");
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(has_error(unknown.error(), "unknown_choice", "currents.unknown_rails"));
}

// The order is one of power over all rails: a pump alone may draw more in power-down than in
// standby (DDR5's does), the device may not.
TEST(WrongCurrent, order_is_asked_of_the_sum_of_the_rails) {
  const auto pump = load_memory(shipped_folders(), "ddr5-4800-32g-4ch");
  ASSERT_TRUE(pump) << all_texts(pump.error());
  ASSERT_GT(pump->currents->rails[1].i2p, pump->currents->rails[1].i2n);
  const auto memory = memory_with("ddr5-4800-32g-4ch", "I2P = { value = 88", "I2P = { value = 95");
  ASSERT_FALSE(memory);
  EXPECT_TRUE(has_error(memory.error(), "current_order", "currents.VDD.I2P"))
      << all_texts(memory.error());
}

TEST(WrongCurrent, an_activation_alone_may_be_negative_where_the_standard_says_so) {
  const auto gddr6 = load_memory(shipped_folders(), "gddr6-14000-4g-8ch");
  ASSERT_TRUE(gddr6);
  const auto warns = [](const MemorySpec& memory, const char* code) {
    return std::any_of(memory.diagnostics.begin(), memory.diagnostics.end(),
                       [&](const auto& d) { return d.code == code; });
  };
  EXPECT_TRUE(warns(*gddr6, "activation_alone"));
  const auto together =
      memory_with("gddr6-14000-4g-8ch", "I0 = { value = 215", "I0 = { value = 190");
  ASSERT_FALSE(together);
  EXPECT_TRUE(has_error(together.error(), "negative_activation", "currents.VDD.I0"));
  // DDR4: between the standby of the loop and that of the open row.
  const auto ddr4 = memory_with("ddr4-3200-8g-2ch", "I0 = { value = 57", "I0 = { value = 50");
  ASSERT_FALSE(ddr4);
  EXPECT_TRUE(has_error(ddr4.error(), "negative_activation", "currents.VDD.I0"))
      << all_texts(ddr4.error());
}

TEST(WrongCurrent, measured_currents_are_exempt_from_the_order_and_marked) {
  const auto hbm2 = load_memory(shipped_folders(), "hbm2-2000-4g-8ch");
  ASSERT_TRUE(hbm2);
  EXPECT_TRUE(std::any_of(hbm2->diagnostics.begin(), hbm2->diagnostics.end(), [](const auto& d) {
    return d.code == "current_order" && d.severity == base::Severity::warning;
  }));
  const auto listed = memory_with("hbm2-2000-4g-8ch", "measured = true", "measured = false");
  ASSERT_FALSE(listed);
  EXPECT_TRUE(has_error(listed.error(), "current_order"));
}

TEST(WrongCurrent, a_partial_refresh_may_not_give_energy_back) {
  for (const auto& [name, was, becomes] :
       {std::tuple{"ddr5-4800-32g-4ch", "I5C = { value = 135", "I5C = { value = 95"},
        {"lpddr4-3200-4g-4ch", "I5PB = { value = 30", "I5PB = { value = 20"}}) {
    const auto memory = memory_with(name, was, becomes);
    ASSERT_FALSE(memory) << name;
    EXPECT_TRUE(has_error(memory.error(), "negative_energy")) << all_texts(memory.error());
  }
}

TEST(WrongCurrent, a_figure_per_bit_is_one_of_a_bit) {
  const auto memory = load_memory(shipped_folders(), "hbm2e-3200-8g-8ch");
  ASSERT_TRUE(memory);
  EXPECT_FALSE(memory->currents);
  EXPECT_DOUBLE_EQ(memory->event_energies->read_j_per_bit, 4.3e-12);
  const auto wrong =
      memory_with("hbm2e-3200-8g-8ch", "read = { value = 4.3", "read = { value = 4300");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(has_error(wrong.error(), "out_of_range", "energy_per_bit.read"));
  const auto both = memory_with("ddr4-3200-8g-2ch", "[currents]\n",
                                "[energy_per_bit]\nscope = \"\"\n"
                                "read = { value = 1, source = \"x\" }\n"
                                "write = { value = 1, source = \"x\" }\n[currents]\n");
  ASSERT_FALSE(both);
  EXPECT_TRUE(has_error(both.error(), "not_both"));
}

}  // namespace
}  // namespace diffram::spec
