#pragma once
// Where in the memory a run's power arises: the energy of each component, shared out among banks
// and ranks by the counters that it is shared out by among operands.

#include <cstdint>
#include <span>
#include <vector>

#include "ledger/run_record.h"

namespace diffram::physics::heat {

/// Mean watts of a run that become heat in the memory. Σ over all three = Σ of the components.
struct PowerMap {
  double seconds = 0;                  ///< of the run
  std::uint32_t ranks = 0, banks = 0;  ///< of a channel, of a rank
  std::vector<double>
      of_bank;  ///< activations, open rows, refresh; (channel·ranks + rank)·banks + bank
  std::vector<double> of_columns;  ///< reads and writes; the same index
  std::vector<double> of_rank;     ///< standby and sleep; channel·ranks + rank

  double total() const;
};

PowerMap power_map(const ledger::RunRecord& run);
/// The part of some components.
PowerMap power_map(const ledger::RunRecord& run,
                   std::span<const ledger::EnergyComponent> components);

}  // namespace diffram::physics::heat
