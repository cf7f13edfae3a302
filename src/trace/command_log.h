#pragma once
// Command logs: what a simulator's controller sent to the DRAM, as a stream of (cycle, command,
// place). One folder a format; which one a file has is seen from its first line.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "trace/level.h"

namespace diffram::trace {

/// A command that a memory knows: JEDEC's name, and the innermost level that says where it goes.
struct CommandWord {
  std::string name;
  Level innermost = Level::rank;
};

/// What the memory lets a log say.
struct CommandLogOptions {
  std::vector<CommandWord> commands;
  LevelNumbers counts{};  ///< of each level within the one above; columns in bursts
};

struct LoggedCommand {
  std::int64_t cycle = 0;
  std::size_t command = 0;         ///< index into CommandLogOptions::commands
  LevelNumbers place{};            ///< 0 beyond the command's innermost level
  std::vector<std::uint8_t> data;  ///< what a burst transfers, first byte first; none = not said
};

/// Pulls one command after the other; nothing is held in memory. The cycles of one channel never go
/// back; channels may follow each other or mix.
class CommandSource {
 public:
  virtual ~CommandSource() = default;
  /// True: `out` is filled. False: the file ended. Errors name file and line: `unknown_command`,
  /// `missing_field`, `extra_field`, `bad_number`, `out_of_range`, `cycle_goes_back`, …
  virtual base::Result<bool> next(LoggedCommand& out) = 0;
  virtual int line() const = 0;             ///< 1-based, of the last command
  virtual std::uint64_t bytes() const = 0;  ///< read so far, unpacked
  virtual const char* format() const = 0;   ///< "diffram", "DRAMsim3 short" …
  /// The cycle that the log itself names as its end, so far; most formats have none.
  virtual std::optional<std::int64_t> end_cycle() const = 0;
};

/// Open a log; gzip and zstd are recognised by content, whatever the name. A file that is no
/// command log is an error (`not_a_command_log`).
base::Result<std::unique_ptr<CommandSource>> open_command_log(const std::string& file,
                                                              CommandLogOptions options);

}  // namespace diffram::trace
