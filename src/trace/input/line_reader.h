#pragma once
// Lines of a text trace, one after the other; CRLF and a missing last line end are fine.

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/input/byte_source.h"

namespace diffram::trace {

/// No line of a real trace comes near it (an op of 1,000 tensors has 50 KB); a file of one endless
/// line must not fill the memory.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20;

class LineReader {
 public:
  LineReader(std::unique_ptr<ByteSource> bytes, std::string file);

  /// True: `line` is filled, without its line end, and valid until the next call. False: the end.
  /// Errors of the bytes below, with the line added; `line_too_long`.
  base::Result<bool> next(std::string_view& line);

  /// Have `bytes` in memory if the file holds so many. An error is kept for `next`.
  void fetch(std::size_t bytes);
  /// Read the bytes that `fetch` will want next, into a buffer of their own: the one thing here
  /// that another thread may do, as long as nobody touches this reader otherwise. What goes wrong
  /// is kept until reading gets there.
  void read_behind();
  /// Everything that is in memory and not read.
  std::string_view held() const { return {buffer_.data() + begin_, end_ - begin_}; }
  bool holds_the_end() const { return at_end_ || !errors_.empty(); }  ///< of what can be read
  /// The whole lines that are in memory, line ends included, for who reads many in one pass.
  /// kMargin bytes on either side may be read too; they mean nothing.
  std::string_view whole_lines() const {
    const void* last =
        end_ > begin_ ? ::memrchr(buffer_.data() + begin_, '\n', end_ - begin_) : nullptr;
    if (last == nullptr) return {};
    const char* const start = buffer_.data() + begin_;
    return {start, static_cast<std::size_t>(static_cast<const char*>(last) + 1 - start)};
  }
  static constexpr std::size_t kMargin = 32;
  /// Bytes of the file before the first of `held`.
  std::uint64_t offset() const { return bytes_read_ - (end_ - begin_); }
  /// `lines` of them, in all `bytes` long, are read.
  void pass(std::size_t bytes, int lines) {
    begin_ += bytes;
    number_ = lines > std::numeric_limits<int>::max() - number_ ? std::numeric_limits<int>::max()
                                                                : number_ + lines;
    if (lines > 0) line_end_is_missing_ = false;
  }

  const std::string& file() const { return file_; }
  int number() const { return number_; }  ///< of the line last given, from 1
  /// The line last given was the file's last and had no line end: it may have been cut.
  bool line_end_is_missing() const { return line_end_is_missing_; }
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  /// What `read_behind` has read, with room before it for what is not read of the buffer.
  struct Behind {
    std::vector<char> buffer;
    base::Result<std::size_t> count = 0;
    bool is_filled = false;
  };

  base::Result<bool> fill();
  void put_before_behind();

  std::unique_ptr<ByteSource> bytes_;
  std::string file_;
  std::vector<char> buffer_;  ///< with kMargin at either end
  std::size_t begin_ = kMargin, end_ = kMargin;
  Behind behind_;
  base::Errors errors_;  ///< met by `fetch`
  int number_ = 0;
  bool at_end_ = false;
  bool line_end_is_missing_ = false;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace diffram::trace
