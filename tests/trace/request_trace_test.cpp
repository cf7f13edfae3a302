// DRAMsim3's text form: what a line may look like, what is refused, and real files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "trace/dramsim3_text/dramsim3_line.h"
#include "trace/request_reading.h"
#include "trace/request_text/text_source.h"

namespace diffram::trace {
namespace {

using base::Direction;
using testing::HasSubstr;

/// One by one and in batches: always the same requests, counts and errors.
Reading read_text(const std::string& text, const RequestTraceOptions& options = {}) {
  const auto open = [&] {
    auto bytes = open_memory(text, "hand.trace");
    EXPECT_TRUE(bytes);
    return TextSource(LineReader(std::move(*bytes), "hand.trace"), Dramsim3Line::make(options),
                      options);
  };
  auto source = open();
  const Reading reading = read_all(source, 1);
  for (const std::size_t batch : {2, 3, 64}) {
    auto again = open();
    const Reading in_batches = read_all(again, batch);
    EXPECT_EQ(in_batches.requests, reading.requests) << text;
    EXPECT_EQ(in_batches.counts, reading.counts) << text;
    EXPECT_EQ(in_batches.errors.size(), reading.errors.size()) << text;
    if (!reading.errors.empty() && !in_batches.errors.empty()) {
      EXPECT_EQ(in_batches.errors.front().text(), reading.errors.front().text());
    }
  }
  return reading;
}

TEST(request_trace, an_address_is_hexadecimal_with_or_without_0x) {
  const auto reading = read_text("0x1F40 READ 12\n1f40 WRITE 13\n0XbAd READ 14\n");
  ASSERT_EQ(reading.requests.size(), 3u);
  EXPECT_EQ(reading.requests[0].address, 0x1f40u);
  EXPECT_EQ(reading.requests[0].cycle, 12u);
  EXPECT_EQ(reading.requests[1].address, 0x1f40u);
  EXPECT_EQ(reading.requests[1].direction, Direction::write);
  EXPECT_EQ(reading.requests[2].address, 0xbadu);
}

struct Word {
  const char* word;
  Direction direction;
  bool dramsim3_agrees;
};

class operation_word : public testing::TestWithParam<Word> {};

TEST_P(operation_word, means_what_it_says) {
  const auto [word, direction, dramsim3_agrees] = GetParam();
  const std::string line = std::string("0x0 ") + word + " 0\n";
  const auto reading = read_text(line);
  ASSERT_EQ(reading.requests.size(), 1u);
  EXPECT_EQ(reading.requests[0].direction, direction);
  EXPECT_EQ(reading.counts.writes_dramsim3_reads, dramsim3_agrees ? 0u : 1u);
  const auto as_dramsim3 = read_text(line, {.lenient = false, .dramsim3_words = true});
  EXPECT_EQ(as_dramsim3.requests[0].direction, dramsim3_agrees ? direction : Direction::read);
}

INSTANTIATE_TEST_SUITE_P(
    trace, operation_word,
    testing::Values(Word{"READ", Direction::read, true}, Word{"read", Direction::read, true},
                    Word{"R", Direction::read, true}, Word{"r", Direction::read, true},
                    Word{"P_MEM_RD", Direction::read, true}, Word{"P_FETCH", Direction::read, true},
                    Word{"WRITE", Direction::write, true}, Word{"write", Direction::write, true},
                    Word{"P_MEM_WR", Direction::write, true}, Word{"BOFF", Direction::write, true},
                    Word{"W", Direction::write, false}, Word{"w", Direction::write, false},
                    Word{"Write", Direction::write, false}));

TEST(request_trace, any_other_word_is_an_error_unless_lenient_and_then_a_counted_read) {
  const std::string text = "0x0 READ 0\n0x40 FLUSH 1\n";
  const auto strict = read_text(text);
  ASSERT_EQ(strict.errors.size(), 1u);
  EXPECT_EQ(strict.errors[0].code, "unknown_operation");
  EXPECT_EQ(strict.errors[0].line, 2);
  EXPECT_THAT(strict.errors[0].message, HasSubstr("FLUSH"));
  const auto lenient = read_text(text, {.lenient = true, .dramsim3_words = false});
  EXPECT_TRUE(lenient.errors.empty());
  EXPECT_EQ(lenient.counts.unknown_words, 1u);
  EXPECT_EQ(lenient.counts.reads, 2u);
}

TEST(request_trace, comments_blank_lines_and_foreign_line_ends_are_fine) {
  const auto reading = read_text(
      "# made by hand\r\n\r\n0x0 READ 0\r\n  // a note\n\t0x40\tW\t1  # inline\n;\n0x80 R 2");
  EXPECT_TRUE(reading.errors.empty());
  EXPECT_EQ(reading.requests.size(), 3u);
}

TEST(request_trace, a_last_line_without_line_end_is_a_request_and_an_empty_file_none) {
  EXPECT_EQ(read_text("0x0 READ 0").requests.size(), 1u);
  const auto empty = read_text("");
  EXPECT_TRUE(empty.errors.empty());
  EXPECT_TRUE(empty.requests.empty());
}

TEST(request_trace, a_cycle_that_goes_back_keeps_its_place_and_is_counted) {
  const auto reading = read_text("0x0 R 10\n0x40 R 5\n0x80 R 5\n0xc0 R 4\n");
  ASSERT_EQ(reading.requests.size(), 4u);
  EXPECT_EQ(reading.requests[1].cycle, 5u);
  EXPECT_EQ(reading.counts.cycles_going_back, 2u);
}

TEST(request_trace, sixty_four_bits_of_address_and_cycle_are_read_and_no_more) {
  const auto largest = read_text("0xFFFFFFFFFFFFFFFF R 18446744073709551615\n");
  ASSERT_EQ(largest.requests.size(), 1u);
  EXPECT_EQ(largest.requests[0].address, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(largest.requests[0].cycle, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read_text("0x10000000000000000 R 0\n").errors.at(0).code, "bad_address");
  EXPECT_EQ(read_text("0x0 R 18446744073709551616\n").errors.at(0).code, "bad_cycle");
}

// Lines of the usual form are read by a way of their own: both ways mean the same.
TEST(request_trace, one_request_in_many_hands_is_one_request) {
  for (const char* line :
       {"0x1f40 WRITE 12", "1f40 WRITE 12", "0X1F40 WRITE   12", " 0x1f40 WRITE 12",
        "0x1f40\tWRITE 12", "0x1f40  WRITE 12", "0x1f40 WRITE\t12", "0x1f40 WRITE 12 ",
        "0x1f40 WRITE 12 # first", "0x1f40 write 12", "0x0000000000001f40 WRITE 12",
        "0x00000000000001f40 WRITE 12", "0x1f40 WRITE 0000000000000000012",
        "0x1f40 WRITE 00000000000000000012"}) {
    const auto reading = read_text(std::string(line) + "\n");
    ASSERT_EQ(reading.requests.size(), 1u) << line;
    EXPECT_EQ(reading.requests[0].address, 0x1f40u) << line;
    EXPECT_EQ(reading.requests[0].direction, Direction::write) << line;
    EXPECT_EQ(reading.requests[0].cycle, 12u) << line;
    EXPECT_EQ(reading.counts.writes, 1u) << line;
  }
}

TEST(request_trace, the_largest_numbers_of_the_usual_form) {
  const auto largest = read_text("0xFFFFFFFFFFFFFFFF READ 18446744073709551615\n");
  ASSERT_EQ(largest.requests.size(), 1u);
  EXPECT_EQ(largest.requests[0].address, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(largest.requests[0].cycle, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(read_text("0x10000000000000000 READ 0\n").errors.at(0).code, "bad_address");
  EXPECT_EQ(read_text("0x0 READ 18446744073709551616\n").errors.at(0).code, "bad_cycle");
  EXPECT_EQ(read_text("0x0 READ \n").errors.at(0).code, "missing_field");
  EXPECT_EQ(read_text("0x READ 1\n").errors.at(0).code, "bad_address");
  EXPECT_EQ(read_text("0x0 READ 1x\n").errors.at(0).code, "bad_cycle");
}

struct BadLine {
  const char* line;
  const char* code;
};

class bad_line : public testing::TestWithParam<BadLine> {};

TEST_P(bad_line, is_refused_with_file_and_line) {
  const auto reading = read_text(std::string("0x0 READ 0\n") + GetParam().line + "\n");
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_EQ(reading.errors[0].code, GetParam().code);
  EXPECT_EQ(reading.errors[0].file, "hand.trace");
  EXPECT_EQ(reading.errors[0].line, 2);
  EXPECT_FALSE(reading.errors[0].expected.empty());
}

INSTANTIATE_TEST_SUITE_P(
    trace, bad_line,
    testing::Values(BadLine{"0x40", "missing_field"}, BadLine{"0x40 READ", "missing_field"},
                    BadLine{"0x40 READ # 5", "missing_field"},
                    BadLine{"0x40 READ 1 2", "extra_field"}, BadLine{"xyz READ 1", "bad_address"},
                    BadLine{"-1 READ 1", "bad_address"}, BadLine{"0x READ 1", "bad_address"},
                    BadLine{"0x40 READ -1", "bad_cycle"}, BadLine{"0x40 READ 0x10", "bad_cycle"},
                    BadLine{"0x40 READ 1.5", "bad_cycle"}));

TEST(request_trace, what_a_message_shows_of_a_binary_file_is_short_and_printable) {
  const auto reading = read_text(std::string(500, '\x01') + " READ 1\n");
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_LT(reading.errors[0].message.size(), 120u);
  EXPECT_EQ(reading.errors[0].message.find('\x01'), std::string::npos);
}

TEST(request_trace, a_file_that_is_not_there_is_an_error_with_its_name) {
  const auto reading = read_file("/nowhere/none.trace");
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_EQ(reading.errors[0].code, "unreadable");
  EXPECT_EQ(reading.errors[0].file, "/nowhere/none.trace");
}

// Facts of public files, counted by programs of their own (NOTICE has the sources).
struct Facts {
  const char* file;
  std::uint64_t reads, writes, lowest_address, highest_address, first_cycle, last_cycle;
  bool is_distributed;
};

class real_trace : public testing::TestWithParam<Facts> {};

TEST_P(real_trace, has_the_requests_that_were_counted) {
  const Facts& facts = GetParam();
  std::filesystem::path file =
      std::filesystem::path(DIFFRAM_SOURCE_DIR) / "tests/oracle/data/dramsim3_trace" / facts.file;
  if (!facts.is_distributed) {
    const char* shared = std::getenv("DIFFRAM_SHARED");
    file = std::filesystem::path(shared ? shared : "") / "real" / facts.file;
    if (!shared || !std::filesystem::exists(file)) GTEST_SKIP() << "skipped: not distributed";
  }
  const auto reading = read_file(file.string());
  ASSERT_TRUE(reading.errors.empty()) << reading.errors[0].text();
  ASSERT_EQ(reading.requests.size(), facts.reads + facts.writes);
  EXPECT_EQ(reading.counts, (RequestTraceCounts{.reads = facts.reads, .writes = facts.writes}));
  const auto [lowest, highest] = std::minmax_element(
      reading.requests.begin(), reading.requests.end(),
      [](const TraceRequest& a, const TraceRequest& b) { return a.address < b.address; });
  EXPECT_EQ(lowest->address, facts.lowest_address);
  EXPECT_EQ(highest->address, facts.highest_address);
  EXPECT_EQ(reading.requests.front().cycle, facts.first_cycle);
  EXPECT_EQ(reading.requests.back().cycle, facts.last_cycle);
}

INSTANTIATE_TEST_SUITE_P(
    trace, real_trace,
    testing::Values(Facts{"example.trace.gz", 5365, 33009, 0x1ff96d00, 0x4026c000, 30, 14712444,
                          true},
                    Facts{"spmv_csr_strict.trace.gz", 6912, 256, 0x100000, 0x5003fc, 0, 7167, true},
                    Facts{"gups_rw_tokens.trace", 19, 0, 0x2000, 0x80000000, 0, 18, true},
                    Facts{"resnet18_training_1.dramsim3.trace.gz", 9920, 100352, 0, 0x10061ffc0, 1,
                          559525, false},
                    Facts{"resnet18_training_2.dramsim3.trace.gz", 1152, 32768, 0, 0x1001fffc0, 1,
                          185830, false},
                    Facts{"resnet18_training_3.dramsim3.trace.gz", 52480, 25088, 0, 0x100063fc0, 1,
                          343253, false}));

TEST(request_trace, a_file_of_addresses_only_stops_at_its_first_line) {
  const std::string file = std::string(DIFFRAM_SOURCE_DIR) +
                           "/tests/oracle/data/dramsim3_trace/addresses_only_invalid.trace";
  const auto reading = read_file(file);
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_EQ(reading.errors[0].file, file);
  EXPECT_EQ(reading.errors[0].line, 1);
  EXPECT_TRUE(reading.requests.empty());
}

}  // namespace
}  // namespace diffram::trace
