// Any bytes: the request-trace reader gives requests, then ends or names a line.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trace/dramsim3_text/dramsim3_text_source.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const bool lenient : {false, true}) {
    auto source = diffram::trace::open_memory(bytes, "fuzz");
    if (!source) return 0;
    diffram::trace::Dramsim3TextSource requests(std::move(*source), "fuzz",
                                                {.lenient = lenient, .dramsim3_words = false});
    std::array<diffram::trace::TraceRequest, 3> batch;
    std::uint64_t given = 0;
    while (true) {
      const auto count = requests.read(batch);
      if (!count && (count.error().empty() || count.error().front().line < 1)) std::abort();
      if (!count || *count == 0) break;
      given += *count;
    }
    const auto counts = requests.counts();
    if (counts.reads + counts.writes != given) std::abort();
  }
  return 0;
}
