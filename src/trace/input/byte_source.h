#pragma once
// Bytes of a file, unpacked: gzip and zstd are recognised by their first bytes, not by the name,
// because people rename traces. Nothing is held but one buffer.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace diffram::trace {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` from the front; fewer bytes than asked for are no sign of the end, 0 is.
  /// Errors: `unreadable`, `truncated` (a packed file that stops early), `corrupt`.
  virtual base::Result<std::size_t> read(std::span<char> out) = 0;
};

/// Errors besides: `git_lfs_pointer`, a file that Git has not fetched.
base::Result<std::unique_ptr<ByteSource>> open_file(const std::string& file);

/// The same over memory that outlives the source; `name` stands in for the file in errors.
base::Result<std::unique_ptr<ByteSource>> open_memory(std::string_view bytes,
                                                      const std::string& name);

/// The first bytes of a source, `most` or all that there are (at most 64 KiB), and the whole source
/// again.
struct LookedAt {
  std::string start;
  std::unique_ptr<ByteSource> bytes;
};
base::Result<LookedAt> look_at(std::unique_ptr<ByteSource> bytes, std::size_t most);

}  // namespace diffram::trace
