#include "spec/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/shipped.h"

namespace diffram::spec {
namespace {

using testing::HasSubstr;

const std::string k8g = "ddr4-3200-8g-2ch";

TEST(Memory, of_8g_is_what_its_name_says) {
  const auto m = load_memory(shipped_folders(), k8g);
  ASSERT_TRUE(m) << all_texts(m.error());
  EXPECT_EQ(m->organisation.capacity_bytes(), std::uint64_t{8} << 30);
  EXPECT_EQ(m->organisation.channels, 2u);
  EXPECT_EQ(m->organisation.ranks, 1u);
  EXPECT_EQ(m->organisation.devices(), 8u);
  EXPECT_EQ(m->organisation.row_bytes(), 8192u);
  EXPECT_EQ(m->organisation.burst_bytes(), 64u);
  EXPECT_EQ(m->clock, base::Clock(625'000, 1));
  EXPECT_DOUBLE_EQ(m->peak_bytes_per_s(), 51.2e9);
}

TEST(Memory, of_8g_has_the_cycles_of_the_sourced_table) {
  const auto m = load_memory(shipped_folders(), k8g);
  ASSERT_TRUE(m);
  const std::map<std::string, std::int32_t> expected = {
      {"nBL", 4},    {"nCCD_L", 8},    {"nCCD_S", 4},   {"nCKE", 8},    {"nCL", 22},
      {"nCS", 2},    {"nCWL", 16},     {"nFAW", 34},    {"nRAS", 52},   {"nRC", 74},
      {"nRCD", 22},  {"nREFI", 12480}, {"nRFC", 416},   {"nRP", 22},    {"nRRD_L", 8},
      {"nRRD_S", 4}, {"nRTP", 12},     {"nWR", 24},     {"nWTR_L", 12}, {"nWTR_S", 4},
      {"nXP", 10},   {"nXS", 432},     {"nXSDLL", 1024}};
  EXPECT_EQ(m->timings, expected);
}

TEST(Memory, of_32g_and_64g_use_16_gb_dies) {
  for (const auto& [name, gib, ranks] :
       {std::tuple{"ddr4-3200-32g-2ch", 32u, 1u}, {"ddr4-3200-64g-2ch", 64u, 2u}}) {
    const auto m = load_memory(shipped_folders(), name);
    ASSERT_TRUE(m) << all_texts(m.error());
    EXPECT_EQ(m->organisation.capacity_bytes(), std::uint64_t{gib} << 30);
    EXPECT_EQ(m->organisation.ranks, ranks);
    EXPECT_EQ(m->organisation.device_bits, std::uint64_t{16} << 30);
    EXPECT_EQ(m->timing("nRFC"), 880);
  }
}

TEST(Memory, says_that_its_currents_are_another_parts) {
  const auto m = load_memory(shipped_folders(), k8g);
  ASSERT_TRUE(m && m->currents);
  EXPECT_TRUE(m->currents->estimated);
  EXPECT_THAT(m->currents->part, HasSubstr("8 Gb x8 Micron Rev B"));
  ASSERT_EQ(m->currents->rails.size(), 2u);
  EXPECT_DOUBLE_EQ(m->currents->rails[0].i4r, 0.168);
  EXPECT_EQ(m->currents->rails[1].name, "VPP");
  EXPECT_DOUBLE_EQ(m->currents->rails[1].i5, 0.028);
  EXPECT_TRUE(std::any_of(m->diagnostics.begin(), m->diagnostics.end(),
                          [](const auto& d) { return d.code == "currents_estimated"; }));
}

TEST(Memory, names_the_source_of_every_fact) {
  const auto m = load_memory(shipped_folders(), k8g);
  ASSERT_TRUE(m);
  EXPECT_GT(m->provenance.size(), 50u);
  for (const auto& value : m->provenance) {
    EXPECT_FALSE(value.source.empty()) << value.field;
    EXPECT_TRUE(value.source.find(' ') != std::string::npos || value.source == "unverified" ||
                value.source == "assumed")
        << value.field << ": short name '" << value.source << "' is missing in [sources]";
  }
}

TEST(Memory, unknown_name_gets_the_nearest) {
  const auto m = load_memory(shipped_folders(), "ddr4-3200-8g-2hc");
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error()[0].code, "unknown_name");
  EXPECT_THAT(m.error()[0].expected, HasSubstr(k8g));
}

TEST(Memory, unknown_key_gets_file_line_and_the_nearest) {
  const auto m = memory_with(k8g, "write_high = 48", "write_hihg = 48");
  ASSERT_FALSE(m);
  const auto& e = m.error()[0];
  EXPECT_EQ(e.code, "unknown_key");
  EXPECT_EQ(e.field, "controller.write_hihg");
  EXPECT_EQ(e.expected, "'write_high'");
  EXPECT_EQ(e.file, k8g + ".toml");
  EXPECT_GT(e.line, 60);
}

TEST(Memory, collects_every_error_of_the_file) {
  auto text = file_text(shipped_folders().root + "/memories/" + k8g + ".toml");
  const auto change = [&](const std::string& was, const std::string& becomes) {
    const auto at = text.find(was);
    ASSERT_NE(at, std::string::npos) << was;
    text.replace(at, was.size(), becomes);
  };
  change("channels = { value = 2", "channels = { value = -2");
  change("tRCD = { value = 22", "tRCD = { value = nan");
  change("tRAS = { value = 32", "tRAS = { value = -32");
  change("tFAW = { value = 21", "tFAW = { value = 1e300");
  change("max_wait = 4096", "max_wait = 99999999999999");
  change("page_policy = \"open\"", "page_policy = \"opne\"");
  const auto m = parse_memory({"broken.toml", text}, shipped_standards());
  ASSERT_FALSE(m);
  EXPECT_TRUE(has_error(m.error(), "out_of_range", "organisation.channels"));
  EXPECT_TRUE(has_error(m.error(), "out_of_range", "timings.tRCD"));
  EXPECT_TRUE(has_error(m.error(), "negative", "timings.tRAS"));
  EXPECT_TRUE(has_error(m.error(), "out_of_range", "timings.tFAW"));
  EXPECT_TRUE(has_error(m.error(), "out_of_range", "controller.max_wait"));
  EXPECT_TRUE(has_error(m.error(), "unknown_choice", "controller.page_policy"));
  EXPECT_EQ(m.error().size(), 6u) << all_texts(m.error());
  for (const auto& e : m.error()) EXPECT_GT(e.line, 0) << e.text();
}

TEST(Memory, syntax_error_has_its_line) {
  const auto m = parse_memory({"x.toml", "title = \"x\"\nstandard = \n"}, shipped_standards());
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error()[0].code, "toml_syntax");
  EXPECT_EQ(m.error()[0].line, 2);
}

TEST(Memory, letters_beyond_ascii_belong_in_quotes_and_comments) {
  const std::string fine =
      "# größer\ntitle = \"größer\"\ntext = \"\"\"ü\n\\\"ü\"\"\"\nx = 'ü' # ü\n";
  for (const auto& [text, line] :
       {std::pair{fine + "größe = 1\n", 6}, {fine + "x = ä\n", 6}, {std::string("größe"), 1}}) {
    const auto m = parse_memory({"x.toml", text}, shipped_standards());
    ASSERT_FALSE(m);
    EXPECT_EQ(m.error()[0].code, "toml_syntax") << text;
    EXPECT_EQ(m.error()[0].line, line) << text;
  }
  const auto m = parse_memory({"x.toml", fine}, shipped_standards());
  ASSERT_FALSE(m);
  EXPECT_FALSE(has_error(m.error(), "toml_syntax")) << all_texts(m.error());
}

TEST(Memory, odd_channel_count_is_refused_by_the_map) {
  const auto m = memory_with(k8g, "channels = { value = 2", "channels = { value = 3");
  ASSERT_FALSE(m);
  EXPECT_TRUE(has_error(m.error(), "not_a_power_of_two", "organisation.channels"))
      << all_texts(m.error());
}

// Beyond 256 channels a controller's number for one would have been another's.
TEST(Memory, more_than_a_controller_can_number_is_refused) {
  const auto with = [](const Overrides& overrides) {
    return load_memory(shipped_folders(), "ddr4-3200-8g-2ch", overrides);
  };
  EXPECT_TRUE(with({{"memory.organisation.channels", "256"}}));
  const auto channels = with({{"memory.organisation.channels", "512"}});
  ASSERT_FALSE(channels);
  EXPECT_TRUE(has_error(channels.error(), "too_large", "organisation.channels"));
  const auto banks =
      with({{"memory.organisation.ranks", "64"}, {"memory.organisation.banks_per_group", "32"}});
  ASSERT_FALSE(banks);
  EXPECT_TRUE(has_error(banks.error(), "too_large", "organisation.ranks"));
}

TEST(Memory, a_time_that_no_device_can_keep_is_refused_by_its_name) {
  const auto memory =
      load_memory(shipped_folders(), "ddr4-3200-8g-2ch", {{"memory.timings.tRAS", "20000"}});
  ASSERT_FALSE(memory);
  EXPECT_TRUE(has_error(memory.error(), "timings_do_not_fit", "timings.tRAS"))
      << all_texts(memory.error());
  for (const auto& error : memory.error()) EXPECT_FALSE(error.file.ends_with("/ddr4.toml"));
}

TEST(Memory, one_device_needs_no_byte_bits) {  // DRAMSys#32
  const auto m = load_memory(shipped_folders(), k8g,
                             {{"organisation.bus_width", "8"}, {"organisation.burst_length", "8"}});
  ASSERT_TRUE(m) << all_texts(m.error());
  EXPECT_EQ(m->organisation.devices(), 1u);
  EXPECT_EQ(m->organisation.burst_bytes(), 8u);
}

TEST(Overrides, change_policy_facts_and_units) {
  const auto m = load_memory(shipped_folders(), k8g,
                             {{"memory.controller.page_policy", "closed"},
                              {"controller.read_queue", "32"},
                              {"timings.tREFI", "0"},
                              {"timings.tRCD", "10 ns"},
                              {"timings.tRP", "20"},
                              {"machine.clock_mhz", "5"}});
  ASSERT_TRUE(m) << all_texts(m.error());
  EXPECT_EQ(m->controller.page_policy, PagePolicy::closed);
  EXPECT_EQ(m->controller.read_queue, 32u);
  EXPECT_EQ(m->timing("nREFI"), 0);
  EXPECT_EQ(m->timing("nRCD"), 16);
  EXPECT_EQ(m->timing("nRP"), 20);
}

TEST(Overrides, name_the_nearest_key) {
  const auto m = load_memory(shipped_folders(), k8g,
                             {{"memory.controler.scheduler", "frfcfs"}, {"timings.tRCDx", "9"}});
  ASSERT_FALSE(m);
  ASSERT_EQ(m.error().size(), 2u) << all_texts(m.error());
  for (const auto& e : m.error()) {
    EXPECT_EQ(e.file, "--set");
    EXPECT_EQ(e.code, "unknown_key");
    EXPECT_TRUE(e.expected == "'controller'" || e.expected == "'tRCD'") << e.expected;
  }
}

TEST(Overrides, cannot_name_a_section_or_a_value_within_a_value) {
  EXPECT_FALSE(load_memory(shipped_folders(), k8g, {{"controller", "fast"}}));
  EXPECT_FALSE(load_memory(shipped_folders(), k8g, {{"controller.scheduler.x", "1"}}));
  EXPECT_FALSE(load_memory(shipped_folders(), k8g, {{"", "1"}}));
}

// A what-if may leave the standard, but the result carries the sentence.
TEST(Overrides, that_break_a_law_are_warnings) {
  const auto m = load_memory(shipped_folders(), k8g, {{"timings.tRP", "40"}});
  ASSERT_TRUE(m) << all_texts(m.error());
  EXPECT_TRUE(std::any_of(m->diagnostics.begin(), m->diagnostics.end(),
                          [](const auto& d) { return d.code == "rc_sum"; }));
}

TEST(Standard, resolves_for_integers_that_others_bring) {
  std::vector<Rule> rules;
  const auto m = load_memory(shipped_folders(), k8g);
  const auto rows = resolve_constraints(shipped_folders(), "DDR4", m->timings, rules);
  ASSERT_TRUE(rows) << all_texts(rows.error());
  EXPECT_EQ(rows->size(), m->constraints.size());
  EXPECT_EQ(rules.size(), m->rules.size());
  EXPECT_FALSE(resolve_constraints(shipped_folders(), "DDR4", {{"nRCD", 1}}, rules));
  EXPECT_FALSE(resolve_constraints(shipped_folders(), "DDR9", m->timings, rules));
}

}  // namespace
}  // namespace diffram::spec
