#pragma once
// The loop between heat and a memory: the power of a closed epoch moves the temperatures of the
// packages, the sensor's temperature gives the operating point of the next epoch.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/operating_point.h"
#include "ledger/epoch.h"
#include "ledger/run_record.h"
#include "physics/heat/package_model.h"
#include "physics/heat/solver.h"
#include "physics/heat/thermal_policy.h"
#include "spec/memory.h"
#include "spec/package.h"

namespace diffram::physics::heat {

struct LoopOptions {
  ThrottleRule throttle;
  std::optional<double> initial;  ///< °C; empty = the steady state of the first epoch's power
  double stretch = 1;             ///< an epoch heats as if it lasted so many times as long as it is
};

class HeatLoop {
 public:
  /// Errors: those of `spec::check_package`; `energy_unknown` for a memory without energy.
  static base::Result<HeatLoop> make(const spec::PackageSpec& package,
                                     const spec::MemorySpec& memory, const LoopOptions& options);

  /// The epoch is over; gives how the next one is run.
  base::OperatingPoint close(const ledger::Epoch& epoch);

  /// What was asked for, and what a reader must know: diagnostics `refresh_rate_raised`,
  /// `throttled`, `temperature_out_of_range`, `shutdown_limit`, `timing_derate_not_applied`.
  void report(ledger::RunRecord& run) const;

 private:
  HeatLoop(const spec::PackageSpec& package, const spec::MemorySpec& memory,
           const LoopOptions& options, Solver solver);

  double sensed() const;
  std::vector<std::vector<double>> watts_by_package(const PowerMap& map) const;

  spec::PackageSpec package_;
  spec::MemorySpec memory_;
  LoopOptions options_;
  PackageModel model_;
  Solver solver_;
  ThermalPolicy policy_;
  std::vector<std::vector<double>> celsius_;  ///< by distinct package, then node
  std::vector<ledger::HeatEpoch> epochs_;
  double hottest_ = 0;
  bool was_out_of_range_ = false, had_to_stop_ = false, wanted_derate_ = false;
};

}  // namespace diffram::physics::heat
