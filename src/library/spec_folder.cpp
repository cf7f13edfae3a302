#include "library/spec_folder.h"

#include <dlfcn.h>

#include <filesystem>

namespace diffram::library {

spec::SpecFolders find_spec_folder() {
  std::filesystem::path file;
  Dl_info own{};
  std::error_code error;
  if (dladdr(reinterpret_cast<const void*>(&find_spec_folder), &own) != 0)
    file = std::filesystem::canonical(own.dli_fname, error);
  return spec::find_folders(file.parent_path().string(), {"../share/diffram/specs"},
                            DIFFRAM_SPECS_DIR);
}

}  // namespace diffram::library
