#pragma once
// DRAMsim3's final statistics file (dramsim3-behaviour.md 14): its keys, sorted, numbers in the
// shortest form that reads back to the same bits.

#include <string>
#include <vector>

#include "ctrl/compat/statistics.h"
#include "spec/dramsim3_config.h"

namespace diffram::ctrl::compat {

/// {"0": {…}, "1": {…}}, by channel, full histograms included (null where nothing was counted).
/// Energies are DRAMsim3's V·mA·cycles.
std::string stats_file(const spec::Dramsim3Config& config, const std::vector<Counters>& channels);

}  // namespace diffram::ctrl::compat
