// Any bytes: DRAMsim3's trace is read exactly as the standard library reads it.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "trace/dramsim3_text/token_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using diffram::trace::TokenRequest;
  const std::string text(reinterpret_cast<const char*>(data), size);
  auto bytes = diffram::trace::open_memory(text, "fuzz");
  if (!bytes) return 0;
  constexpr char kGzipOrZstd[] = {'\x1f', '\x28'};
  const bool is_packed = !text.empty() && (text[0] == kGzipOrZstd[0] || text[0] == kGzipOrZstd[1]);
  diffram::trace::TokenReader reader(std::move(*bytes));
  std::istringstream stream(text);
  TokenRequest ours, theirs;
  for (std::size_t i = 0; i <= size; ++i) {
    const auto fields = reader.next(ours);
    if (!fields) return 0;
    if (is_packed) continue;
    std::string word;
    stream >> std::hex >> theirs.address >> word >> std::dec >> theirs.cycle;
    if (ours.address != theirs.address || ours.cycle != theirs.cycle) std::abort();
    if (reader.at_end() != stream.eof() || reader.is_broken() != stream.fail()) std::abort();
    if (reader.is_broken()) break;
  }
  return 0;
}
