// DRAMsim3's trace as a C++ stream would give it: "hex address, word, decimal cycle", token by
// token.

#include "trace/dramsim3_text/token_reader.h"

#include <gtest/gtest.h>

#include <sstream>

namespace diffram::trace {
namespace {

/// Of a text that outlives it.
TokenReader reader_of(const std::string& text) {
  return TokenReader(std::move(*open_memory(text, "test.trace")));
}

/// The standard library itself, which is what DRAMsim3 uses.
class StandardStream {
 public:
  explicit StandardStream(const std::string& text) : stream_(text) {}

  void next(TokenRequest& request) {
    std::string word;
    stream_ >> std::hex >> request.address >> word >> std::dec >> request.cycle;
    request.is_write = word == "WRITE" || word == "write" || word == "P_MEM_WR" || word == "BOFF";
  }
  bool at_end() const { return stream_.eof(); }
  bool is_broken() const { return stream_.fail(); }

 private:
  std::istringstream stream_;
};

class token_text : public testing::TestWithParam<const char*> {};

TEST_P(token_text, is_read_as_the_standard_library_reads_it) {
  const std::string text = GetParam();
  StandardStream expected(text);
  TokenReader found = reader_of(text);
  TokenRequest theirs, ours;
  constexpr int kMoreThanAnyTextHas = 8;
  for (int i = 0; i < kMoreThanAnyTextHas; ++i) {
    expected.next(theirs);
    ASSERT_TRUE(found.next(ours));
    EXPECT_EQ(ours.address, theirs.address) << i;
    EXPECT_EQ(ours.cycle, theirs.cycle) << i;
    EXPECT_EQ(ours.is_write, theirs.is_write) << i;
    EXPECT_EQ(found.at_end(), expected.at_end()) << i;
    EXPECT_EQ(found.is_broken(), expected.is_broken()) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    texts, token_text,
    testing::Values("", "\n", "0x40 READ 5", "0x40 READ 5\n", "0x40 WRITE 5\n80 write 6\n",
                    "40 P_MEM_WR 1 41 BOFF 2", "40 W 1\n41 Write 2", "bad READ 3\n", "xyz READ 3",
                    "0x READ 3", "0x", "0X1F READ 7", "-1 READ 3", "+20 READ +3", "- READ 1",
                    "40 READ x", "40 READ 12abc 7 READ 1", "40 READ", "40 READ\n", "40", "40\n",
                    "# remark\n40 READ 1", "40 READ 1\n# remark\n80 READ 2",
                    "123456789abcdef01 READ 1", "ffffffffffffffff READ 18446744073709551615",
                    "40 READ 18446744073709551616", "12zz READ 3", "00x12 READ 3", "0x0x1 READ 2",
                    "40 READ 0x10 1 READ 2", "40 READ 007\n", "\t 40\v\fREAD \r\n 5 \r\n",
                    "0 averyveryverylongwordthatisnone 4\n"));

TEST(token_reader, counts_the_fields_that_it_got) {
  const std::string text = "40 READ 1\n80 READ";
  TokenReader reader = reader_of(text);
  TokenRequest request;
  EXPECT_EQ(reader.next(request).value(), 3);
  EXPECT_EQ(reader.next(request).value(), 2);
  EXPECT_EQ(reader.line(), 2);
  EXPECT_EQ(reader.next(request).value(), 0);
}

TEST(token_reader, goes_on_over_the_end_of_its_buffer) {
  constexpr std::uint64_t kLines = 20000;  // some 400 KB
  std::string text;
  for (std::uint64_t i = 0; i < kLines; ++i)
    text += "0x" + std::to_string(i * 64) + " READ " + std::to_string(i) + "\n";
  TokenReader reader = reader_of(text);
  TokenRequest request;
  for (std::uint64_t i = 0; i < kLines; ++i) {
    ASSERT_EQ(reader.next(request).value(), 3);
    ASSERT_EQ(request.cycle, i);
  }
  EXPECT_FALSE(reader.at_end());
  EXPECT_EQ(reader.next(request).value(), 0);
  EXPECT_TRUE(reader.at_end());
}

TEST(token_reader, says_that_a_packed_trace_is_cut_short) {
  const std::string gzip_header_alone("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
  TokenReader reader = reader_of(gzip_header_alone);
  TokenRequest request;
  const auto fields = reader.next(request);
  ASSERT_FALSE(fields);
  EXPECT_EQ(fields.error().front().code, "truncated");
}

}  // namespace
}  // namespace diffram::trace
