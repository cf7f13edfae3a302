// DRAMsim3's configuration files: its grammar, its defaults, what it derives, what ends it.

#include "spec/dramsim3_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace diffram::spec {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

Dramsim3Config parsed(const std::string& text) {
  auto config = parse_dramsim3_config(text, "a.ini");
  if (!config) throw std::runtime_error(config.error().front().text());
  return std::move(*config);
}

std::string code_of_error(const std::string& text) {
  const auto config = parse_dramsim3_config(text, "a.ini");
  return config ? "" : config.error().front().code;
}

TEST(dramsim3_ini, an_empty_file_is_the_default_DDR3) {
  const auto config = parsed("");
  EXPECT_EQ(config.protocol, Dramsim3Protocol::DDR3);
  EXPECT_EQ(config.channels, 1u);
  EXPECT_EQ(config.timing.tREFI, 7800);
  EXPECT_EQ(config.command_queue_entries, 16u);
  EXPECT_EQ(config.epoch_cycles, 100000u);
  EXPECT_EQ(config.power.VDD, 1.2);
  EXPECT_EQ(config.channel_megabytes, 2048) << "a rank is larger than the default channel";
}

struct Spelling {
  const char* text;
  int cl;
};

class dramsim3_number : public testing::TestWithParam<Spelling> {};

TEST_P(dramsim3_number, is_read_as_C_reads_it) {
  EXPECT_EQ(parsed(std::string("[timing]\n") + GetParam().text + "\n").timing.CL, GetParam().cl);
}

INSTANTIATE_TEST_SUITE_P(spellings, dramsim3_number,
                         testing::Values(Spelling{"CL = 22", 22}, Spelling{"cl=22", 22},
                                         Spelling{"CL : 22", 22}, Spelling{"CL = 0x16", 22},
                                         Spelling{"CL = 026", 22}, Spelling{"CL = 22.9", 22},
                                         Spelling{"CL = 22;", 22}, Spelling{"CL = 22 ; cycles", 22},
                                         Spelling{"CL = 22 cycles", 22}, Spelling{"CL = many", 12},
                                         Spelling{"CL = 22\nCL = 30", 22},
                                         Spelling{"CL = 22\n  30", 22}, Spelling{"; CL = 22", 12},
                                         Spelling{"# CL = 22", 12}, Spelling{"CL = 22\r", 22},
                                         Spelling{"CL", 12}));

TEST(dramsim3_ini, sections_have_any_case_and_keys_of_another_section_do_not_count) {
  EXPECT_EQ(parsed("[TIMING]\nCL = 22").timing.CL, 22);
  EXPECT_EQ(parsed("[system]\nCL = 22").timing.CL, 12);
}

TEST(dramsim3_ini, a_comment_after_white_space_does_not_belong_to_the_protocol) {
  EXPECT_EQ(parsed("[dram_structure]\nprotocol = DDR4 ; like DDR3").protocol,
            Dramsim3Protocol::DDR4);
  EXPECT_EQ(code_of_error("[dram_structure]\nprotocol = DDR4; like DDR3"), "unknown_choice");
}

TEST(dramsim3_config, ranks_are_what_fits_into_the_channel) {
  const std::string structure =
      "[dram_structure]\nprotocol=DDR4\nbankgroups=4\nbanks_per_group=4\n"
      "rows=65536\ncolumns=1024\ndevice_width=8\nBL=8\n[system]\n";
  EXPECT_EQ(parsed(structure + "channel_size = 16384").ranks, 2u);
  EXPECT_EQ(parsed(structure + "channel_size = 20000").ranks, 2u);
  const auto raised = parsed(structure + "channel_size = 1024");
  EXPECT_EQ(raised.ranks, 1u);
  EXPECT_EQ(raised.channel_megabytes, 8192);
  EXPECT_THAT(raised.diagnostics, Contains(Field(&base::Diagnostic::code, "channel_size_raised")));
}

TEST(dramsim3_config, the_mapping_places_the_rightmost_field_above_the_request) {
  const auto config = parsed(
      "[dram_structure]\nbankgroups=4\nbanks_per_group=4\nrows=65536\ncolumns=1024\nBL=8\n"
      "[system]\nchannels=2\nchannel_size=16384\naddress_mapping=rochrababgco");
  EXPECT_EQ(config.request_bytes, 64u);
  EXPECT_EQ(config.map.shift, 6u);
  EXPECT_EQ(config.map.column.position, 0u);
  EXPECT_EQ(config.map.column.mask, 127u);
  EXPECT_EQ(config.map.bank_group.position, 7u);
  EXPECT_EQ(config.map.channel.position, 12u);
  EXPECT_EQ(config.map.row.position, 13u);
}

