#pragma once
// A file written piece by piece, packed as its name says: `.gz` gzip, `.zst` zstd, else plain. It
// is whole or not there.

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace diffram::trace {

class PackedFile {
 public:
  virtual ~PackedFile() = default;
  /// Errors: `cannot_write`, `disk_full`.
  virtual base::Result<void> append(std::string_view bytes) = 0;
  virtual base::Result<void> commit() = 0;
};

base::Result<std::unique_ptr<PackedFile>> create_packed_file(const std::string& path);

/// The name without what says how it is packed.
std::string_view unpacked_name(std::string_view path);

}  // namespace diffram::trace
