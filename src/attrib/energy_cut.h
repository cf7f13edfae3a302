#pragma once
// What is shared out among origins and accounts as energy is, though not at one rate everywhere.

#include <span>

#include "attrib/energy_rates.h"
#include "attrib/table_builder.h"

namespace diffram::attrib {

/// Each channel has rates of its own, made of `units_of_channel`; as many as the run has channels.
void cut_by_channel(const ledger::RunRecord& run, std::span<const EnergyRates> rates,
                    TableBuilder& table);

}  // namespace diffram::attrib
