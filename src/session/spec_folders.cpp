#include <cstdlib>
#include <filesystem>

#include "session/session.h"

namespace diffram::session {

namespace fs = std::filesystem;

spec::SpecFolders find_spec_folders() {
  if (const char* set = std::getenv("DIFFRAM_SPECS"); set != nullptr && *set != '\0') return {set};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* way : {"../share/diffram/specs", "../../specs", "../../../specs"}) {
    const fs::path candidate = (program / way).lexically_normal();
    if (fs::is_directory(candidate / "memories", error)) return {candidate.string()};
  }
  return {DIFFRAM_SPECS_DIR};
}

}  // namespace diffram::session
