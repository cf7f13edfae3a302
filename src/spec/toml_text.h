#pragma once
// Parsing TOML text without the library's undefined behaviour. Internal to spec.

#include <toml++/toml.h>

#include <string>
#include <tl/expected.hpp>

namespace diffram::spec {

struct SyntaxError {
  int line = 0;
  std::string message;
};

tl::expected<toml::table, SyntaxError> parse_text(const std::string& text, const std::string& file);

}  // namespace diffram::spec
