#pragma once
// Fields of a line, read the long way: what is wrong with one is said.

#include <span>
#include <string_view>

#include "trace/request_text/line_format.h"

namespace diffram::trace {

bool equals_in_any_case(std::string_view word, std::string_view upper);

struct OperationWords {
  std::span<const std::string_view> reads, writes;  ///< in capitals
  const char* expected;
};

/// The operation that a word names, in any case; another word is an error, or with `lenient` a
/// read that is counted.
base::Result<base::Direction> read_operation(std::string_view word, const OperationWords& words,
                                             LineContext context);

/// An address in the given base, or hexadecimal with 0x.
base::Result<std::uint64_t> read_address(std::string_view word, int base, LineContext context);
/// The same; one that another reader might take in the other base is counted.
base::Result<std::uint64_t> read_bare_address(std::string_view word, int base, LineContext context);

/// "cycle", "tick" … of 64 bits, decimal.
base::Result<std::uint64_t> read_decimal_field(std::string_view word, const char* what,
                                               LineContext context);

/// Bytes of a request, 1 to 2^32 − 1.
base::Result<std::uint32_t> read_bytes(std::string_view word, LineContext context);

/// The whole of `word` is hexadecimal digits, with or without 0x.
bool is_hex_word(std::string_view word);
bool is_decimal_word(std::string_view word);
/// Begins with a letter and is no hexadecimal number with 0x: what an operation looks like.
bool is_operation_word(std::string_view word);

}  // namespace diffram::trace
