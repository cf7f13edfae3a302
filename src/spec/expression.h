#pragma once
// Integer arithmetic of the constraint rows: + - * / max(a, b, …) min(…) names, parentheses.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace diffram::spec {

using Names = std::map<std::string, std::int64_t>;

/// The value of `text`, or one sentence that says what is wrong with it. Division truncates.
tl::expected<std::int64_t, std::string> evaluate(std::string_view text, const Names& names);

}  // namespace diffram::spec
