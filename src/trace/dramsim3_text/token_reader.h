#pragma once
// DRAMsim3's trace as DRAMsim3 itself reads it (dramsim3-behaviour.md 4.3): not lines but tokens of
// a C++ stream, extracted as "hex address, word, decimal cycle". A field that is missing shifts the
// rest, a number that cannot be parsed breaks the stream for good, and what the end of the file
// does depends on the last newline. Only the `compat` controller wants this; `RequestSource` reads
// lines and reports what is wrong with them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/input/byte_source.h"

namespace diffram::trace {

/// What DRAMsim3's client holds; an extraction that gets nothing leaves address and cycle as they
/// were.
struct TokenRequest {
  std::uint64_t address = 0;
  std::uint64_t cycle = 0;
  bool is_write = false;
};

class TokenReader {
 public:
  explicit TokenReader(std::unique_ptr<ByteSource> bytes);

  /// `stream >> request`. Gives the number of fields that were read whole, 0 to 3. Errors are those
  /// of the bytes below.
  base::Result<int> next(TokenRequest& request);

  bool at_end() const { return at_end_; }     ///< the stream has touched the end of the file
  bool is_broken() const { return broken_; }  ///< nothing will be read any more
  int line() const { return line_; }          ///< where the last request began, from 1

 private:
  bool fill();
  /// The next character, or kEnd (which is noted).
  int peek() {
    if (begin_ < end_ || fill()) return static_cast<unsigned char>(buffer_[begin_]);
    at_end_ = true;
    return kEnd;
  }
  bool skip_blanks();
  bool read_number(unsigned radix, std::uint64_t& out);
  bool read_word();

  static constexpr int kEnd = -1;

  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::string word_;
  base::Errors errors_;
  bool at_end_ = false, broken_ = false;
  int line_ = 0, lines_ended_ = 0;
};

}  // namespace diffram::trace
