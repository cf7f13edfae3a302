#include "trace/command_log/command_log_reader.h"

#include <fmt/format.h>

#include <utility>

#include "trace/input/words.h"

namespace diffram::trace {

namespace {
/// Distances between cycles must fit 64 bits with room to add a constraint.
constexpr std::int64_t kLastCycle = std::int64_t{1} << 60;
}  // namespace

CommandLogReader::CommandLogReader(std::unique_ptr<ByteSource> bytes, std::string file,
                                   CommandLogOptions options)
    : lines_(std::move(bytes), std::move(file)),
      options_(std::move(options)),
      last_cycles_(options_.counts[static_cast<std::size_t>(Level::channel)], 0) {}

base::Result<bool> CommandLogReader::next(LoggedCommand& out) {
  while (true) {
    std::string_view line = std::exchange(first_line_, {});
    if (line.empty()) {
      auto more = lines_.next(line);
      if (!more || !*more) return more;
    }
    FormatLine read;
    read.place.fill(kNotGiven);
    auto is_command = format_->read(line, lines_, read);
    if (!is_command) return is_command;
    if (!*is_command) {
      if (!read.is_end) continue;
      if (auto ended = read_end(read); !ended) return tl::unexpected(ended.error());
      continue;
    }
    if (auto filled = fill(read, out); !filled) return tl::unexpected(filled.error());
    return true;
  }
}

base::Result<std::size_t> CommandLogReader::index_of(const FormatLine& line) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < options_.commands.size(); ++i) {
    if (options_.commands[i].name == line.jedec_name) return i;
    names.push_back(options_.commands[i].name);
  }
  const std::string near = base::nearest(std::string(line.jedec_name), names);
  return error_at(lines_, "unknown_command",
                  fmt::format("\"{}\" is no command of this memory", shown(line.command)),
                  near.empty() ? fmt::format("{}", fmt::join(names, ", ")) : near);
}

base::Result<std::int64_t> CommandLogReader::cycle_of(const FormatLine& line) const {
  std::int64_t cycle = 0;
  if (!read_number(line.cycle, 10, cycle) || cycle < 0 || cycle > kLastCycle) {
    return error_at(lines_, "bad_cycle", fmt::format("\"{}\" is no cycle", shown(line.cycle)),
                    "a whole number from 0 to 2^60");
  }
  return cycle;
}

base::Result<void> CommandLogReader::read_end(const FormatLine& line) {
  auto cycle = cycle_of(line);
  if (!cycle) return tl::unexpected(cycle.error());
  for (const std::int64_t last : last_cycles_) {
    if (*cycle < last) {
      return error_at(
          lines_, "cycle_goes_back",
          fmt::format("the log ends at cycle {}, before a command of cycle {}", *cycle, last),
          "an end behind all commands");
    }
  }
  end_cycle_ = *cycle;
  return {};
}

base::Result<void> CommandLogReader::fill_data(const FormatLine& line, const CommandWord& word,
                                               std::vector<std::uint8_t>& out) const {
  out.clear();
  if (line.data.empty()) return {};
  if (word.innermost != Level::column) {
    return error_at(lines_, "extra_field", fmt::format("{} transfers no data", word.name),
                    "data behind a read or a write alone");
  }
  if (line.data.size() % 2 != 0) {
    return error_at(lines_, "bad_data", "the data is no whole number of bytes",
                    "two hexadecimal digits a byte");
  }
  for (std::size_t i = 0; i < line.data.size(); i += 2) {
    std::uint64_t byte = 0;
    if (!read_number(line.data.substr(i, 2), 16, byte)) {
      return error_at(lines_, "bad_data",
                      fmt::format("\"{}\" is no byte", shown(line.data.substr(i, 2))),
                      "two hexadecimal digits a byte");
    }
    out.push_back(static_cast<std::uint8_t>(byte));
  }
  return {};
}

base::Result<void> CommandLogReader::fill(const FormatLine& line, LoggedCommand& out) {
  auto cycle = cycle_of(line);
  if (!cycle) return tl::unexpected(cycle.error());
  out.cycle = *cycle;
  auto index = index_of(line);
  if (!index) return tl::unexpected(index.error());
  out.command = *index;
  const CommandWord& word = options_.commands[*index];
  out.place.fill(0);
  for (std::size_t level = 0; level <= static_cast<std::size_t>(word.innermost); ++level) {
    const std::int64_t number = line.place[level];
    const std::uint32_t count = options_.counts[level];
    if (number == kNotGiven) {
      return error_at(
          lines_, "missing_field",
          fmt::format("{} needs a {}, and the line gives none", word.name, kLevelNames[level]),
          fmt::format("{} 0 to {}", kLevelNames[level], count - 1));
    }
    if (number >= count) {
      return error_at(lines_, "out_of_range",
                      fmt::format("{} {} is none of this memory", kLevelNames[level], number),
                      fmt::format("0 to {}", count - 1));
    }
    out.place[level] = static_cast<std::uint32_t>(number);
  }
  if (auto filled = fill_data(line, word, out.data); !filled) return filled;
  std::int64_t& last = last_cycles_[out.place[static_cast<std::size_t>(Level::channel)]];
  if (out.cycle < last) {
    return error_at(
        lines_, "cycle_goes_back",
        fmt::format("cycle {} comes after cycle {} of the same channel", out.cycle, last),
        "commands in the order of their cycles");
  }
  last = out.cycle;
  return {};
}

}  // namespace diffram::trace
