// What a standard's table says beside its rows, and what a memory may ask of it.

#include <gtest/gtest.h>

#include "spec/shipped.h"
#include "spec/standard.h"

namespace diffram::spec {
namespace {

base::Result<Standard> standard_with(const std::string& name, const std::string& was,
                                     const std::string& becomes) {
  auto text = file_text(shipped_folders().root + "/standards/" + name + ".toml");
  const auto at = text.find(was);
  if (at == std::string::npos) throw std::runtime_error("'" + was + "' is not in the file");
  text.replace(at, was.size(), becomes);
  return parse_standard({name + ".toml", text});
}

base::Result<MemorySpec> with(const std::string& name, const std::string& key,
                              const std::string& value) {
  return load_memory(shipped_folders(), name, {{"memory." + key, value}});
}

TEST(Protocol, of_the_standards) {
  const auto of = [](const char* name) { return load_memory(shipped_folders(), name)->protocol; };
  EXPECT_FALSE(of("ddr4-3200-8g-2ch").split_buses);
  EXPECT_FALSE(of("ddr4-3200-8g-2ch").part_refresh);
  EXPECT_EQ(of("ddr5-4800-32g-4ch").part_refresh, Command::REFsb);
  EXPECT_EQ(of("ddr5-4800-32g-4ch").refresh_unit, RefreshUnit::same_bank);
  EXPECT_EQ(of("lpddr5-6400-8g-4ch").refresh_unit, RefreshUnit::bank_pair);
  EXPECT_EQ(of("lpddr5-6400-8g-4ch").clock_after_read, 17 + 4 + 1);
  EXPECT_EQ(of("lpddr6-10667-8g-4ch").clock_lead, 2);
  EXPECT_TRUE(of("hbm2-2000-4g-8ch").split_buses);
  EXPECT_EQ(of("hbm3-6400-16g-16ch").ticks_per_clock, 2);
  EXPECT_TRUE(of("hbm3-6400-16g-16ch").starts_with_clock(Command::REFpb));
  EXPECT_FALSE(of("hbm3-6400-16g-16ch").starts_with_clock(Command::PRE));
}

TEST(Protocol, half_clocks_are_counted_in_cycles_and_stated_in_clocks) {
  const auto memory = load_memory(shipped_folders(), "hbm3-6400-16g-16ch");
  EXPECT_EQ(memory->timing("nCL"), 2 * 20);
  EXPECT_EQ(memory->timing("nRREFD"), 2 * 13);  // 8 ns round up to 13 clocks, not to 26 halves less
  EXPECT_EQ(memory->timing("nREFI"), 2 * 6240);
  EXPECT_EQ(memory->timing("nBL"), 4);
}

TEST(Protocol, pseudo_channels_are_channels_and_a_burst_may_carry_less_than_its_bits) {
  const auto hbm = load_memory(shipped_folders(), "hbm2-2000-4g-8ch");
  EXPECT_EQ(hbm->organisation.channels, 16u);
  EXPECT_DOUBLE_EQ(hbm->peak_bytes_per_s(), 256e9);
  const auto lpddr6 = load_memory(shipped_folders(), "lpddr6-10667-8g-4ch");
  EXPECT_EQ(lpddr6->organisation.burst_bytes(), 32u);
  EXPECT_NEAR(lpddr6->peak_bytes_per_s() / 4, 14.2222e9, 1e6);
}

TEST(Protocol, a_memory_asks_for_the_refresh_of_parts_that_its_standard_has) {
  EXPECT_TRUE(with("hbm2-2000-4g-8ch", "controller.refresh_scope", "per_bank"));
  EXPECT_TRUE(with("ddr5-4800-32g-4ch", "controller.refresh_scope", "same_bank"));
  const auto wrong = with("ddr5-4800-32g-4ch", "controller.refresh_scope", "per_bank");
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(has_error(wrong.error(), "no_such_command", "controller.refresh_scope"));
  EXPECT_NE(all_texts(wrong.error()).find("all_bank or same_bank"), std::string::npos);
  EXPECT_FALSE(with("ddr4-3200-8g-2ch", "controller.refresh_scope", "per_bank"));
}

TEST(Protocol, refreshes_of_parts_leave_time_for_bursts) {
  const auto memory = load_memory(
      shipped_folders(), "hbm2-2000-4g-8ch",
      {{"memory.controller.refresh_scope", "per_bank"}, {"memory.timings.tREFIpb", "8"}});
  ASSERT_FALSE(memory);
  EXPECT_TRUE(has_error(memory.error(), "no_time_between_refreshes", "timings.tREFIpb"));
}

TEST(Protocol, stack_ids_share_out_the_bank_groups) {
  const auto memory = with("hbm3-6400-16g-16ch", "organisation.stack_ids", "3");
  ASSERT_FALSE(memory);
  EXPECT_TRUE(has_error(memory.error(), "not_a_multiple", "organisation.bank_groups"));
}

TEST(Standard, what_is_wrong_in_its_protocol_is_named) {
  const auto code = [](const base::Result<Standard>& standard) {
    return standard ? std::string("none") : standard.error().front().code;
  };
  EXPECT_EQ(code(standard_with("hbm3", "bus = \"row\"", "bus = \"rows\"")), "unknown_choice");
  EXPECT_EQ(code(standard_with("hbm3", "ticks_per_clock = 2", "ticks_per_clock = 3")),
            "not_a_multiple");
  EXPECT_EQ(code(standard_with("lpddr5", "refreshes = \"bank_pair\"", "refreshes = \"pair\"")),
            "unknown_choice");
  EXPECT_EQ(code(standard_with("ddr5", "command = \"REFsb\"", "command = \"REFab\"")),
            "unknown_command");
  EXPECT_EQ(code(standard_with("ddr5", "times_count_from = \"last_cycle\"",
                               "times_count_from = \"last\"")),
            "unknown_choice");
}

}  // namespace
}  // namespace diffram::spec
