#include "library/dramsim3_system.h"

namespace diffram::library {

base::Result<std::unique_ptr<Dramsim3System>> open_dramsim3(const std::string& config_file,
                                                            const std::string& who) {
  auto config = spec::load_dramsim3_config(config_file);
  if (!config) return base::failure(config.error());
  if (who.empty() || who == "compat") return make_compat_system(*config);
  if (who == "native") return make_native_system(*config);
  return base::failure(
      {"unknown_choice", "DIFFRAM_DRAMSIM3 is \"" + who + "\"", "", 0, "", "compat or native"});
}

}  // namespace diffram::library
