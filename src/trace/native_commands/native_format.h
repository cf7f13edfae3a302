#pragma once
// Our own command log: "# diffram-commands 1 LEVEL…", the levels outermost first, then lines of
// "cycle NAME coordinates…" with the coordinates in that order, as far in as the command goes.

#include <vector>

#include "trace/command_log/command_format.h"

namespace diffram::trace {

class NativeFormat final : public CommandFormat {
 public:
  static bool recognises(std::string_view first_line);
  static std::unique_ptr<CommandFormat> make() { return std::make_unique<NativeFormat>(); }

  const char* name() const override { return "diffram"; }
  base::Result<bool> read(std::string_view line, const LineReader& at, FormatLine& out) override;

 private:
  base::Result<bool> read_header(std::string_view rest, const LineReader& at);

  std::vector<Level> levels_;
};

}  // namespace diffram::trace
