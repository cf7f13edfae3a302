// Every format of request traces: recognised by its content, read, refused, and read the same in
// whatever pieces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "trace/request_reading.h"

namespace diffram::trace {
namespace {

using base::Direction;
using testing::HasSubstr;
using Requests = std::vector<TraceRequest>;

constexpr Direction kRead = Direction::read, kWrite = Direction::write;

struct Sample {
  const char* format;
  const char* text;
  Requests requests;
};

class recognised : public testing::TestWithParam<Sample> {};

TEST_P(recognised, by_its_first_line) {
  const Sample& sample = GetParam();
  // Remarks and blank lines come anywhere.
  const Reading reading = read_bytes_of("# made by hand\n\n" + std::string(sample.text) + "\n#\n");
  ASSERT_TRUE(reading.errors.empty()) << reading.error_text();
  EXPECT_STREQ(reading.facts.format, sample.format);
  Requests expected = sample.requests;
  for (auto& request : expected) request.line += 2;
  EXPECT_EQ(reading.requests, expected);
}

INSTANTIATE_TEST_SUITE_P(
    formats, recognised,
    testing::Values(
        Sample{"DRAMsim3",
               "0x1F40 READ 12\n0x40 WRITE 13\n",
               {{12, 0x1f40, 0, 1, kRead}, {13, 0x40, 0, 2, kWrite}}},
        Sample{"Ramulator 1",
               "0x12345680 R\n0x4cbd56c0 W\n",
               {{0, 0x12345680, 0, 1, kRead}, {1, 0x4cbd56c0, 0, 2, kWrite}}},
        Sample{"Ramulator 2",
               "LD 0x100000\nST 0x110040\nld 64\n",
               {{0, 0x100000, 0, 1, kRead}, {1, 0x110040, 0, 2, kWrite}, {2, 64, 0, 3, kRead}}},
        Sample{"Ramulator CPU",
               "3 20734016\n8 20841280 20841344\n0 0x40\n",
               {{3, 20734016, 0, 1, kRead},
                {12, 20841280, 0, 2, kRead},
                {12, 20841344, 0, 2, kWrite},
                {13, 0x40, 0, 3, kRead}}},
        Sample{"DRAMSys",
               "5:\t(16) write\t0x40\n7: read 0x80\n",
               {{5, 0x40, 16, 1, kWrite}, {7, 0x80, 0, 2, kRead}}},
        Sample{"gem5 text",
               "r,64,32,4000\nw, 128, 64, 5000\n17,r,192,8,2,6000,4096\n",
               {{4000, 64, 32, 1, kRead}, {5000, 128, 64, 2, kWrite}, {6000, 192, 8, 3, kRead}}}));

// Lines of all forms, the rare ones too, over and over: longer than any buffer.
std::string long_text(const std::vector<std::string>& lines) {
  std::string text;
  for (int i = 0; text.size() < 300'000; ++i) text += lines[(i * 7919 + i / 13) % lines.size()];
  return text;
}

TEST(request_formats, are_read_the_same_in_any_batches_and_ahead_on_other_threads) {
  for (const auto& lines : std::vector<std::vector<std::string>>{
           {"0x1F40 READ 12\n", "0x40 WRITE 13\r\n", " 40\tread  9 # a remark\n", "\n",
            "0xABCDEF0123456789 P_MEM_WR 12345678901234567\n"},
           {"0x40 R\n", "0x80 W\n", "c0 r\n", "# remark\n"},
           {"LD 0x40\n", "ST 0xFFFFFFFFFFFFFFFF\n", "ld 100\n"},
           {"3 20734016\n", "8 20841280 20841344\n", "0 0x40 0x80\n", "12345 1 2\n"},
           {"5:\t(16) write\t0x40\n", "7: read 0x80\n", "9: (2)write 0x1 0xabcd\n"},
           {"r,64,32,4000\n", "w, 128, 64, 5000\n", "17,r,192,8,2,6000,4096\n"}}) {
    const std::string text = long_text(lines) + lines.front();
    const Reading whole = read_bytes_of(text, {}, 1);
    ASSERT_TRUE(whole.errors.empty()) << whole.error_text();
    ASSERT_GT(whole.requests.size(), 5000u);
    for (const std::size_t batch : {1, 3, 512, 2048}) {
      for (const std::size_t parts : {0, 1, 2, 8}) {
        const Reading again = read_bytes_of(text, {}, batch, parts);
        EXPECT_TRUE(again.requests == whole.requests) << text.substr(0, 40) << batch << parts;
        EXPECT_EQ(again.counts, whole.counts) << text.substr(0, 40);
      }
    }
    // An error in the midst comes after the same requests, with the same line.
    const auto middle = text.find('\n', text.size() / 2) + 1;
    const std::string broken = text.substr(0, middle) + "no request at all\n" + text.substr(middle);
    const Reading stopped = read_bytes_of(broken, {}, 1);
    ASSERT_EQ(stopped.errors.size(), 1u);
    for (const std::size_t parts : {0, 2, 8}) {
      const Reading again = read_bytes_of(broken, {}, 512, parts);
      EXPECT_TRUE(again.requests == stopped.requests);
      EXPECT_EQ(again.error_text(), stopped.error_text());
    }
  }
}

struct Refused {
  const char* text;
  int line;
  const char* code;
};

class refused : public testing::TestWithParam<Refused> {};

TEST_P(refused, with_its_line) {
  const Reading reading = read_bytes_of(GetParam().text);
  ASSERT_EQ(reading.errors.size(), 1u) << GetParam().text;
  EXPECT_EQ(reading.errors[0].code, GetParam().code) << reading.error_text();
  EXPECT_EQ(reading.errors[0].line, GetParam().line);
  EXPECT_EQ(reading.errors[0].file, "hand.trace");
  EXPECT_FALSE(reading.errors[0].expected.empty());
}

INSTANTIATE_TEST_SUITE_P(
    lines, refused,
    testing::Values(Refused{"hello world of traces\n", 1, "not_a_request_trace"},
                    Refused{"\n# remark\n0x40\n", 3, "not_a_request_trace"},
                    Refused{"STATE 0 100 TRACE a.trc 100\n", 1, "not_a_request_trace"},
                    Refused{"0x40 R\n0x80\n", 2, "missing_field"},
                    Refused{"0x40 R\n0x80 R 5\n", 2, "extra_field"},
                    Refused{"0x40 R\n0xZ R\n", 2, "bad_address"},
                    Refused{"0x40 R\n0x80 X\n", 2, "unknown_operation"},
                    Refused{"LD 0x40\nLD 4f\n", 2, "bad_address"},
                    Refused{"LD 0x40\nFETCH 0x80\n", 2, "unknown_operation"},
                    Refused{"3 4096\n5\n", 2, "missing_field"},
                    Refused{"3 4096\nx 5\n", 2, "bad_cycle"},
                    Refused{"3 4096\n1 2 3 4\n", 2, "extra_field"},
                    Refused{"0: read 0x0\n1 read 0x40\n", 2, "missing_field"},
                    Refused{"0: read 0x0\n1: read\n", 2, "missing_field"},
                    Refused{"0: read 0x0\n1: (0) read 0x40\n", 2, "bad_size"},
                    Refused{"0: read 0x0\n1: (16 read 0x40\n", 2, "bad_size"},
                    Refused{"0: read 0x0\n1: (4) write 0x40 0xffff\n", 2, "bad_data"},
                    Refused{"0: read 0x0\n1: fetch 0x40\n", 2, "unknown_operation"},
                    Refused{"r,64,64,4000\nr,64,64\n", 2, "missing_field"},
                    Refused{"r,64,64,4000\nr,64,0,5000\n", 2, "bad_size"},
                    Refused{"r,64,64,4000\nu,64,64,5000\n", 2, "unknown_operation"},
                    Refused{"r,64,64,4000\nr,0x40,64,5000\n", 2, "bad_cycle"},
                    Refused{"R 0,0,0,0,0,0\n", 1, "needs_memory"}));

TEST(request_formats, lenient_maps_unknown_words_to_reads_and_counts_them) {
  for (const char* text : {"0x40 FETCH 1\n", "0x40 R\n0x80 X\n", "LD 0x40\nPF 0x80\n",
                           "0: fetch 0x40\n", "u,64,64,4000\n"}) {
    const Reading reading = read_bytes_of(text, {.lenient = true});
    ASSERT_TRUE(reading.errors.empty()) << text << reading.error_text();
    EXPECT_EQ(reading.counts.unknown_words, 1u) << text;
    EXPECT_EQ(reading.counts.writes, 0u) << text;
  }
}

TEST(request_formats, what_no_replay_uses_is_counted) {
  EXPECT_EQ(read_bytes_of("0: (2) write 0x0 0xffff\n").counts.with_data, 1u);
  const Reading gem5 = read_bytes_of("17,r,192,8,2,6000,4096\nr,192,8,2,6000\n");
  EXPECT_EQ(gem5.counts.with_ids, 1u);
  EXPECT_EQ(gem5.counts.with_flags, 2u);
  EXPECT_EQ(gem5.counts.with_pc, 1u);
  EXPECT_EQ(gem5.counts.with_bytes, 2u);
}

TEST(request_formats, rstl_counts_from_the_request_above) {
  const std::string text = "5: read 0x0\n5: read 0x40\n0: write 0x80\n";
  const auto cycles = [](const Reading& reading) {
    std::vector<std::uint64_t> out;
    for (const auto& request : reading.requests) out.push_back(request.cycle);
    return out;
  };
  EXPECT_THAT(cycles(read_bytes_of(text)), testing::ElementsAre(5, 5, 0));
  const Reading relative = read_bytes_of(text, {}, 512, 0, "a.rstl.gz");
  EXPECT_THAT(cycles(relative), testing::ElementsAre(5, 10, 10));
  EXPECT_STREQ(relative.facts.format, "DRAMSys relative");
}

/// A memory of 2 channels, 1 rank, 4 groups of 4 banks; the address is its place, digit by digit.
PlaceMap small_memory(std::uint32_t bank_groups = 4) {
  PlaceMap places;
  places.counts = {2, 1, bank_groups, 4, 100, 100};
  places.address_of = [](const LevelNumbers& place) {
    std::uint64_t address = 0;
    for (const auto number : place) address = address * 100 + number;
    return address;
  };
  return places;
}

TEST(request_formats, places_become_addresses_of_the_memory) {
  const PlaceMap places = small_memory();
  const Reading reading = read_bytes_of(
      "R 1,0,3,2,17,5\nW 0,0,0,0,0,1\n",
      {.lenient = false, .dramsim3_words = false, .relative_times = false, .places = &places});
  ASSERT_EQ(reading.requests.size(), 2u) << reading.error_text();
  EXPECT_EQ(reading.requests[0].address, 10003021705u);
  EXPECT_EQ(reading.requests[1].address, 1u);
  EXPECT_EQ(reading.requests[1].direction, kWrite);
}

TEST(UserCase, U01_pairs_of_numbers_are_no_place_in_this_memory) {
  const PlaceMap places = small_memory(), without_groups = small_memory(1);
  RequestTraceOptions options;
  options.places = &places;
  const std::string text = "W 1000,1000\nR 1000,1000\n";
  const Reading reading = read_bytes_of(text, options, 512, 0, "pairs.trace");
  EXPECT_TRUE(reading.requests.empty());
  ASSERT_EQ(reading.errors.size(), 1u);
  EXPECT_EQ(reading.errors[0].file, "pairs.trace");
  EXPECT_EQ(reading.errors[0].line, 1);
  EXPECT_THAT(reading.errors[0].message, HasSubstr("2 numbers"));
  EXPECT_THAT(reading.errors[0].message, HasSubstr("takes 6"));
  EXPECT_THAT(reading.errors[0].expected,
              HasSubstr("channel, rank, bank group, bank, row, column"));
  options.places = &without_groups;
  EXPECT_THAT(read_bytes_of(text, options).errors[0].message, HasSubstr("takes 5 or 6"));
  options.places = &places;
  EXPECT_EQ(read_bytes_of("R 0,0,0,4,0,0\n", options).errors[0].code, "out_of_range");
}

TEST(UserCase, U02_the_base_of_an_address_is_said_where_it_could_be_either) {
  const Reading cpu = read_bytes_of("3 20734016\n");
  EXPECT_EQ(cpu.requests[0].address, 0x13c6040u);
  EXPECT_EQ(cpu.requests[0].cycle, 3u);
  EXPECT_EQ(cpu.counts.bare_addresses, 0u);
  const Reading dram = read_bytes_of("0x13c6040 R\n");
  EXPECT_EQ(dram.requests[0].address, 0x13c6040u);
  EXPECT_EQ(dram.counts.bare_addresses, 0u);
  const Reading bare = read_bytes_of("10 R\n");
  EXPECT_EQ(bare.requests[0].address, 0x10u);
  EXPECT_EQ(bare.counts.bare_addresses, 1u);
  EXPECT_EQ(bare.counts.first_bare_address, 1);
  EXPECT_EQ(bare.facts.address_base, 16);
}

TEST(UserCase, U07_a_git_lfs_pointer_is_called_one_whatever_its_name) {
  const std::string pointer =
      "version https://git-lfs.github.com/spec/v1\n"
      "oid sha256:0000000000000000000000000000000000000000000000000000000000000000\n"
      "size 5579\n";
  for (const char* name : {"a.stl", "b.pickle", "c.json", "d.trace"}) {
    const Reading reading = read_bytes_of(pointer, {}, 512, 0, name);
    ASSERT_EQ(reading.errors.size(), 1u);
    EXPECT_THAT(reading.errors[0].message, HasSubstr("Git LFS"));
    EXPECT_THAT(reading.errors[0].message, HasSubstr("5579"));
    EXPECT_EQ(reading.errors[0].code, "git_lfs_pointer");
  }
}

TEST(PeerIssue, dramsys_29_and_41_an_operation_in_capitals_is_understood) {
  const Reading reading = read_bytes_of("0:\tRead 0x100\n1:\tWRITE\t0x140\n");
  ASSERT_EQ(reading.requests.size(), 2u) << reading.error_text();
  EXPECT_EQ(reading.requests[0].address, 0x100u);
  EXPECT_EQ(reading.requests[1].direction, kWrite);
}

TEST(PeerIssue, dramsys_42_a_write_needs_no_data) {
  const Reading reading = read_bytes_of("0:\t(64) write\t0x100\n");
  ASSERT_EQ(reading.requests.size(), 1u) << reading.error_text();
  EXPECT_EQ(reading.requests[0].bytes, 64u);
  EXPECT_EQ(reading.counts.with_data, 0u);
}

}  // namespace
}  // namespace diffram::trace
