// Any bytes as a memory, a machine, a package, a workload or a standard: a spec, or errors that say
// what is wrong.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "spec/describe.h"
#include "spec/parse.h"

namespace {

using namespace diffram;

const std::string& shipped(const char* path) {
  static std::map<std::string, std::string> texts;
  auto& text = texts[path];
  if (text.empty()) {
    std::ifstream file(std::string(DIFFRAM_SOURCE_DIR "/specs/") + path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  return text;
}

template <class Spec>
void check(const base::Result<Spec>& result) {
  if (result) {
    if (spec::describe(*result).empty() || spec::describe_json(*result).empty()) std::abort();
    return;
  }
  if (result.error().empty()) std::abort();
  for (const auto& error : result.error()) {
    if (error.code.empty() || error.message.empty()) std::abort();
  }
}

spec::StandardLookup standard(const std::string& text) {
  return [&text](const std::string& name) -> base::Result<spec::SourceText> {
    return spec::SourceText{name + ".toml", text};
  };
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto& ddr4 = shipped("standards/ddr4.toml");
  const auto& memory = shipped("memories/ddr4-3200-8g-2ch.toml");
  check(spec::parse_memory({"fuzz.toml", bytes}, standard(ddr4)));
  check(spec::parse_memory({"fuzz.toml", memory}, standard(bytes)));
  check(spec::parse_machine({"fuzz.toml", bytes}));
  check(spec::parse_package({"fuzz.toml", bytes}));
  check(spec::parse_workload({"fuzz.toml", bytes}, "folder", {}));
  // The first line as `--set key=value`.
  const auto line = bytes.substr(0, bytes.find('\n'));
  if (const auto equals = line.find('='); equals != std::string::npos) {
    check(spec::parse_memory({"fuzz.toml", memory}, standard(ddr4),
                             {{line.substr(0, equals), line.substr(equals + 1)}}));
  }
  return 0;
}
