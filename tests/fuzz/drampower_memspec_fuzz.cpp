// Any bytes: the reader of DRAMPower's memspecs gives a memory whose energy can be computed, or
// errors that name the file and what was expected.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "spec/drampower_memspec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto memspec = diffram::spec::parse_drampower_memspec(text, "fuzz.json");
  if (!memspec) {
    if (memspec.error().empty()) std::abort();
    for (const auto& error : memspec.error()) {
      if (error.file != "fuzz.json" || error.expected.empty()) std::abort();
    }
    return 0;
  }
  const auto& o = memspec->organisation;
  if (o.ranks == 0 || o.banks() == 0 || o.devices() == 0 || o.bus_width == 0) std::abort();
  if (o.banks() % o.bank_groups != 0 || !(memspec->period_s > 0)) std::abort();
  for (const auto& [name, cycles] : memspec->timings) {
    if (cycles < 0) std::abort();
  }
  return 0;
}
