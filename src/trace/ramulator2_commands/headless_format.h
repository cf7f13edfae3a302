#pragma once
// Ramulator 2.0's TraceRecorder: "clock, NAME, coordinates…" and no header. Six coordinates are
// channel, rank, bank group, bank, row, column; five have no bank group; -1 where one means
// nothing. Read in src/dram_controller/impl/plugin/trace_recorder.cpp of CMU-SAFARI/ramulator2 at
// 2b9b3aed.

#include "trace/command_log/command_format.h"

namespace diffram::trace {

class Ramulator2HeadlessFormat final : public CommandFormat {
 public:
  static bool recognises(std::string_view first_line);
  static std::unique_ptr<CommandFormat> make() {
    return std::make_unique<Ramulator2HeadlessFormat>();
  }

  const char* name() const override { return "Ramulator 2.0"; }
  base::Result<bool> read(std::string_view line, const LineReader& at, FormatLine& out) override;
};

}  // namespace diffram::trace
