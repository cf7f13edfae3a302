#pragma once
// DRAMsim3's own command trace, a build option of it: cycle, name ("activate", "read_p" …),
// channel, rank, bank group, bank, row and column, the last two in hexadecimal; -1 where a field
// means nothing (dramsim3-behaviour.md 14).

#include "trace/command_log/command_format.h"

namespace diffram::trace {

class Dramsim3LongFormat final : public CommandFormat {
 public:
  static bool recognises(std::string_view first_line);
  static std::unique_ptr<CommandFormat> make() { return std::make_unique<Dramsim3LongFormat>(); }

  const char* name() const override { return "DRAMsim3 command trace"; }
  base::Result<bool> read(std::string_view line, const LineReader& at, FormatLine& out) override;
};

}  // namespace diffram::trace
