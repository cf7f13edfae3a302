#pragma once
// A run of the `compat` controller as one JSON object (the keys of product.md that apply, in SI
// units) and as text. Internal to session.

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ctrl/compat/statistics.h"
#include "spec/dramsim3_config.h"

namespace diffram::session {

struct Dramsim3Facts {
  std::string trace, config_file;  ///< names without folders
  std::uint64_t requests_in_trace = 0, requests_sent = 0;
  double wall_s = 0;
  std::vector<base::Diagnostic> diagnostics;
};

std::string dramsim3_json(const spec::Dramsim3Config& config,
                          const std::vector<ctrl::compat::Counters>& channels,
                          const Dramsim3Facts& facts);
std::string dramsim3_text(const spec::Dramsim3Config& config,
                          const std::vector<ctrl::compat::Counters>& channels,
                          const Dramsim3Facts& facts);

}  // namespace diffram::session
