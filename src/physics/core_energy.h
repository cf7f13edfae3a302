#pragma once
// The energy of a whole run: components of the total, each with the integer that `attrib` shares it
// out by.

#include <vector>

#include "base/diagnostic.h"
#include "ledger/epoch.h"
#include "ledger/run_record.h"
#include "physics/data_rates.h"
#include "spec/memory.h"

namespace diffram::physics {

struct RunEnergy {
  std::vector<ledger::EnergyComponent> components;  ///< empty = unknown, a diagnostic says why
  std::vector<base::Diagnostic> diagnostics;
};

/// Energy of the records, each counted `weight` times. Components: activate precharge read write
/// refresh bank_open rank_open rank_closed, and refresh_part and those of power-down and self
/// refresh where there was such a thing; then those of the pins (`pin_components`), where what
/// they cost is known. Of a memory without currents, with energies of events: activate, read,
/// write. Diagnostics: `interface_energy_assumed`, `interface_energy_missing`, `currents_missing`,
/// `part_refresh_current`, `energy_by_bit`.
RunEnergy energy_of(const spec::MemorySpec& memory, const ledger::RunRecord& run);

/// An epoch as a run of its own, with its energy; empty as `energy_of` says. It does not know whose
/// its bursts are: all go by `rates`.
ledger::RunRecord run_of(const spec::MemorySpec& memory, const ledger::Epoch& epoch,
                         const BurstRates& rates = {});

/// Fill `run.energy` and the prices of bursts on the pins, by the rates in `run`, and append the
/// diagnostics.
void add_energy(const spec::MemorySpec& memory, ledger::RunRecord& run);

}  // namespace diffram::physics
