#pragma once
// A die coloured by temperature, drawn for the page: one path a shade, whatever the number of
// cells.

#include <optional>
#include <string>
#include <utility>

#include "ledger/heat.h"

namespace diffram::report {

/// °C at the two ends of the colours, one scale for all dies of a page.
struct HeatScale {
  double least = 0, most = 0;
};

/// A figure; `hottest` is a column and row to be framed. Empty for a layer without a map.
std::string die_map_markup(const ledger::LayerHeat& layer, const HeatScale& scale,
                           std::optional<std::pair<std::int64_t, std::int64_t>> hottest);

/// The colours with the temperatures at their ends.
std::string heat_scale_markup(const HeatScale& scale);

}  // namespace diffram::report
