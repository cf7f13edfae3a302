#include "library/spec_folder.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

namespace diffram::library {

spec::SpecFolders find_spec_folder() {
  if (const char* set = std::getenv("DIFFRAM_SPECS"); set != nullptr && *set != '\0') return {set};
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void*>(&find_spec_folder), &own) != 0) {
    std::error_code error;
    const auto file = std::filesystem::canonical(own.dli_fname, error);
    const auto specs = (file.parent_path() / "../share/diffram/specs").lexically_normal();
    if (std::filesystem::is_directory(specs / "memories", error)) return {specs.string()};
  }
  return {DIFFRAM_SPECS_DIR};
}

}  // namespace diffram::library
