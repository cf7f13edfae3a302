// Any bytes as a DRAMsim3 configuration that becomes a memory file: the file loads and says the
// same again, or errors name the configuration.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "spec/describe.h"
#include "spec/dramsim3_memory.h"

namespace {

using namespace diffram;

base::Result<spec::SourceText> shipped_standard(const std::string& name) {
  static std::map<std::string, std::string> texts;
  auto& text = texts[name];
  if (text.empty()) {
    std::ifstream file(DIFFRAM_SOURCE_DIR "/specs/standards/" + name + ".toml", std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  return spec::SourceText{name + ".toml", text};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto result =
      spec::convert_dramsim3_config(spec::SourceText{"fuzz.ini", text}, shipped_standard);
  if (!result) {
    if (result.error().empty()) std::abort();
    for (const auto& error : result.error()) {
      if (error.file != "fuzz.ini" || error.expected.empty()) std::abort();
    }
    return 0;
  }
  const auto again = spec::parse_memory({"fuzz.toml", result->toml}, shipped_standard);
  if (!again || again->timings != result->memory.timings ||
      again->map.row != result->memory.map.row ||
      again->organisation.capacity_bytes() != result->memory.organisation.capacity_bytes())
    std::abort();
  if (spec::describe(*again).empty()) std::abort();
  return 0;
}
