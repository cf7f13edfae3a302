#pragma once
// Checkpoints of a run that is on its way: one file a pass, beside the run file that it will
// become.

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "base/result.h"
#include "session/plan.h"
#include "session/session.h"
#include "sim/program.h"

namespace diffram::session {

/// Where a pass keeps its state, next to the run file `file`.
std::string checkpoint_file(const std::string& file, bool bound);
/// The run file is written: nothing is left to resume.
void remove_checkpoints(const std::string& file);

/// All that the simulated figures depend on; a state is only taken up by a run with the same.
std::string identity_of(const Plan& plan, const RunOptions& options, bool bound);

/// One pass: where it starts from, and what it keeps while it runs.
class PassCheckpoints {
 public:
  /// `abandoned` is shared by the passes of a run: one that cannot go on ends the others.
  PassCheckpoints(const Plan& plan, const RunOptions& options, bool bound,
                  std::atomic<bool>& abandoned);

  /// Reads the state to go on from, if --resume is given and there is one.
  base::Result<void> open();
  void attach(sim::ProgramOptions& options);
  /// The pass is complete: a long one keeps its records until the run file is written.
  void finish(const sim::ProgramResult& result);
  const base::Errors& errors() const { return errors_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool between_ops(const std::function<sim::ProgramState()>& state);
  bool keep(const sim::ProgramState& state);

  const RunOptions& options_;
  std::string file_, identity_;
  std::atomic<bool>& abandoned_;
  std::unique_ptr<sim::ProgramState> from_;
  Clock::time_point last_ = Clock::now();
  bool kept_ = false;
  base::Errors errors_;
};

}  // namespace diffram::session
