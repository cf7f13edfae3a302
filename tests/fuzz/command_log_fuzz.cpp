// Any bytes: the command-log reader gives commands that the memory knows, in order, then ends or
// names a line; the checker takes whatever it gives.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>

#include "check/log_check.h"
#include "spec/memory.h"
#include "trace/command_log/command_log_reader.h"

namespace {

const diffram::spec::MemorySpec& memory() {
  static const diffram::spec::MemorySpec shipped =
      *diffram::spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, "ddr4-3200-32g-2ch");
  return shipped;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace diffram;
  auto bytes = trace::open_memory({reinterpret_cast<const char*>(data), size}, "fuzz");
  if (!bytes) return 0;
  const auto options = check::log_options(memory());
  trace::CommandLogReader reader(std::move(*bytes), "fuzz", options);
  const auto must_name_a_line = [](const base::Errors& errors) {
    if (errors.empty() || errors.front().line < 1) std::abort();
  };
  if (const auto known = reader.recognise(); !known) {
    must_name_a_line(known.error());
    return 0;
  }
  std::map<std::uint32_t, std::unique_ptr<check::ChannelProtocol>> channels;
  std::map<std::uint32_t, std::int64_t> last;
  trace::LoggedCommand command;
  while (true) {
    const auto more = reader.next(command);
    if (!more) must_name_a_line(more.error());
    if (!more || !*more) break;
    if (command.command >= options.commands.size()) std::abort();
    for (std::size_t level = 0; level < trace::kLevelCount; ++level) {
      if (command.place[level] >= options.counts[level]) std::abort();
    }
    const std::uint32_t channel = command.place[0];
    if (command.cycle < last[channel]) std::abort();
    last[channel] = command.cycle;
    auto& protocol = channels[channel];
    if (!protocol) {
      protocol = std::make_unique<check::ChannelProtocol>(memory(), channel,
                                                          [](const check::Violation&) {});
    }
    protocol->command({command.cycle, static_cast<spec::Command>(command.command), command.place[1],
                       command.place[2], command.place[3], command.place[4], command.place[5]});
  }
  for (auto& [channel, protocol] : channels) protocol->finish();
  return 0;
}
