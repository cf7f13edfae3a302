// Any bytes, at any batch: the tensor-trace reader refuses or reads, and what it read is sound.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "trace/tensor_reader/parse_tensor_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr std::int64_t kBatches[] = {0, 2, 1000000007};
  for (const std::int64_t batch : kBatches) {
    const auto trace = diffram::trace::parse_tensor_trace(bytes, "fuzz", batch);
    if (!trace) {
      if (trace.error().empty() || trace.error().front().file != "fuzz") std::abort();
      continue;
    }
    for (const auto& step : trace->steps) {
      if (step.times < 1) std::abort();
      for (const auto& op : step.ops) {
        for (const auto& use : op.reads) {
          if (use.storage >= trace->storages.size() || use.tensor_bytes() < 0) std::abort();
        }
      }
    }
  }
  return 0;
}
