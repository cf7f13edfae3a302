// Short sequences whose outcome on DRAMsim3 was measured, on the naive model.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "oracle/dramsim3_cases.h"

namespace diffram::oracle::dramsim3 {
namespace {

using naive_dramsim3::Abort;
using naive_dramsim3::MemorySystem;
using naive_dramsim3::run_trace;
using testing::ElementsAre;
using testing::Not;
using testing::StartsWith;

/// DRAMsim3's own DDR4_8Gb_x8_3200: two ranks, tRCD 22, CL 22, BL 8.
const std::string& ddr4() {
  static const std::string ini = [] {
    for (const auto& one : read_cases(kCaseSets[0])) {
      if (one.name.starts_with("DDR4_8Gb_x8_3200__default")) return one.ini;
    }
    throw std::runtime_error("no recorded run of DDR4_8Gb_x8_3200 as it is");
  }();
  return ini;
}

/// The text with another value for one key that it has or, in a section of its own, has not.
std::string with(std::string ini, const std::string& section, const std::string& key,
                 const std::string& value) {
  const auto line = "\n" + key + " = ";
  if (const auto at = ini.find(line); at != std::string::npos) {
    const auto begin = at + line.size();
    return ini.replace(begin, ini.find('\n', begin) - begin, value);
  }
  return ini + "[" + section + "]\n" + key + " = " + value + "\n";
}

std::uint64_t count(const naive_dramsim3::Result& result, const std::string& name) {
  return std::get<std::uint64_t>(result.channels.at(0).figures.at(name));
}

TEST(dramsim3_vector, one_read_at_time_0_is_activated_at_2_read_at_24_and_delivered_at_50) {
  const auto done = run_trace(ddr4(), "0x0 READ 0", 51);
  EXPECT_EQ(done.channels[0].log, "2 ACT 0 0 0 0\n24 RD 0 0 0 0 0\n");
  EXPECT_EQ(count(done, "num_reads_done"), 1u);
  EXPECT_EQ(count(done, "read_latency.49"), 1u);
  EXPECT_EQ(count(run_trace(ddr4(), "0x0 READ 0", 50), "num_reads_done"), 0u);
}

TEST(dramsim3_vector, last_line_without_newline_is_lost_when_its_cycle_is_later) {
  const std::string lines = "0x0 READ 0\n0x100 READ 100";
  EXPECT_EQ(count(run_trace(ddr4(), lines, 3000), "num_reads_done"), 1u);
}

TEST(dramsim3_vector, final_newline_makes_one_read_more) {
  const auto result = run_trace(ddr4(), "0x0 READ 0\n0x100 READ 100\n", 3000);
  EXPECT_EQ(count(result, "num_reads_done"), 3u);
  EXPECT_EQ(count(result, "num_read_cmds"), 2u);
}

class dramsim3_self_refresh : public testing::Test {
 protected:
  naive_dramsim3::Result run(const std::string& first_line) {
    auto ini = with(ddr4(), "system", "enable_self_refresh", "true");
    ini = with(ini, "system", "sref_threshold", "50");
    ini = with(ini, "timing", "tCKESR", "9");
    return run_trace(ini, first_line + "\n0x0 READ 900", 1000);
  }
};

TEST_F(dramsim3_self_refresh, idle_ranks_enter_one_after_the_other_and_a_read_wakes_one) {
  EXPECT_THAT(run("0x0 READ 57").channels[0].log,
              StartsWith("49 SREFE 0\n50 SREFE 1\n59 SREFX 0\n635 ACT 0 0 0 0\n"));
}

TEST_F(dramsim3_self_refresh, a_read_just_before_keeps_its_rank_awake) {
  EXPECT_THAT(run("0x0 READ 47").channels[0].log, StartsWith("49 ACT 0 0 0 0\n50 SREFE 1\n"));
}

TEST_F(dramsim3_self_refresh, a_read_within_tCKESR_of_the_entry_aborts) {
  for (int cycle = 48; cycle <= 55; ++cycle) {
    const auto result = run("0x0 READ " + std::to_string(cycle));
    EXPECT_TRUE(result.aborted_at) << cycle;
  }
  EXPECT_FALSE(run("0x0 READ 47").aborted_at);
  EXPECT_FALSE(run("0x0 READ 57").aborted_at);
}

TEST(dramsim3_self_refresh_and_bank_refresh, abort_when_the_refresh_reaches_a_sleeping_rank) {
  // The REFB of rank 0 at tREFIb sets the times of its other banks back, so the next one is still
  // waiting at the head when the rank has fallen asleep.
  auto ini = with(ddr4(), "system", "enable_self_refresh", "1");
  ini = with(ini, "system", "sref_threshold", "250");
  ini = with(ini, "system", "refresh_policy", "BANK_LEVEL_STAGGERED");
  ini = with(ini, "timing", "tREFIb", "100");
  const auto result = run_trace(ini, "0x0 READ 5000", 2000);
  EXPECT_EQ(result.aborted_at, std::optional<naive_dramsim3::Cycle>(250));
  EXPECT_EQ(result.channels[0].log, "100 REFB 0 0 0\n249 SREFE 0\n");
}

TEST(dramsim3_trace_text, is_read_token_by_token) {
  const auto addresses_read = [](const std::string& text) {
    return count(run_trace(ddr4(), text, 2000), "num_reads_done");
  };
  EXPECT_EQ(addresses_read("bad READ 0\n0x40 x 1\n0x80 READ 2"), 3u) << "bad is 0xbad";
  EXPECT_EQ(addresses_read(""), 1u) << "an empty file makes one READ";
  EXPECT_EQ(count(run_trace(ddr4(), "0 WRITE 0\n0 write 0\n0 P_MEM_WR 0\n0 BOFF 0\n0 W 0", 2000),
                  "num_writes_done"),
            4u);
  EXPECT_GT(addresses_read("0x0 READ 0\n# remark\n0x40 READ 5"), 1900u)
      << "a comment fails the stream for good: its read is made again in every cycle";
}

TEST(dramsim3_trace_text, is_taken_one_request_a_cycle_in_file_order) {
  const auto result = run_trace(ddr4(), "0x0 READ 30\n0x40 READ 0\n0x80 READ 0", 200);
  EXPECT_EQ(count(result, "interarrival_latency.31"), 1u);
  EXPECT_EQ(count(result, "interarrival_latency.1"), 2u);
}

TEST(dramsim3_generator, random_takes_address_and_kind_from_the_twister_with_its_default_seed) {
  std::mt19937_64 twister;
  ASSERT_EQ(twister(), 14514284786278117030ULL);
  ASSERT_EQ(twister() % 3, 0u) << "the first is a write: it stays in its buffer for a while";
  const auto at = naive_dramsim3::Configuration(ddr4()).place(twister());
  ASSERT_NE(twister() % 3, 0u) << "the second is a read";
  std::string activation = "3 ACT";
  for (const std::int64_t field :
       {std::int64_t{at.rank}, std::int64_t{at.group}, std::int64_t{at.bank}, at.row})
    activation += " " + std::to_string(field);
  const auto result = naive_dramsim3::run_generator(ddr4(), naive_dramsim3::Generator::random, 60);
  EXPECT_THAT(result.channels[0].log, StartsWith(activation + "\n"));
}

TEST(dramsim3_generator, stream_reads_two_arrays_and_writes_the_third) {
  const auto result =
      naive_dramsim3::run_generator(ddr4(), naive_dramsim3::Generator::stream, 20'000);
  const auto reads = count(result, "num_reads_done"), writes = count(result, "num_writes_done");
  EXPECT_GT(writes, 500u);
  EXPECT_NEAR(static_cast<double>(reads), 2.0 * static_cast<double>(writes), 70.0);
}

// tWTR far above tWR + tRP + tRCD: a write with auto-precharge holds the columns of other banks for
// tWTR, its own only until the row is open again.
TEST(dramsim3_auto_precharge, puts_no_wait_for_columns_on_its_own_bank) {
  auto ini = with(ddr4(), "system", "row_buf_policy", "CLOSE_PAGE");
  ini = with(ini, "system", "unified_queue", "true");
  ini = with(ini, "timing", "tWTR_L", "200");
  ini = with(ini, "timing", "tWTR_S", "200");
  const naive_dramsim3::Configuration c(ini);
  const auto result = run_trace(ini, "0x0 WRITE 0\n0x40 READ 0\n0x0 READ 5000", 1000);
  const auto write = 2 + c.tRCD;
  const auto again = write + c.WL + c.burst_cycles + c.tWR + c.tRP;
  EXPECT_EQ(result.channels[0].log, "2 ACT 0 0 0 0\n" + std::to_string(write) + " WRA 0 0 0 0 0\n" +
                                        std::to_string(again) + " ACT 0 0 0 0\n" +
                                        std::to_string(again + c.tRCD) + " RDA 0 0 0 0 1\n");
}

class dramsim3_library : public testing::Test {
 protected:
  MemorySystem memory(const std::string& ini) {
    return MemorySystem(
        ini, [this](std::uint64_t address) { done_.push_back("R" + std::to_string(address)); },
        [this](std::uint64_t address) { done_.push_back("W" + std::to_string(address)); });
  }
  static void tick(MemorySystem& memory, int cycles) {
    for (int i = 0; i < cycles; ++i) memory.tick();
  }
  std::vector<std::string> done_;
};

TEST_F(dramsim3_library, answers_by_channel_and_then_in_the_order_of_completion_entries) {
  auto two = memory(
      with(with(ddr4(), "system", "channels", "2"), "system", "address_mapping", "rorabgbacoch"));
  // Channel 1 first, two writes and a forwarded read between them: all complete one cycle later.
  EXPECT_TRUE(two.add(64, true));
  EXPECT_TRUE(two.add(0, true));
  EXPECT_TRUE(two.add(64, false));
  EXPECT_TRUE(two.add(192, true));
  tick(two, 2);
  EXPECT_THAT(done_, ElementsAre("W0", "W64", "R64", "W192"));
}

TEST_F(dramsim3_library, refuses_what_a_full_queue_cannot_take_and_does_nothing) {
  auto small = memory(with(ddr4(), "system", "trans_queue_size", "2"));
  EXPECT_TRUE(small.add(0, false));
  EXPECT_TRUE(small.add(1 << 20, false));
  EXPECT_FALSE(small.will_accept(2 << 20, false));
  EXPECT_FALSE(small.add(2 << 20, false));
  EXPECT_FALSE(small.add(0, false)) << "even one that would merge";
  EXPECT_TRUE(small.add(2 << 20, true)) << "writes have a buffer of their own";
  tick(small, 300);
  EXPECT_EQ(done_.size(), 3u);
}

TEST_F(dramsim3_library, merged_reads_are_answered_each_in_arrival_order) {
  auto one = memory(ddr4());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(one.add(0, false));
  EXPECT_TRUE(one.add(8, false)) << "other low bits are another address, though the same burst";
  tick(one, 100);
  EXPECT_THAT(done_, ElementsAre("R0", "R0", "R0", "R8"));
  EXPECT_EQ(one.channels()[0].counters().commands[naive_dramsim3::RD], 2u);
}

TEST_F(dramsim3_library, a_callback_may_add_and_replaced_callbacks_are_used) {
  auto one = memory(ddr4());
  one.register_callbacks({}, [&](std::uint64_t address) {
    done_.push_back("w" + std::to_string(address));
    if (address < 3) one.add(address + 1, true);
  });
  EXPECT_TRUE(one.add(0, true));
  tick(one, 2);
  EXPECT_THAT(done_, ElementsAre("w0"));
  tick(one, 1);
  EXPECT_THAT(done_, ElementsAre("w0", "w1")) << "acknowledged in the next cycle, not in this one";
}

class dramsim3_stuck : public dramsim3_library {
 protected:
  /// R A; W A; then eight more writes to other lines, all before the first tick.
  void read_then_writes(MemorySystem& memory) {
    EXPECT_TRUE(memory.add(0, false));
    for (std::uint64_t i = 0; i < 9; ++i) EXPECT_TRUE(memory.add(i << 20, true));
    tick(memory, 50'000);
  }
};

TEST_F(dramsim3_stuck, a_drain_that_is_cancelled_and_armed_again_holds_the_read_for_ever) {
  auto split = memory(ddr4());
  read_then_writes(split);
  EXPECT_THAT(done_, Not(testing::Contains("R0")));
  EXPECT_EQ(split.channels()[0].counters().commands[naive_dramsim3::WR], 0u);
}

TEST_F(dramsim3_stuck, a_unified_queue_does_not_hold_it) {
  auto unified = memory(with(ddr4(), "system", "unified_queue", "true"));
  read_then_writes(unified);
  EXPECT_THAT(done_, testing::Contains("R0"));
  EXPECT_EQ(unified.channels()[0].counters().commands[naive_dramsim3::WR], 9u);
}

TEST_F(dramsim3_stuck, eight_writes_never_leave_and_nine_do) {
  for (const std::uint64_t writes : {8u, 9u}) {
    auto one = memory(ddr4());
    for (std::uint64_t i = 0; i < writes; ++i) EXPECT_TRUE(one.add(i << 20, true));
    tick(one, 20'000);
    EXPECT_EQ(one.channels()[0].counters().commands[naive_dramsim3::WR], writes == 8 ? 0u : 9u);
  }
}

TEST_F(dramsim3_stuck, a_conflict_starves_until_refresh_when_tRTP_exceeds_tCCD) {
  auto one = memory(with(ddr4(), "timing", "tRTP", "30"));
  ASSERT_TRUE(one.add(0, false));
  tick(one, 40);
  const std::uint64_t other_row = std::uint64_t{1} << 31;
  ASSERT_EQ(one.configuration().place(other_row).bank, one.configuration().place(0).bank);
  ASSERT_TRUE(one.add(other_row, false));
  const auto waits = [&] {
    const auto seen = "R" + std::to_string(other_row);
    return std::find(done_.begin(), done_.end(), seen) == done_.end();
  };
  int cycles = 0;
  for (std::uint64_t column = 0; waits() && cycles < 20'000; ++cycles) {
    if (cycles % 8 == 0 && one.add(column % 128 * 64, false)) ++column;
    one.tick();
  }
  EXPECT_GT(cycles, 3000) << "the first refresh of the rank is at tREFI / 2";
}

}  // namespace
}  // namespace diffram::oracle::dramsim3
