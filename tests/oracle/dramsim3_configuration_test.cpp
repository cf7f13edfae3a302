// The grammar of DRAMsim3's configuration file, its defaults and what it derives, as the naive
// model reads them.

#include <gtest/gtest.h>

#include <stdexcept>

#include "naive_dramsim3/configuration.h"

namespace diffram::naive_dramsim3 {
namespace {

TEST(dramsim3_ini, what_is_missing_unknown_or_unreadable_takes_the_default) {
  const Configuration c("[timing]\ntRFC =\ntRP = fast\nCLL = 3\nno separator\n");
  EXPECT_EQ(c.tRFC, 74);
  EXPECT_EQ(c.tRP, 10);
  EXPECT_EQ(c.RL, 12);
  EXPECT_EQ(c.protocol, "DDR3");
  EXPECT_EQ(c.ranks, 1);
}

TEST(dramsim3_ini, numbers_are_read_in_three_bases_and_stop_at_the_first_odd_character) {
  const Configuration c("[timing]\ntRP=0x1F\ntRCD=017\ntRAS=12.9\ntFAW=512;\ntWR=7 cycles\n");
  EXPECT_EQ(c.tRP, 31);
  EXPECT_EQ(c.tRCD, 15);
  EXPECT_EQ(c.tRAS, 12);
  EXPECT_EQ(c.tFAW, 512);
  EXPECT_EQ(c.tWR, 7);
}

TEST(dramsim3_ini, keys_and_sections_have_no_case_and_either_separator) {
  const Configuration c("[TIMING]\ntrp: 3 ; remark\n  # remark\nTRCD =4\n");
  EXPECT_EQ(c.tRP, 3);
  EXPECT_EQ(c.tRCD, 4);
}

TEST(dramsim3_ini, a_repeated_or_continued_number_keeps_its_first_value) {
  const Configuration c("[timing]\ntRP=3\n  9\ntRCD=4\ntRCD=5\n[other]\n[timing]\ntRP=8\n");
  EXPECT_EQ(c.tRP, 3);
  EXPECT_EQ(c.tRCD, 4);
}

TEST(dramsim3_ini, a_repeated_word_is_no_word_any_more) {
  EXPECT_FALSE(
      Configuration("[system]\nrow_buf_policy=CLOSE_PAGE\nrow_buf_policy=CLOSE_PAGE\n").close_page);
  EXPECT_THROW(Configuration("[system]\nqueue_structure=PER_RANK\nqueue_structure=PER_RANK\n"),
               std::runtime_error);
}

TEST(dramsim3_ini, only_the_exact_text_closes_the_page) {
  EXPECT_TRUE(Configuration("[system]\nrow_buf_policy=CLOSE_PAGE\n").close_page);
  EXPECT_FALSE(Configuration("[system]\nrow_buf_policy=close_page\n").close_page);
}

TEST(dramsim3_ini, what_the_reference_refuses_is_refused) {
  for (const char* text :
       {"[dram_structure]\nprotocol=DDR9\n", "[dram_structure]\nprotocol=HMC\n",
        "[system]\nqueue_structure=PER_CHANNEL\n", "[system]\nrefresh_policy=NONE\n",
        "[system]\naddress_mapping=rochrababg\n", "[system]\naddress_mapping=rochrababgba\n"})
    EXPECT_THROW(Configuration{text}, std::runtime_error) << text;
}

TEST(dramsim3_derived, burst_cycles_follow_the_protocol_and_BL_0_is_filled_in) {
  const auto of = [](const std::string& protocol, int length) {
    return Configuration("[dram_structure]\nprotocol=" + protocol +
                         "\nBL=" + std::to_string(length) + "\n");
  };
  EXPECT_EQ(of("DDR4", 8).burst_cycles, 4);
  EXPECT_EQ(of("GDDR5", 8).burst_cycles, 2);
  EXPECT_EQ(of("GDDR5X", 16).burst_cycles, 2);
  EXPECT_EQ(of("GDDR6", 16).burst_cycles, 1);
  EXPECT_EQ(of("DDR4", 0).burst_cycles, 0);
  EXPECT_EQ(of("DDR4", 0).burst_length, 8);
  EXPECT_EQ(of("HBM2", 0).burst_length, 4);
}

TEST(dramsim3_derived, a_channel_smaller_than_a_rank_has_one_rank) {
  const int rank_megabytes = 2048;  // of the defaults
  const auto ranks = [](int megabytes) {
    return Configuration("[system]\nchannel_size=" + std::to_string(megabytes) + "\n").ranks;
  };
  EXPECT_EQ(ranks(1), 1);
  EXPECT_EQ(ranks(2 * rank_megabytes - 1), 1);
  EXPECT_EQ(ranks(4 * rank_megabytes - 1), 3);
}

TEST(dramsim3_derived, without_bank_groups_their_banks_are_one_group) {
  const Configuration c("[dram_structure]\nbankgroups=4\nbank_groups=2\nbankgroup_enable=false\n");
  EXPECT_EQ(c.bankgroups, 1);
  EXPECT_EQ(c.banks_per_group, 8);
}

TEST(dramsim3_address, fields_lie_from_the_right_above_the_burst) {
  // 64 B bursts; 4 ranks, 2 groups, 2 banks, 65536 rows, 1024 columns of which 8 are one burst.
  const Configuration c("[system]\nchannel_size=8192\naddress_mapping=rochrababgco\n");
  const auto at = c.place(std::uint64_t{5} << 17 | 2u << 15 | 1u << 14 | 1u << 13 | 77u << 6 | 63u);
  EXPECT_EQ(at.row, 5);
  EXPECT_EQ(at.rank, 2);
  EXPECT_EQ(at.bank, 1);
  EXPECT_EQ(at.group, 1);
  EXPECT_EQ(at.column, 77);
  EXPECT_EQ(at.channel, 0);
}

}  // namespace
}  // namespace diffram::naive_dramsim3
