#pragma once
// Output files are whole or not there: written beside their place and renamed.

#include <string>
#include <string_view>

#include "base/result.h"

namespace diffram::base {

/// A new name, or a regular file that may be replaced. A folder, a device or a pipe is refused
/// (`cannot_write`): renaming would put a file in its place.
Result<void> check_replaceable(const std::string& path);

/// Write `content` to `path`.partial and rename it. Errors: `disk_full`, `cannot_write`; nothing is
/// left behind.
Result<void> write_whole_file(const std::string& path, std::string_view content);

}  // namespace diffram::base
