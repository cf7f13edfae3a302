#pragma once
// A made-up run with the module paths and the shape of a Stable Diffusion 1.4 sampling run: about
// 900 ops, 50 steps of which two were simulated. Its figures mean nothing; its sums agree.

#include "ledger/run_record.h"

namespace diffram::report_test {

struct SyntheticOptions {
  bool trains = false;  ///< forward, backward and optimizer phases instead of sampling
  bool has_energy = true;
  std::int64_t compute_scale = 1;  ///< larger: the machine computes longer
  std::uint32_t channels = 4;
};

ledger::RunRecord synthetic_run(const SyntheticOptions& options = {});

/// One op that fills a tensor: the smallest run that has a machine.
ledger::RunRecord one_op_run();

/// A replayed trace: no ops, no tensors, one unnamed origin.
ledger::RunRecord replayed_run();

/// Power in 1,000 epochs, the last one short.
void sample_power(ledger::RunRecord& run);

/// Temperatures of two packages, a hottest place and what heats it.
void heat_up(ledger::RunRecord& run);
/// Forty epochs in which heat asked for refresh twice as often, and throttled at first.
void let_heat_answer(ledger::RunRecord& run);

}  // namespace diffram::report_test
