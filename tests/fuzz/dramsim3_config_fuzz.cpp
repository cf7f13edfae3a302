// Any bytes: the reader of DRAMsim3's configurations gives a memory that a controller can run, or
// errors that name the file.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "spec/dramsim3_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = diffram::spec::parse_dramsim3_config(text, "fuzz.ini");
  if (!config) {
    if (config.error().empty()) std::abort();
    for (const auto& error : config.error()) {
      if (error.file != "fuzz.ini" || error.expected.empty()) std::abort();
    }
    return 0;
  }
  if (config->ranks == 0 || config->banks() == 0 || config->channels == 0) std::abort();
  if (config->refresh_interval == 0 || config->epoch_cycles == 0) std::abort();
  if (config->map.rank.mask >= config->ranks || config->map.channel.mask >= config->channels ||
      config->map.bank_group.mask >= config->bank_groups ||
      config->map.bank.mask >= config->banks_per_group)
    std::abort();
  return 0;
}
