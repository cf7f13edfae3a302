#pragma once
// Bytes as stored, before unpacking.

#include <memory>
#include <string>
#include <string_view>

#include "trace/input/byte_source.h"

namespace diffram::trace {

base::Result<std::unique_ptr<ByteSource>> open_raw_file(const std::string& file);
std::unique_ptr<ByteSource> open_raw_memory(std::string_view bytes);

}  // namespace diffram::trace
