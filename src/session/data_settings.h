#pragma once
// `--set data.CLASS.ones=…` and `.toggle=…`: what the values of a tensor class do to the data pins.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "ledger/run_record.h"

namespace diffram::session {

struct DataSetting {
  std::optional<double> ones, toggle;
};
/// By tensor class; "unnamed": bursts that no tensor made.
using DataSettings = std::map<std::string, DataSetting>;

/// From the words behind "data."; errors name the nearest known class or key, or the range.
base::Result<DataSettings> parse_data_settings(
    const std::vector<std::pair<std::string, std::string>>& words);

/// The rates of every tensor, by its dtype and then by the settings of its class, and the
/// assumptions that they are. `ones` alone makes independent bits of its beats.
void set_data_rates(const DataSettings& settings, ledger::RunRecord& run);

}  // namespace diffram::session
