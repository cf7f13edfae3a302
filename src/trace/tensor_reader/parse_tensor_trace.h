#pragma once
// The reader behind read_tensor_trace, over any bytes; tests and fuzzing feed memory.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/input/byte_source.h"
#include "trace/tensor_trace.h"

namespace diffram::trace {

base::Result<TensorTrace> parse_tensor_trace(std::string_view bytes, const std::string& name,
                                             std::int64_t batch = 0);
base::Result<TensorTrace> parse_tensor_trace(std::unique_ptr<ByteSource> bytes,
                                             const std::string& name, std::int64_t batch);

}  // namespace diffram::trace
