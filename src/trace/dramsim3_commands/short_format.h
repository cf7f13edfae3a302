#pragma once
// DRAMsim3's commands in short: "cycle NAME rank [bank_group bank [row [column]]]", all decimal; a
// line "# channel N" begins the next channel. `replay --dramsim3-config --commands` writes it.

#include "trace/command_log/command_format.h"

namespace diffram::trace {

class Dramsim3ShortFormat final : public CommandFormat {
 public:
  static bool recognises(std::string_view first_line);
  static std::unique_ptr<CommandFormat> make() { return std::make_unique<Dramsim3ShortFormat>(); }

  const char* name() const override { return "DRAMsim3 short"; }
  base::Result<bool> read(std::string_view line, const LineReader& at, FormatLine& out) override;

 private:
  std::int64_t channel_ = 0;
};

}  // namespace diffram::trace
