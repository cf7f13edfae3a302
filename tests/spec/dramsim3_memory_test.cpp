// DRAMsim3 configurations as memory files: what is carried over, what is named, what is refused.

#include "spec/dramsim3_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "spec/shipped.h"

namespace diffram::spec {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kDdr4 =
    "[dram_structure]\nprotocol = DDR4\nbankgroups = 4\nbanks_per_group = 4\nrows = 65536\n"
    "columns = 1024\ndevice_width = 8\nBL = 8\n"
    "[timing]\ntCK = 0.625\nCL = 22\nCWL = 16\ntRCD = 22\ntRP = 22\ntRAS = 52\ntRFC = 560\n"
    "tREFI = 12480\ntRRD_S = 4\ntRRD_L = 8\ntWTR_S = 4\ntWTR_L = 12\ntFAW = 34\ntWR = 24\n"
    "tRTP = 12\ntCCD_S = 4\ntCCD_L = 8\ntCKE = 8\ntXS = 576\ntXP = 10\ntRTRS = 1\n"
    "[system]\nchannel_size = 16384\nchannels = 2\nbus_width = 64\n"
    "address_mapping = rochrababgco\n";

base::Result<Dramsim3Memory> converted(const std::string& text) {
  return convert_dramsim3_config(SourceText{"folder/a.ini", text}, shipped_standards());
}

Dramsim3Memory memory_of(const std::string& text) {
  auto result = converted(text);
  if (!result) throw std::runtime_error(all_texts(result.error()));
  return std::move(*result);
}

std::string ddr4_with(const std::string& more) { return kDdr4 + more; }

auto diagnostic(const std::string& code, const std::string& words) {
  return Contains(AllOf(Field(&base::Diagnostic::code, code),
                        Field(&base::Diagnostic::message, HasSubstr(words))));
}

TEST(dramsim3_memory, carries_what_both_say) {
  const auto result = memory_of(kDdr4);
  const auto& m = result.memory;
  EXPECT_EQ(m.standard, "DDR4");
  EXPECT_EQ(m.megatransfers, 3200);
  EXPECT_EQ(m.organisation.capacity_bytes(), std::uint64_t{32} << 30);
  EXPECT_EQ(m.organisation.ranks, 2u);
  EXPECT_EQ(m.organisation.burst_bytes(), 64u);
  EXPECT_EQ(m.timing("nRCD"), 22);
  EXPECT_EQ(m.timing("nRC"), 74);
  EXPECT_EQ(m.timing("nCS"), 1);
  EXPECT_EQ(m.map.text, "ro ch ra ba bg co");
  EXPECT_EQ(m.map.column.front(), std::uint64_t{1} << 6);
  EXPECT_EQ(m.map.row.front(), std::uint64_t{1} << 19);
}

TEST(dramsim3_memory, every_value_is_unverified_and_names_the_file_and_the_key) {
  auto result = memory_of(kDdr4);
  // What the pins cost is the standard's, with the standard's sources.
  EXPECT_EQ(std::erase_if(result.memory.provenance,
                          [](const auto& v) { return v.field.starts_with("memory.interface."); }),
            5u);
  EXPECT_THAT(result.memory.provenance, Each(Field(&base::Assumption::source, "unverified")));
  EXPECT_THAT(result.toml, HasSubstr("tCL = { value = 22, unit = \"nCK\", source = \"unverified\", "
                                     "class = \"E\" }  # DRAMsim3 INI a.ini:11, CL"));
}

TEST(dramsim3_memory, a_value_that_is_not_there_is_DRAMsim3s_default_and_is_listed) {
  const auto result = memory_of("[dram_structure]\nprotocol = DDR4\nbankgroups = 4\n");
  EXPECT_EQ(result.memory.timing("nRCD"), 10);
  EXPECT_THAT(result.diagnostics,
              Contains(AllOf(Field(&base::Diagnostic::code, "defaults_written"),
                             Field(&base::Diagnostic::evidence, HasSubstr("[timing] tRCD")))));
}

TEST(dramsim3_memory, what_the_configuration_cannot_say_is_assumed_and_listed) {
  EXPECT_THAT(memory_of(kDdr4).diagnostics,
              Contains(AllOf(Field(&base::Diagnostic::code, "assumed_values"),
                             Field(&base::Diagnostic::evidence, StartsWith("tXSDLL = 768 nCK")))));
}

TEST(dramsim3_memory, additive_latency_is_folded_into_the_times_it_moves) {
  const auto m = memory_of(ddr4_with("[timing]\nAL = 3\n")).memory;
  EXPECT_EQ(m.timing("nCL"), 25);
  EXPECT_EQ(m.timing("nCWL"), 19);
  EXPECT_EQ(m.timing("nRCD"), 19);
  EXPECT_EQ(m.timing("nRTP"), 15);
}

TEST(dramsim3_memory, a_gap_below_the_burst_is_the_burst_as_DRAMsim3_has_it) {
  std::string text = kDdr4;
  text.replace(text.find("tCCD_S = 4"), 10, "tCCD_S = 2");
  const auto result = memory_of(text);
  EXPECT_EQ(result.memory.timing("nCCD_S"), 4);
  EXPECT_THAT(result.toml, HasSubstr("tCCD_S = 2, and a burst is longer"));
}

TEST(dramsim3_memory, one_bank_group_takes_the_short_times) {
  const auto result = memory_of(ddr4_with("[dram_structure]\nbankgroup_enable = false\n"));
  EXPECT_EQ(result.memory.organisation.bank_groups, 1u);
  EXPECT_EQ(result.memory.organisation.banks_per_group, 16u);
  EXPECT_EQ(result.memory.timing("nCCD_L"), 4);
  EXPECT_THAT(result.diagnostics, diagnostic("not_carried", "tCCD_L"));
}

TEST(dramsim3_memory, a_standard_without_groups_has_all_banks_in_one_and_the_longer_times) {
  const auto result = memory_of(
      "[dram_structure]\nprotocol = DDR3\nbankgroups = 2\nbanks_per_group = 4\n"
      "[timing]\ntCCD_S = 4\ntCCD_L = 6\n[system]\naddress_mapping = robgchrabaco\n");
  EXPECT_EQ(result.memory.organisation.banks_per_group, 8u);
  EXPECT_EQ(result.memory.timing("nCCD"), 6);
  EXPECT_EQ(result.memory.map.text, "ro ba:1 ch ra ba:2 co");
  EXPECT_THAT(result.diagnostics, diagnostic("bank_groups_joined", "no bank groups"));
}

TEST(dramsim3_memory, a_broken_law_is_named_in_the_file_and_is_a_warning) {
  EXPECT_THAT(memory_of(kDdr4).toml, Not(HasSubstr("broken_laws")));
  std::string text = kDdr4;
  text.replace(text.find("tREFI = 12480"), 13, "REFI = 12480");
  const auto broken = memory_of(text);
  EXPECT_EQ(broken.memory.timing("nREFI"), 7800) << "DRAMsim3's default: it does not read REFI";
  EXPECT_THAT(broken.toml, HasSubstr("broken_laws = [\"refresh_window\"]"));
  EXPECT_THAT(broken.diagnostics, diagnostic("refresh_window", "4875 ns"));
  EXPECT_THAT(broken.diagnostics, diagnostic("ignored_key", "REFI"));
}

TEST(dramsim3_memory, currents_are_those_stated_and_none_is_invented) {
  EXPECT_FALSE(memory_of(kDdr4).memory.currents);
  const auto some = memory_of(ddr4_with("[power]\nVDD = 1.2\nIDD0 = 57\nIDD2N = 37\nIDD3N = 0\n"));
  const auto currents = some.memory.currents.value_or(Currents{});
  ASSERT_EQ(currents.rails.size(), 1u);
  EXPECT_EQ(currents.rails.front().i0, 0.057);
  EXPECT_TRUE(std::isnan(currents.rails.front().i3n));
  EXPECT_THAT(some.diagnostics,
              Contains(AllOf(Field(&base::Diagnostic::code, "currents_incomplete"),
                             Field(&base::Diagnostic::evidence, HasSubstr("IDD3N, IDD4R")))));
  EXPECT_THAT(some.diagnostics, diagnostic("not_carried", "[power] IDD3N"));
}

TEST(dramsim3_memory, policy_goes_where_a_native_controller_has_it) {
  const auto c = memory_of(ddr4_with("row_buf_policy = CLOSE_PAGE\ntrans_queue_size = 40\n"
                                     "cmd_queue_size = 6\nenable_self_refresh = true\n"
                                     "sref_threshold = 700\n"
                                     "refresh_policy = RANK_LEVEL_SIMULTANEOUS\n"))
                     .memory.controller;
  EXPECT_EQ(c.page_policy, PagePolicy::closed);
  EXPECT_EQ(c.read_queue, 40u);
  EXPECT_EQ(c.write_queue, 40u);
  EXPECT_EQ(c.write_high, 30u);
  EXPECT_EQ(c.queue_shape, QueueShape::per_bank);
  EXPECT_EQ(c.bank_queue, 6u);
  EXPECT_EQ(c.self_refresh_after, 700u);
  EXPECT_FALSE(c.refresh_stagger);
}

TEST(dramsim3_memory, policy_that_no_native_controller_has_is_named) {
  const auto notes = memory_of(ddr4_with("queue_structure = PER_RANK\nunified_queue = true\n"
                                         "refresh_policy = BANK_LEVEL_STAGGERED\n"))
                         .diagnostics;
  for (const char* key : {"queue_structure", "unified_queue", "refresh_policy"})
    EXPECT_THAT(notes, diagnostic("not_carried", fmt::format("[system] {}", key)));
}

TEST(dramsim3_memory, refresh_by_banks_has_the_interval_of_a_rank) {
  const auto m = memory_of(
                     "[dram_structure]\nprotocol = LPDDR4\nbankgroups = 1\n"
                     "banks_per_group = 8\nBL = 16\ndevice_width = 16\n[timing]\n"
                     "tREFIb = 400\ntRFCb = 60\n[system]\nchannel_size = 8192\n"
                     "refresh_policy = BANK_LEVEL_STAGGERED\n")
                     .memory;
  EXPECT_EQ(m.organisation.ranks, 2u);
  EXPECT_EQ(m.timing("nREFIpb"), 800);
  EXPECT_EQ(m.timing("nRFCpb"), 60);
  EXPECT_TRUE(m.controller.refresh_by_parts);
}

struct Refused {
  const char* code;
  std::string text;
  int line;
};

TEST(dramsim3_memory, an_error_has_the_line_and_the_key_of_the_configuration) {
  const std::string hbm =
      "[dram_structure]\nprotocol = HBM\nbankgroups = 4\nbanks_per_group = 4\n"
      "device_width = 128\ncolumns = 64\n[system]\nbus_width = 128\n";
  const Refused cases[] = {
      {"no_such_standard", "[dram_structure]\nprotocol = GDDR5\n", 2},
      {"no_such_standard", "[dram_structure]\n\nprotocol = LPDDR3\n", 3},
      {"not_supported", "[dram_structure]\nprotocol = HMC\n", 2},
      {"not_supported", hbm + "channel_size = 16384\n", 9},
      {"unknown_choice", "[dram_structure]\nprotocol = DDR5\n", 2},
      {"out_of_range", ddr4_with("trans_queue_size = 0\n"), 36},
  };
  for (const auto& each : cases) {
    const auto result = converted(each.text);
    ASSERT_FALSE(result) << each.text;
    const auto& error = result.error().front();
    EXPECT_EQ(error.code, each.code) << error.text();
    EXPECT_EQ(error.file, "folder/a.ini");
    EXPECT_EQ(error.line, each.line) << error.text();
    EXPECT_NE(error.expected, "");
  }
}

// Found by fuzzing: the error named the rule's line in the shipped standard.
TEST(dramsim3_memory, a_time_too_long_to_be_kept_is_refused_by_its_key) {
  std::string text = kDdr4;
  text.replace(text.find("tRAS = 52"), 9, "tRAS = 325536");
  const auto result = converted(text);
  ASSERT_FALSE(result);
  for (const auto& error : result.error()) {
    EXPECT_EQ(error.file, "folder/a.ini") << error.text();
    EXPECT_NE(error.expected, "") << error.text();
  }
  EXPECT_THAT(
      result.error(),
      Contains(AllOf(Field(&base::Error::code, "timings_do_not_fit"),
                     Field(&base::Error::field, "timing.tRAS"), Field(&base::Error::line, 15),
                     Field(&base::Error::message, HasSubstr("ddr4.toml:")))));
}

TEST(dramsim3_memory, a_count_that_is_no_power_of_two_is_refused_by_its_key) {
  std::string text = kDdr4;
  text.replace(text.find("channels = 2"), 12, "channels = 3");
  const auto result = converted(text);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().front().field, "system.channels");
  EXPECT_EQ(result.error().front().line, 33);
}

