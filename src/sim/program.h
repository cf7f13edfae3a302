#pragma once
// A whole program: every stored step on the closed loop, exactly or until it is steady (lowering.md
// 6).

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ledger/run_record.h"
#include "lower/lowering.h"
#include "sim/closed_loop.h"
#include "sim/epochs.h"
#include "spec/machine.h"
#include "spec/memory.h"

namespace diffram::sim {

enum class Fidelity : std::uint8_t { exact, steady };

/// A program between two ops: what a checkpoint keeps, enough to go on with the same result.
struct ProgramState {
  std::vector<ledger::StepRecord> records;  ///< of the occurrences that are finished
  OpenStep step;                            ///< the occurrence that runs
  std::vector<std::string> channels;        ///< Channel::save, by channel
  std::vector<ledger::Epoch> epochs;        ///< that have ended, as in ProgramResult
  OpenEpoch open_epoch;
};

struct ProgramOptions {
  Fidelity fidelity = Fidelity::steady;
  std::size_t threads = 1;
  bool zero_compute = false;    ///< the memory-only bound
  bool one_occurrence = false;  ///< each stored step once only (used by the memory-only bound)
  bool attribution = true;
  /// Told of each epoch that has ended, its channels apart; gives how the next one is run. Called
  /// while all channels stand still. With it, `throttles` says that it may close column slots.
  std::function<base::OperatingPoint(const ledger::Epoch&)> at_epoch;
  bool throttles = false;
  std::int64_t epoch_cycles = 0;  ///< memory cycles of simulated time; 0 = no epochs
  std::function<void(std::int64_t bytes)> moved;  ///< progress; called from the simulating thread
  const std::atomic<bool>* stop = nullptr;        ///< set from outside to end early
  /// Asked after every op; it may take the state. false = stop here. With it, `stop` waits for the
  /// end of the op that runs.
  std::function<bool(const std::function<ProgramState()>& state)> between_ops;
  const ProgramState* from = nullptr;  ///< go on from here; null = from the beginning
};

/// Steps of a program: how often each stored step occurs, in order, and where its ops and origins
/// lie.
struct ProgramStep {
  std::int64_t first = 0;  ///< step number of the first occurrence
  std::int64_t times = 1;
  std::uint32_t first_op = 0, op_count = 0;
  std::uint32_t first_origin = 0, origin_count = 0;
};

struct ProgramResult {
  std::vector<ledger::StepRecord> records;
  std::vector<ledger::Epoch> epochs;  ///< of the simulated time, summed over the memory
  bool stopped = false;               ///< ended by `stop`; records hold what was finished
  bool steady = true;  ///< false: some step never agreed with its predecessor within the limit
  double steady_bound =
      0;  ///< largest relative difference × share of the time accounted, not simulated
  std::uint64_t requests = 0;  ///< runs that lowering made
  double lowering_s = 0,
         engine_s = 0;  ///< wall seconds, for `make bench` and the run's own account
};

ProgramResult run_program(lower::Lowering& lowering, const std::vector<ProgramStep>& steps,
                          const spec::MachineSpec& machine, const spec::MemorySpec& memory,
                          const ProgramOptions& options);

/// Do two successive occurrences agree? The largest of the relative differences is added to
/// `difference`.
bool agree(const ledger::StepRecord& before, const ledger::StepRecord& after, double& difference);

}  // namespace diffram::sim
