#pragma once
// What the views show of heat beyond the record: who heats the hottest die, how far it is from its
// limit, what the loop between heat and memory did.

#include <optional>
#include <string>
#include <vector>

#include "ledger/run_record.h"

namespace diffram::report {

/// A part of the hottest place's rise above the air: of a tensor class, or of a shared account.
struct HeatRow {
  std::string token;  ///< of the class; "" = an account
  std::string name;   ///< "activation", "refresh", "neighbour"
  double kelvin = 0;
};

/// Largest first, Σ = the rise; empty without temperatures.
std::vector<HeatRow> heated_by(const ledger::RunRecord& run);

/// K below the standard's limit where it is measured, negative above it; empty = not stated.
std::optional<double> margin_of(const ledger::HottestPlace& place);

/// The row of `run.heat` that the hottest place lies in.
const ledger::LayerHeat* hottest_layer(const ledger::RunRecord& run);

/// What the epochs of the loop were like.
struct LoopView {
  double least = 0, most = 0;   ///< °C where the standard measures
  double refreshed_faster = 0;  ///< share of the time with more than one refresh an interval
  double throttled = 0;         ///< share of the time with fewer column slots
  double fastest = 1;           ///< the highest refresh rate
};
std::optional<LoopView> loop_view(const ledger::RunRecord& run);

}  // namespace diffram::report
