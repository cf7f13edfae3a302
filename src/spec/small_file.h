#pragma once
// Files of a page or two that users bring. Internal to spec.

#include <cstddef>
#include <string>

#include <tl/expected.hpp>

namespace diffram::spec {

enum class NotRead { unreadable, too_large };

/// No more than `most` bytes and one are ever held.
tl::expected<std::string, NotRead> read_small_file(const std::string& file, std::size_t most);

}  // namespace diffram::spec
