#pragma once
// The specs of this source tree, for tests.

#include <fstream>
#include <iterator>
#include <string>

#include "spec/memory.h"
#include "spec/parse.h"

namespace diffram::spec {

inline SpecFolders shipped_folders() { return {DIFFRAM_SOURCE_DIR "/specs"}; }

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline StandardLookup shipped_standards() {
  return [](const std::string& name) -> base::Result<SourceText> {
    return SourceText{name + ".toml",
                      file_text(shipped_folders().root + "/standards/" + name + ".toml")};
  };
}

/// A shipped memory's file with `was` replaced by `becomes` (once); `was` must be there.
inline base::Result<MemorySpec> memory_with(const std::string& name, const std::string& was,
                                            const std::string& becomes) {
  auto text = file_text(shipped_folders().root + "/memories/" + name + ".toml");
  const auto at = text.find(was);
  if (at == std::string::npos)
    return base::failure({"test", "'" + was + "' is not in the file", "", 0, "", ""});
  text.replace(at, was.size(), becomes);
  return parse_memory({name + ".toml", text}, shipped_standards());
}

inline bool has_error(const base::Errors& errors, const std::string& code,
                      const std::string& field = {}) {
  for (const auto& error : errors) {
    if (error.code == code && (field.empty() || error.field == field)) return true;
  }
  return false;
}

inline std::string all_texts(const base::Errors& errors) {
  std::string out;
  for (const auto& error : errors) out += error.code + " | " + error.text() + "\n";
  return out;
}

}  // namespace diffram::spec
