#pragma once
// What a user must know about a result: diagnostics and assumptions travel with it to every view.

#include <string>

namespace diffram::base {

enum class Severity { note, warning, error };

struct Diagnostic {
  std::string code;  ///< stable word: "fallback_ops", "interface_energy_missing" …
  Severity severity = Severity::note;
  std::string message;   ///< one sentence
  std::string evidence;  ///< the figure or the names behind it

  bool operator==(const Diagnostic&) const = default;
};

struct Assumption {
  std::string field;   ///< dotted path of the value: "machine.efficiency.fp16"
  std::string value;   ///< as text, with unit
  std::string source;  ///< a document, "unverified", "assumed" or "estimated: how"

  bool operator==(const Assumption&) const = default;
};

inline const char* name_of(Severity s) {
  switch (s) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "note";
}

}  // namespace diffram::base
