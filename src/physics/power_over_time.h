#pragma once
// Power over a run's time: the energy of its epochs.

#include <cstdint>
#include <vector>

#include "ledger/epoch.h"
#include "ledger/run_record.h"
#include "spec/memory.h"

namespace diffram::physics {

/// The energy of each epoch into `run.power`, and what a reader must know about an epoch of
/// `epoch_cycles`, as asked for, into `run.diagnostics`. Nothing if the run's energy is not known
/// (`add_energy` comes first and says why).
void add_power(const spec::MemorySpec& memory, const std::vector<ledger::Epoch>& epochs,
               std::int64_t epoch_cycles, ledger::RunRecord& run);

}  // namespace diffram::physics
