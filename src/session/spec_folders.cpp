#include <filesystem>

#include "session/session.h"

namespace diffram::session {

spec::SpecFolders find_spec_folders() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return spec::find_folders(program.parent_path().string(),
                            {"../share/diffram/specs", "../../specs", "../../../specs"},
                            DIFFRAM_SPECS_DIR);
}

}  // namespace diffram::session
