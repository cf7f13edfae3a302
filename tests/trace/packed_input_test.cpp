// Packed files: recognised by content, joined members read through, cuts and damage named.

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <vector>

#include "trace/input/line_reader.h"

namespace diffram::trace {
namespace {

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zstd_packed(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

struct Lines {
  std::vector<std::string> lines;
  base::Errors errors;
};

/// `reads_behind` = after how many lines bytes are read behind the buffer, 0 = never.
Lines lines_in(const std::string& bytes, std::size_t reads_behind = 0) {
  Lines read;
  auto source = open_memory(bytes, "memory");
  if (!source) return {.lines = {}, .errors = source.error()};
  LineReader reader(std::move(*source), "memory");
  std::string_view line;
  while (true) {
    if (reads_behind > 0 && read.lines.size() % reads_behind == 0) {
      reader.read_behind();
      reader.read_behind();  // has nothing to do
    }
    const auto more = reader.next(line);
    if (!more) read.errors = more.error();
    if (!more || !*more) break;
    read.lines.emplace_back(line);
  }
  return read;
}

/// Longer than every buffer on the way.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "line " + std::to_string(i * 7919 % 100003) + "\n";
  return text;
}

TEST(packed_input, plain_gzip_and_zstd_give_the_same_lines) {
  const std::string text = long_text();
  const auto plain = lines_in(text);
  EXPECT_EQ(plain.lines.size(), 100000u);
  EXPECT_EQ(lines_in(gzipped(text)).lines, plain.lines);
  EXPECT_EQ(lines_in(zstd_packed(text)).lines, plain.lines);
}

TEST(packed_input, bytes_read_behind_the_buffer_follow_it) {
  const std::string longest(300'000, 'x');  // longer than the room before what is read behind
  const std::string text = long_text() + longest + '\n' + longest + '\n' + long_text() + "end";
  const auto plain = lines_in(text);
  for (const std::string& whole : {text, gzipped(text)}) {
    for (const std::size_t often : {1, 7, 5000, 100000})
      EXPECT_TRUE(lines_in(whole, often).lines == plain.lines) << often;
  }
  const std::string cut = gzipped(text).substr(0, gzipped(text).size() / 2);
  const auto here = lines_in(cut), behind = lines_in(cut, 1);
  EXPECT_TRUE(behind.lines == here.lines);
  ASSERT_EQ(behind.errors.size(), 1u);
  EXPECT_EQ(behind.errors[0].text(), here.errors[0].text());
  const auto endless = lines_in(std::string(std::size_t{40} << 20, 'x'), 1);
  ASSERT_EQ(endless.errors.size(), 1u);
  EXPECT_EQ(endless.errors[0].code, "line_too_long");
}

TEST(packed_input, files_packed_one_behind_the_other_are_read_through) {
  const std::vector<std::string> both = {"first", "second"};
  EXPECT_EQ(lines_in(gzipped("first\n") + gzipped("second\n")).lines, both);
  EXPECT_EQ(lines_in(zstd_packed("first\n") + zstd_packed("second\n")).lines, both);
}

TEST(packed_input, a_packed_file_that_was_cut_is_called_truncated) {
  for (const std::string& whole : {gzipped(long_text()), zstd_packed(long_text())}) {
    for (const std::size_t kept : {std::size_t{5}, whole.size() / 2, whole.size() - 1}) {
      const auto cut = lines_in(whole.substr(0, kept));
      ASSERT_EQ(cut.errors.size(), 1u) << kept;
      EXPECT_EQ(cut.errors[0].code, "truncated") << kept;
      EXPECT_GT(cut.errors[0].line, 0);
    }
  }
}

TEST(packed_input, damaged_bytes_are_called_corrupt) {
  for (std::string packed : {gzipped(long_text()), zstd_packed(long_text())}) {
    for (std::size_t at = packed.size() / 2; at < packed.size() / 2 + 64; ++at) packed[at] ^= 0x5A;
    const auto damaged = lines_in(packed);
    ASSERT_EQ(damaged.errors.size(), 1u);
    EXPECT_EQ(damaged.errors[0].code, "corrupt");
  }
}

TEST(packed_input, a_line_without_end_does_not_fill_the_memory) {
  const auto read = lines_in(zstd_packed(std::string(std::size_t{40} << 20, 'x')));
  ASSERT_EQ(read.errors.size(), 1u);
  EXPECT_EQ(read.errors[0].code, "line_too_long");
  EXPECT_EQ(read.errors[0].line, 1);
}

TEST(packed_input, a_file_shorter_than_a_magic_number_is_plain) {
  EXPECT_EQ(lines_in("ab").lines, std::vector<std::string>{"ab"});
  EXPECT_TRUE(lines_in("").lines.empty());
}

}  // namespace
}  // namespace diffram::trace