TEST(dramsim3_memory, a_clock_that_does_not_tick_is_refused) {
  for (const char* clock : {"0", "-1", "nan", "inf"}) {
    std::string text = kDdr4;
    text.replace(text.find("tCK = 0.625"), 11, std::string("tCK = ") + clock);
    const auto result = converted(text);
    ASSERT_FALSE(result) << clock;
    EXPECT_EQ(result.error().front().field, "timing.tCK");
  }
}

TEST(dramsim3_memory, a_hostile_file_name_stays_in_its_remark) {
  const auto result = convert_dramsim3_config(SourceText{"a\"\nbroken_laws = [1]\n.ini", kDdr4},
                                              shipped_standards());
  ASSERT_TRUE(result) << all_texts(result.error());
}

TEST(dramsim3_memory, a_configuration_is_known_by_its_first_section) {
  EXPECT_TRUE(looks_like_dramsim3_config("; remark\n\n  [dram_structure]\nprotocol = DDR4"));
  EXPECT_TRUE(looks_like_dramsim3_config("\xEF\xBB\xBF# x\r\n[timing]\r\n"));
  EXPECT_FALSE(looks_like_dramsim3_config(""));
  EXPECT_FALSE(looks_like_dramsim3_config("0x100 READ 0\n[timing]\n"));
  EXPECT_FALSE(looks_like_dramsim3_config("[12]\n"));
  EXPECT_FALSE(looks_like_dramsim3_config("[]\n"));
}

