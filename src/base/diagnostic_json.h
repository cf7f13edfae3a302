#pragma once
// Diagnostics and assumptions in every --json: `json["diagnostics"] = diagnostics;` does it.

#include <nlohmann/json_fwd.hpp>

#include "base/diagnostic.h"

namespace diffram::base {

void to_json(nlohmann::ordered_json& json, const Diagnostic& diagnostic);
void to_json(nlohmann::ordered_json& json, const Assumption& assumption);

}  // namespace diffram::base
