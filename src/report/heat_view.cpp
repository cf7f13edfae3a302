#include "report/heat_view.h"

#include <algorithm>

#include "attrib/explain.h"
#include "report/causes.h"

namespace diffram::report {
namespace {

constexpr std::string_view kShared = "(shared) ";

HeatRow row_of(const std::string& key, double kelvin) {
  if (key.starts_with(kShared)) return {"", key.substr(kShared.size()), kelvin};
  const std::size_t slot = class_slot(key);
  if (slot == kNoClass) return {"", "no tensor", kelvin};
  return {key, class_name(slot), kelvin};
}

}  // namespace

std::vector<HeatRow> heated_by(const ledger::RunRecord& run) {
  if (!run.hottest.is_known()) return {};
  const auto table = attrib::explain(run, {{"class"}, attrib::Metric::heat, 0});
  std::vector<HeatRow> rows;
  if (!table) return rows;
  for (const attrib::Row& row : table->rows) rows.push_back(row_of(row.keys[0], row.value));
  return rows;
}

std::optional<double> margin_of(const ledger::HottestPlace& place) {
  if (!(place.limit > 0)) return std::nullopt;
  return place.limit - place.measured;
}

const ledger::LayerHeat* hottest_layer(const ledger::RunRecord& run) {
  for (const ledger::LayerHeat& layer : run.heat)
    if (layer.package == run.hottest.package && layer.layer == run.hottest.layer) return &layer;
  return nullptr;
}

std::optional<LoopView> loop_view(const ledger::RunRecord& run) {
  if (run.heat_epochs.empty()) return std::nullopt;
  LoopView view;
  view.least = view.most = run.heat_epochs.front().sensed;
  double time = 0;
  for (const ledger::HeatEpoch& epoch : run.heat_epochs) {
    const auto cycles = static_cast<double>(epoch.cycles);
    view.least = std::min(view.least, epoch.sensed);
    view.most = std::max(view.most, epoch.sensed);
    view.fastest = std::max(view.fastest, epoch.refresh_rate);
    time += cycles;
    if (epoch.refresh_rate > 1) view.refreshed_faster += cycles;
    if (epoch.column_share < 1) view.throttled += cycles;
  }
  if (time > 0) {
    view.refreshed_faster /= time;
    view.throttled /= time;
  }
  return view;
}

}  // namespace diffram::report
