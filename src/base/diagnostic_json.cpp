#include "base/diagnostic_json.h"

#include <nlohmann/json.hpp>

namespace diffram::base {

void to_json(nlohmann::ordered_json& json, const Diagnostic& diagnostic) {
  json = {{"code", diagnostic.code},
          {"severity", name_of(diagnostic.severity)},
          {"message", diagnostic.message},
          {"evidence", diagnostic.evidence}};
}

void to_json(nlohmann::ordered_json& json, const Assumption& assumption) {
  json = {{"field", assumption.field}, {"value", assumption.value}, {"source", assumption.source}};
}

}  // namespace diffram::base
