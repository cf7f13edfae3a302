#pragma once
// DRAMPower's command list: "cycle,COMMAND,rank,bank group,bank,row,column[,data]", one channel, no
// header, no blanks. Read in the command line tool of tukl-msd/DRAMPower and in its
// src/DRAMPower/DRAMPower/command/CmdType.h at 1f97981. Ramulator 2.0's logs are told from it by
// the blank behind each comma, or by an eighth field that is no data.

#include "trace/command_log/command_format.h"

namespace diffram::trace {

class DrampowerFormat final : public CommandFormat {
 public:
  static bool recognises(std::string_view first_line);
  static std::unique_ptr<CommandFormat> make() { return std::make_unique<DrampowerFormat>(); }

  const char* name() const override { return "DRAMPower"; }
  base::Result<bool> read(std::string_view line, const LineReader& at, FormatLine& out) override;
};

}  // namespace diffram::trace
