#pragma once
// Ramulator 2.1's CmdTraceRecorder in its text mode: a header "clock,command,<levels>,type,source",
// then one line a command. Read in src/ramulator/controller/plugin/impl/cmd_trace_recorder.cpp of
// CMU-SAFARI/ramulator2 at 38c51d40.

#include <optional>
#include <vector>

#include "trace/command_log/command_format.h"

namespace diffram::trace {

class Ramulator2HeadedFormat final : public CommandFormat {
 public:
  static bool recognises(std::string_view first_line);
  static std::unique_ptr<CommandFormat> make() {
    return std::make_unique<Ramulator2HeadedFormat>();
  }

  const char* name() const override { return "Ramulator 2.1"; }
  base::Result<bool> read(std::string_view line, const LineReader& at, FormatLine& out) override;

 private:
  base::Result<bool> read_header(std::string_view rest, const LineReader& at);

  /// What the fields after the command are; none = not part of a place.
  std::vector<std::optional<Level>> fields_;
};

}  // namespace diffram::trace
