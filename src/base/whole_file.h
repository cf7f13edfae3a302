#pragma once
// Output files are whole or not there: written beside their place and renamed.

#include <fstream>
#include <string>
#include <string_view>

#include "base/result.h"

namespace diffram::base {

/// A new name, or a regular file that may be replaced. A folder, a device or a pipe is refused
/// (`cannot_write`): renaming would put a file in its place.
Result<void> check_replaceable(const std::string& path);

/// A file that is written piece by piece beside its place, and put there when it is whole.
class WholeFile {
 public:
  /// Errors: `cannot_write`, `disk_full`, here and below.
  static Result<WholeFile> create(const std::string& path);
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  /// What was not committed is removed.
  ~WholeFile();

  Result<void> append(std::string_view bytes);
  Result<void> commit();

 private:
  explicit WholeFile(std::string path);

  std::string path_, partial_;  ///< `partial_` is empty when nothing is left to remove
  std::ofstream out_;
};

/// Write `content` to `path`.partial and rename it. Errors: `disk_full`, `cannot_write`; nothing is
/// left behind.
Result<void> write_whole_file(const std::string& path, std::string_view content);

}  // namespace diffram::base
