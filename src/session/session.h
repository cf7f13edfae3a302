#pragma once
// The table of contents: what the command line and the Python package can ask for. The only room
// that sees all the others.

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "attrib/explain.h"
#include "base/result.h"
#include "ledger/run_record.h"
#include "lower/lowering.h"
#include "spec/machine.h"
#include "spec/memory.h"

namespace diffram::session {

/// Exit codes of the program (product.md).
inline constexpr int kDone = 0, kFound = 1, kWrongUsage = 2, kBadInput = 3, kNotFinished = 4;

struct Failure {
  int exit_code = kBadInput;
  base::Errors errors;
  std::optional<lower::CapacityReport> capacity;  ///< of a workload that does not fit
};

template <class T>
using Outcome = tl::expected<T, Failure>;

struct Progress {
  std::string what;      ///< "simulating", "replaying"
  double fraction = -1;  ///< of the work, −1 = unknown
  double bytes = 0;      ///< simulated so far
};

/// `key=value` as typed after --set; the key begins with memory. or machine.
using Settings = std::vector<std::pair<std::string, std::string>>;

struct RunOptions {
  std::string workload;              ///< a shipped name or a *.dft(.zst) file
  std::string machine = "npu-edge";  ///< a shipped name or a TOML file
  std::string memory;                ///< empty = the machine's own
  std::int64_t images = 1;           ///< --batch
  std::int64_t steps = 0;            ///< 0 = as the workload says
  bool checkpointing = false;
  bool exact = false;          ///< --fidelity exact
  std::optional<bool> bounds;  ///< memory-only bound; empty = on for steady, off for exact
  std::size_t threads = 0;     ///< 0 = as many as the machine has
  std::uint64_t seed = 1;
  std::string package;            ///< empty = no temperatures
  std::optional<double> initial;  ///< °C when the run begins; empty = as if it had lasted
  std::int64_t epoch = 0;         ///< memory cycles after which heat answers; 0 = it does not
  std::optional<double> throttling_threshold;  ///< °C; empty = never throttled
  double hysteresis = 2;                       ///< K
  double heat_stretch = 1;                     ///< an epoch heats as if it lasted so much longer
  std::int64_t power_epoch = 0;                ///< memory cycles; 0 = power is not sampled
  bool allow_overcommit = false;
  std::vector<std::pair<std::string, std::string>> allocator;
  Settings set;
  std::string command_line;        ///< for the record
  std::string run_file;            ///< where the run will be written; empty = no checkpoints
  bool resume = false;             ///< go on from the checkpoint beside `run_file`, if there is one
  double checkpoint_every_s = 10;  ///< wall seconds between checkpoints
  std::function<void(const Progress&)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct ReplayOptions {
  std::string trace;
  std::string memory;
  std::string dramsim3_config;    ///< an INI file in place of a memory: `replay_dramsim3`
  std::string trace_clock_ns;     ///< decimal text, empty = the memory clock
  std::int64_t cycles = 0;        ///< 0 = drain; with a DRAMsim3 configuration kDramsim3Cycles
  std::string package;            ///< empty = no temperatures
  std::optional<double> initial;  ///< °C when the run begins; empty = as if it had lasted
  std::string sample;             ///< windows:N:LINES or every:N; empty = the whole trace
  bool lenient = false;
  bool allow_overcommit = false;
  std::size_t threads = 0;
  std::string commands_file;  ///< empty = no command log
  std::string stats_file;     ///< empty = none; DRAMsim3's JSON, of `replay_dramsim3` only
  Settings set;
  std::string command_line;
  std::function<void(const Progress&)> progress;
  std::function<void(const std::string&)> announce;  ///< gets a line before the run begins
  const std::atomic<bool>* stop = nullptr;
};

struct CheckOptions {
  std::string commands;  ///< a command log: ours, DRAMsim3's or Ramulator 2's
  std::string memory;
  std::size_t top = 10;  ///< violations to show one by one
  bool as_json = false;
  Settings set;
  std::function<void(const Progress&)> progress;
};

struct CommandCheck {
  std::uint64_t violations = 0;
  std::string text;  ///< what was found, for people or as JSON
};

struct EnergyOptions {
  std::string commands;                ///< a command log of any simulator
  std::string memory;                  ///< a name or a file of ours …
  std::string memspec;                 ///< … or DRAMPower's description of one
  bool drampower_rules = false;        ///< of interface energy (docs/interface-energy.md)
  bool inverts_data = false;           ///< data bus inversion
  std::optional<std::int64_t> cycles;  ///< of the window; none = as the log ends
  std::optional<double> toggle, ones;  ///< of bursts without data: share of beats
  bool as_json = false;
  Settings set;
  std::function<void(const Progress&)> progress;
};

struct CommandEnergy {
  std::string text;  ///< for people or as JSON
  std::vector<base::Diagnostic> diagnostics;
};

struct ConvertOptions {
  std::string input, output;
  std::string format;          ///< of the output; empty = as its name says
  std::string memory;          ///< for traces of places; empty = none
  std::string trace_clock_ns;  ///< decimal text, empty = as the input says
  bool lenient = false;
  bool as_json = false;
  Settings set;
  std::function<void(const Progress&)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct Conversion {
  std::string text;                           ///< what was read and written, for people or as JSON
  std::vector<base::Diagnostic> diagnostics;  ///< what could not be kept, and what was assumed
};

/// Where the wall time of a run went, seconds.
struct WallTimes {
  double total = 0, lowering = 0, engine = 0, attribution = 0, energy = 0;
};

struct Run {
  ledger::RunRecord record;
  attrib::Summary summary;
  WallTimes wall;
  std::uint64_t requests = 0;  ///< bursts simulated, all passes
  double mean_run_bursts = 0;  ///< bursts a request, as lowering made them
  std::optional<std::uint64_t> requests_in_trace, requests_completed;  ///< of a replay
};

Outcome<Run> run_workload(const RunOptions& options);
Outcome<Run> replay_trace(const ReplayOptions& options);

/// Hold a command log against the rules of a memory.
Outcome<CommandCheck> check_commands(const CheckOptions& options);

/// What a command log costs: core and interface, by command, rank and bank. What is not known is
/// null, and a diagnostic says why.
Outcome<CommandEnergy> energy_of_commands(const EnergyOptions& options);

/// A request trace in another format, or a DRAMsim3 configuration as a memory file. What the other
/// side cannot hold is left out, and named.
Outcome<Conversion> convert(const ConvertOptions& options);

/// DRAMsim3's own default (-c).
inline constexpr std::int64_t kDramsim3Cycles = 100'000;

/// A replay as DRAMsim3 runs it. It has DRAMsim3's counters and no bill, so no run file.
struct Dramsim3Run {
  std::string json;  ///< the keys of product.md that apply
  std::string text;
  std::vector<base::Diagnostic> diagnostics;  ///< of the configuration, and quirks that showed
};
Outcome<Dramsim3Run> replay_dramsim3(const ReplayOptions& options);

/// Write atomically and remove the run's checkpoints; disk full and the like are exit code 4.
Outcome<void> save_run(const ledger::RunRecord& record, const std::string& file);
Outcome<Run> open_run(const std::string& file);

/// One self-contained HTML page.
Outcome<void> write_report(const Run& run, const std::string& file);

/// The summary of `run` for the terminal on stdout, at most 40 lines; `run_file` is named in its
/// last line.
Outcome<std::string> terminal_summary(const Run& run, const std::string& run_file);
/// The stable JSON object of product.md.
std::string json_of(const Run& run);

/// Names of the metrics of `explain`.
std::vector<std::string> metric_names();
/// A table of a run file; `of` is the metric's name.
Outcome<attrib::Table> explain_file(const std::string& file, const std::vector<std::string>& by,
                                    const std::string& of, std::size_t top);
std::string table_text(const attrib::Table& table);
std::string table_json(const attrib::Table& table);
std::string table_csv(const attrib::Table& table);
/// A whole file, or exit code 4 and nothing half written.
Outcome<void> write_text(const std::string& file, const std::string& text);

/// `what`: workloads, machines, memories, packages, schedulers, mappings; empty = all.
Outcome<std::string> list(const std::string& what, bool as_json);
Outcome<std::string> describe(const std::string& name_or_file, const Settings& set, bool as_json);

/// The folder `specs/`: $DIFFRAM_SPECS, beside the installed program, or the source tree.
spec::SpecFolders find_spec_folders();
std::string version();
/// `DIFFRAM_SIMD` (plain, sse2, avx2: the engine's code path, for tests) names one that is not
/// there.
std::optional<Failure> refused_environment();

}  // namespace diffram::session
