#pragma once
// A command log held against a memory: what `diffram check` finds.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/protocol.h"
#include "spec/memory.h"
#include "trace/command_log.h"

namespace diffram::check {

struct RuleCount {
  RuleText rule;
  std::uint64_t violations = 0;
  std::int64_t worst_shortfall = 0;  ///< cycles; 0 for rules of state
};

struct Verdict {
  std::string file;    ///< as given
  std::string format;  ///< of the log
  std::string memory;
  std::uint64_t commands = 0;
  std::int64_t first_cycle = 0, last_cycle = 0;
  std::uint32_t channels_seen = 0;
  std::uint64_t violations = 0;
  std::vector<RuleCount> rules;  ///< of every rule of the memory, kept or broken
  std::vector<Violation> first;  ///< in the order of the log, as many as asked for
  std::uint64_t idle_precharges = 0;

  bool is_clean() const { return violations == 0; }
};

struct LogCheckOptions {
  std::size_t top = 10;                               ///< violations to keep whole
  std::function<void(std::uint64_t bytes)> progress;  ///< of the unpacked log, now and then
};

/// What a log of this memory may say.
trace::CommandLogOptions log_options(const spec::MemorySpec& memory);

/// Errors of the file (trace/command_log.h). Violations are no errors.
base::Result<Verdict> check_log(const std::string& file, const spec::MemorySpec& memory,
                                const LogCheckOptions& options = {});

/// For people: a summary by rule and the violations that were kept.
std::string verdict_text(const Verdict& verdict);
/// One JSON object: the keys of docs/checker.md.
std::string verdict_json(const Verdict& verdict);
/// "tRCD: RD … comes 21 cycles after ACT …; 22 are required, 1 short".
std::string violation_text(const Violation& violation, const std::vector<RuleCount>& rules);

}  // namespace diffram::check
