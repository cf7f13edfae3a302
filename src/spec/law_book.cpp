#include "spec/law_book.h"

#include <fmt/format.h>

#include <algorithm>

namespace diffram::spec {

void LawBook::require(bool holds, const char* code, const std::vector<std::string>& fields,
                      std::string message, std::string expected) {
  if (holds) return;
  const bool is_what_if = std::any_of(fields.begin(), fields.end(), [&](const auto& field) {
    return reading_.overridden.contains(field);
  });
  broken_.insert(code);
  if (is_what_if || reading_.broken_laws.contains(code)) {
    warn(code, message + " (expected " + expected + ")");
    return;
  }
  reading_.refuse(code, fields.front(), 0, std::move(message), std::move(expected));
}

void LawBook::note(std::string code, std::string message) {
  memory_.diagnostics.push_back(
      {std::move(code), base::Severity::note, std::move(message), memory_.name});
}

void LawBook::warn(std::string code, std::string message) {
  memory_.diagnostics.push_back(
      {std::move(code), base::Severity::warning, std::move(message), memory_.name});
}

void LawBook::close() {
  for (const auto& law : reading_.broken_laws) {
    if (!broken_.contains(law))
      warn("law_holds", fmt::format("broken_laws names {}, which this memory keeps", law));
  }
}

}  // namespace diffram::spec
