#pragma once
// The part that all formats share: lines in, checked commands out.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/command_log/command_format.h"
#include "trace/input/byte_source.h"

namespace diffram::trace {

class CommandLogReader final : public CommandSource {
 public:
  CommandLogReader(std::unique_ptr<ByteSource> bytes, std::string file, CommandLogOptions options);

  /// Reads the first line; to be called once, before `next`.
  base::Result<void> recognise();

  base::Result<bool> next(LoggedCommand& out) override;
  int line() const override { return lines_.number(); }
  std::uint64_t bytes() const override { return lines_.bytes_read(); }
  const char* format() const override { return format_->name(); }
  std::optional<std::int64_t> end_cycle() const override { return end_cycle_; }

 private:
  tl::unexpected<base::Errors> refuse_file(std::string why) const;
  base::Result<std::int64_t> cycle_of(const FormatLine& line) const;
  base::Result<void> read_end(const FormatLine& line);
  base::Result<void> fill(const FormatLine& line, LoggedCommand& out);
  base::Result<void> fill_data(const FormatLine& line, const CommandWord& word,
                               std::vector<std::uint8_t>& out) const;
  base::Result<std::size_t> index_of(const FormatLine& line) const;

  LineReader lines_;
  CommandLogOptions options_;
  std::unique_ptr<CommandFormat> format_;
  std::string_view first_line_;
  std::vector<std::int64_t> last_cycles_;  ///< by channel
  std::optional<std::int64_t> end_cycle_;
};

}  // namespace diffram::trace