TEST(broken_laws, a_file_may_break_a_law_that_it_names) {
  const std::string was = "standard = \"ddr4\"";
  auto text = file_text(shipped_folders().root + "/memories/ddr4-3200-8g-2ch.toml");
  const auto with = [&](const std::string& laws) {
    auto changed = text;
    changed.replace(changed.find(was), was.size(), was + "\nbroken_laws = [" + laws + "]");
    const std::string interval = "tREFI = { value = 7800";
    changed.replace(changed.find(interval), interval.size(), "tREFI = { value = 3900");
    return parse_memory({"a.toml", changed}, shipped_standards());
  };
  const auto named = with("\"refresh_window\"");
  ASSERT_TRUE(named) << all_texts(named.error());
  EXPECT_THAT(named->diagnostics, diagnostic("refresh_window", "3900 ns"));
  EXPECT_TRUE(has_error(with("\"xs\"").error(), "refresh_window"));
  const auto more = with("\"refresh_window\", \"xs\"");
  ASSERT_TRUE(more);
  EXPECT_THAT(more->diagnostics, diagnostic("law_holds", "xs"));
  const auto none = with("\"refresh_windows\"");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().front().expected, "refresh_window");
}

TEST(not_a_memory, a_configuration_given_as_a_memory_is_called_one) {
  const auto memory = parse_memory({"a.ini", kDdr4}, shipped_standards());
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().front().code, "not_a_memory");
}

}  // namespace
}  // namespace diffram::spec
