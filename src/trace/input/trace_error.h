#pragma once

#include <string>
#include <utility>

#include "base/result.h"

namespace diffram::trace {

/// An error about a place in a trace file.
inline tl::unexpected<base::Errors> error_in(std::string file, int line, std::string code,
                                             std::string message, std::string expected = {}) {
  return base::failure(base::Error{.code = std::move(code),
                                   .message = std::move(message),
                                   .file = std::move(file),
                                   .line = line,
                                   .field = {},
                                   .expected = std::move(expected)});
}

}  // namespace diffram::trace
