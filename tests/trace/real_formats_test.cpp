// Traces that other simulators ship, held against what was counted in them by other means.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "trace/request_reading.h"

namespace diffram::trace {
namespace {

struct Facts {
  const char* file;
  const char* format;
  std::uint64_t reads, writes, lowest_address, highest_address, first_cycle, last_cycle;
  std::size_t distinct_addresses;
  std::uint64_t cycles_going_back = 0, with_data = 0;
  bool is_distributed = true;
};

class real_format : public testing::TestWithParam<Facts> {};

TEST_P(real_format, has_the_requests_that_were_counted) {
  const Facts& facts = GetParam();
  std::filesystem::path file =
      std::filesystem::path(DIFFRAM_SOURCE_DIR) / "tests/oracle/data/request_traces" / facts.file;
  if (!facts.is_distributed) {
    const char* shared = std::getenv("DIFFRAM_SHARED");
    file = std::filesystem::path(shared ? shared : "") / "real/dramsys_stl" / facts.file;
    if (!shared || !std::filesystem::exists(file)) GTEST_SKIP() << "skipped: not distributed";
  }
  const Reading reading = read_file(file.string());
  ASSERT_TRUE(reading.errors.empty()) << reading.error_text();
  EXPECT_STREQ(reading.facts.format, facts.format);
  EXPECT_EQ(reading.counts.reads, facts.reads);
  EXPECT_EQ(reading.counts.writes, facts.writes);
  EXPECT_EQ(reading.counts.cycles_going_back, facts.cycles_going_back);
  EXPECT_EQ(reading.counts.with_data, facts.with_data);
  std::set<std::uint64_t> addresses;
  for (const auto& request : reading.requests) addresses.insert(request.address);
  EXPECT_EQ(addresses.size(), facts.distinct_addresses);
  EXPECT_EQ(*addresses.begin(), facts.lowest_address);
  EXPECT_EQ(*addresses.rbegin(), facts.highest_address);
  EXPECT_EQ(reading.requests.front().cycle, facts.first_cycle);
  EXPECT_EQ(reading.requests.back().cycle, facts.last_cycle);
}

// Cycles of a CPU trace are instructions: the last read comes when all others are through.
INSTANTIATE_TEST_SUITE_P(
    trace, real_format,
    testing::Values(
        Facts{"ramulator1_dram.trace", "Ramulator 1", 3, 2, 0x12345680, 0x7876af80, 0, 4, 5},
        Facts{"ramulator2_example_loadstore.trace", "Ramulator 2", 147, 53, 0x100000, 0x143180, 0,
              199, 200},
        Facts{"spmv_ldst.trace.gz", "Ramulator 2", 6912, 256, 0x100000, 0x5003fc, 0, 7167, 4865},
        Facts{"ramulator1_cpu.trace", "Ramulator CPU", 6, 2, 0x13c6040, 0x13f32c0, 3, 25, 6},
        Facts{"ramulator2_example_inst.trace", "Ramulator CPU", 8, 2, 0x13c6040, 0x13f32c0, 3, 29,
              6},
        Facts{"example.stl.gz", "DRAMSys", 768, 1108, 0, 0x3c813680, 0, 468, 469, 3},
        Facts{"pct.stl.gz", "DRAMSys", 0, 100, 0, 0xc600, 0, 99, 100, 0, 100},
        Facts{"ranktest.stl", "DRAMSys", 0, 33, 0, 0xf8000000, 0, 32, 32},
        Facts{"resnet50_synthetic.stl.gz", "DRAMSys", 44966, 5034, 0x100000000, 0x115dfdcc0, 0,
              350665, 49963, 0, 0, false},
        Facts{"frfcfs-toy.trc", "gem5 text", 7, 0, 0x40, 0x34b15c, 4000, 500000, 7},
        Facts{"refresh.trc", "gem5 text", 3, 0, 0x40, 0xc4, 4000, 100000000, 3},
        Facts{"tgen-simple-mem.trc", "gem5", 1, 1, 48879, 19088743, 1000, 4000, 2}));

TEST(real_format, spec_cpu_trace_has_its_instructions) {
  const Reading reading = read_file(DIFFRAM_SOURCE_DIR
                                    "/tests/oracle/data/request_traces/"
                                    "ramulator1_cpu_481.wrf.trace.gz");
  ASSERT_TRUE(reading.errors.empty()) << reading.error_text();
  EXPECT_EQ(reading.counts.reads, 27328u);
  EXPECT_EQ(reading.counts.writes, 16333u);
  // The read at the end is the last of 199,833,533 instructions.
  EXPECT_EQ(reading.requests.back().cycle, 199833533u - 1);
  std::set<std::uint64_t> read, written;
  for (const auto& request : reading.requests)
    (request.direction == base::Direction::read ? read : written).insert(request.address);
  EXPECT_EQ(read.size(), 13827u);
  EXPECT_EQ(*read.begin(), 0x81aec0u);
  EXPECT_EQ(*read.rbegin(), 0x7fffdf6fa1c0u);
  EXPECT_EQ(*written.begin(), 0xa6b080u);
  EXPECT_EQ(*written.rbegin(), 0x7fffdf6f95c0u);
}

TEST(real_format, gem5_packets_are_those_of_the_file) {
  const Reading reading =
      read_file(DIFFRAM_SOURCE_DIR "/tests/oracle/data/request_traces/tgen-simple-mem.trc");
  ASSERT_EQ(reading.requests.size(), 2u) << reading.error_text();
  EXPECT_EQ(reading.requests[0], (TraceRequest{1000, 19088743, 64, 0, base::Direction::read}));
  EXPECT_EQ(reading.requests[1], (TraceRequest{4000, 48879, 64, 0, base::Direction::write}));
  EXPECT_EQ(reading.facts.clock, base::Clock(1000, 1));
}

TEST(real_format, a_state_file_of_the_traffic_generator_names_what_is_missing) {
  const Reading reading =
      read_file(DIFFRAM_SOURCE_DIR "/tests/oracle/data/request_traces/tgen-simple-mem.cfg");
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_EQ(reading.errors[0].code, "not_a_request_trace");
  EXPECT_NE(reading.errors[0].message.find("traffic generator"), std::string::npos);
  EXPECT_GT(reading.errors[0].line, 0);
}

}  // namespace
}  // namespace diffram::trace