TEST(dramsim3_config, burst_cycles_follow_the_protocol) {
  const auto burst = [](const std::string& protocol) {
    return parsed("[dram_structure]\nBL=16\nprotocol=" + protocol).burst_cycles;
  };
  EXPECT_EQ(burst("LPDDR4"), 8);
  EXPECT_EQ(burst("GDDR5"), 4);
  EXPECT_EQ(burst("GDDR5X"), 2);
  EXPECT_EQ(burst("GDDR6"), 1);
}

TEST(dramsim3_config, what_ends_DRAMsim3_is_an_error_with_its_line) {
  EXPECT_EQ(code_of_error("[dram_structure]\nprotocol=DDR5"), "unknown_choice");
  EXPECT_EQ(code_of_error("[system]\nqueue_structure=PER_CHANNEL"), "unknown_choice");
  EXPECT_EQ(code_of_error("[system]\nrefresh_policy=NONE"), "unknown_choice");
  EXPECT_EQ(code_of_error("[system]\naddress_mapping=rochraba"), "bad_mapping");
  EXPECT_EQ(code_of_error("[system]\naddress_mapping=rochrababgro"), "bad_mapping");
  EXPECT_EQ(code_of_error("[dram_structure]\nrows=512"), "bad_geometry");
  EXPECT_EQ(code_of_error("[timing]\ntREFI=0"), "bad_value");
  EXPECT_EQ(code_of_error("[other]\nepoch_period=0"), "bad_value");
  const auto config = parse_dramsim3_config("[system]\n\nqueue_structure = PER_BANKS\n", "a.ini");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().front().line, 3);
  EXPECT_EQ(config.error().front().field, "system.queue_structure");
  EXPECT_EQ(config.error().front().expected, "PER_BANK");
}

TEST(dramsim3_config, all_errors_of_a_file_come_at_once) {
  const auto config =
      parse_dramsim3_config("[system]\nqueue_structure=x\nrefresh_policy=y\nchannels=0", "a.ini");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().size(), 3u);
}

TEST(dramsim3_config, HMC_is_refused_with_what_to_use) {
  const auto config = parse_dramsim3_config("[dram_structure]\nprotocol = HMC", "a.ini");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().front().code, "not_supported");
  EXPECT_THAT(config.error().front().expected, HasSubstr("HBM"));
}

TEST(dramsim3_config, a_file_that_is_missing_is_named) {
  const auto config = load_dramsim3_config("nowhere.ini");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().front().file, "nowhere.ini");
}

TEST(dramsim3_diagnostic, a_key_that_is_none_gets_the_nearest) {
  EXPECT_THAT(parsed("[timing]\ntRCDX = 22").diagnostics,
              Contains(AllOf(Field(&base::Diagnostic::code, "unknown_key"),
                             Field(&base::Diagnostic::message, HasSubstr("tRCD")),
                             Field(&base::Diagnostic::evidence, "a.ini:2"))));
}

TEST(dramsim3_diagnostic, REFI_without_tREFI_is_a_warning_and_with_it_a_note) {
  EXPECT_THAT(parsed("[timing]\nREFI = 3900").diagnostics,
              Contains(Field(&base::Diagnostic::code, "ignored_key")));
  const auto both = parsed("[timing]\nREFI = 3900\ntREFI = 3900").diagnostics;
  EXPECT_THAT(both, Not(Contains(Field(&base::Diagnostic::code, "ignored_key"))));
  EXPECT_THAT(both, Contains(Field(&base::Diagnostic::code, "never_read")));
}

TEST(dramsim3_diagnostic, a_count_that_is_no_power_of_two_says_what_the_map_reaches) {
  EXPECT_THAT(parsed("[system]\nchannels = 3").diagnostics,
              Contains(Field(&base::Diagnostic::message, HasSubstr("only 2 of 3"))));
}

// User case U08 (DRAMSpec#13).
TEST(dramsim3_diagnostic, an_activation_below_standby_names_the_least_current) {
  const std::string device =
      "[power]\nVDD = 1.2\nIDD2N = 34\nIDD3N = 43\n[timing]\ntRAS = 24\ntRP = 10\n[power]\n";
  EXPECT_THAT(parsed(device + "IDD0 = 40").diagnostics,
              Contains(AllOf(Field(&base::Diagnostic::code, "negative_activation"),
                             Field(&base::Diagnostic::message,
                                   AllOf(HasSubstr("IDD0"), HasSubstr("40.353 mA"))))));
  EXPECT_THAT(parsed(device + "IDD0 = 41").diagnostics,
              Not(Contains(Field(&base::Diagnostic::code, "negative_activation"))));
}

TEST(dramsim3_diagnostic, a_value_that_is_no_number_takes_the_default) {
  EXPECT_THAT(parsed("[timing]\nCL = fast").diagnostics,
              Contains(Field(&base::Diagnostic::code, "default_taken")));
}

}  // namespace
}  // namespace diffram::spec
