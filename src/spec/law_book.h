#pragma once
// What becomes of a broken law: an error, or a warning where the user asked for a what-if. Internal
// to spec.

#include <set>
#include <string>
#include <vector>

#include "spec/memory.h"
#include "spec/toml_section.h"

namespace diffram::spec {

class LawBook {
 public:
  LawBook(MemorySpec& memory, Reading& reading) : memory_(memory), reading_(reading) {}

  /// The error names the first of the fields; a what-if may have changed any of them.
  void require(bool holds, const char* code, const std::vector<std::string>& fields,
               std::string message, std::string expected);
  void note(std::string code, std::string message);
  void warn(std::string code, std::string message);
  /// A law that the file calls broken and that holds: its entry can go.
  void close();

 private:
  MemorySpec& memory_;
  Reading& reading_;
  std::set<std::string> broken_;  ///< laws, whether refused or not
};

}  // namespace diffram::spec
