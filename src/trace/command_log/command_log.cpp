#include "trace/command_log.h"

#include <fmt/format.h>

#include "trace/command_log/command_log_reader.h"
#include "trace/drampower_commands/csv_format.h"
#include "trace/dramsim3_commands/long_format.h"
#include "trace/dramsim3_commands/short_format.h"
#include "trace/native_commands/native_format.h"
#include "trace/ramulator2_commands/headed_format.h"
#include "trace/ramulator2_commands/headless_format.h"

namespace diffram::trace {

namespace {

// The short form of DRAMsim3 is the least particular: last.
constexpr FormatEntry kFormats[] = {
    {NativeFormat::recognises, NativeFormat::make},
    {Ramulator2HeadedFormat::recognises, Ramulator2HeadedFormat::make},
    {DrampowerFormat::recognises, DrampowerFormat::make},
    {Ramulator2HeadlessFormat::recognises, Ramulator2HeadlessFormat::make},
    {Dramsim3LongFormat::recognises, Dramsim3LongFormat::make},
    {Dramsim3ShortFormat::recognises, Dramsim3ShortFormat::make},
};

}  // namespace

base::Result<void> CommandLogReader::recognise() {
  std::string_view line;
  do {
    auto more = lines_.next(line);
    if (!more) return tl::unexpected(more.error());
    if (!*more) return refuse_file("the file holds no line");
  } while (line.find_first_not_of(" \t") == std::string_view::npos);
  for (const auto& entry : kFormats) {
    if (!entry.recognises(line)) continue;
    format_ = entry.make();
    first_line_ = line;
    return {};
  }
  return refuse_file("the first line is none of a command log");
}

tl::unexpected<base::Errors> CommandLogReader::refuse_file(std::string why) const {
  return error_in(
      lines_.file(), std::max(1, lines_.number()), "not_a_command_log", std::move(why),
      "\"# diffram-commands 1 …\", DRAMsim3's \"24 RD 0 0 1 7 3\" or its command "
      "trace, Ramulator 2's \"24, RD, 0, 0, 0, 1, 7, 3\" or \"clock,command,…\", or DRAMPower's "
      "\"24,RD,0,1,2,7,3,0x…\"");
}

base::Result<std::unique_ptr<CommandSource>> open_command_log(const std::string& file,
                                                              CommandLogOptions options) {
  auto bytes = open_file(file);
  if (!bytes) return tl::unexpected(bytes.error());
  auto reader = std::make_unique<CommandLogReader>(std::move(*bytes), file, std::move(options));
  if (auto known = reader->recognise(); !known) return tl::unexpected(known.error());
  return reader;
}

}  // namespace diffram::trace
