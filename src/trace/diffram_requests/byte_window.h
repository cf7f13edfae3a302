#pragma once
// Bytes of a file in pieces of the caller's size: of a mapping without a copy, or of a stream
// through a buffer.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "trace/input/byte_source.h"

namespace diffram::trace {

class ByteWindow {
 public:
  virtual ~ByteWindow() = default;
  /// The next bytes, fewer only at the end of the file; valid until the next call. They stay where
  /// they are for the next call to give again.
  virtual base::Result<std::string_view> look(std::size_t bytes) = 0;
  virtual void pass(std::size_t bytes) = 0;
};

/// Read from a mapping of `file`; pages that were passed are given back, so that memory use does
/// not follow the file. Null if it cannot be mapped (a pipe).
std::unique_ptr<ByteWindow> map_file(const std::string& file);
std::unique_ptr<ByteWindow> window_of(std::unique_ptr<ByteSource> bytes);

}  // namespace diffram::trace
