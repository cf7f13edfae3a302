#include "trace/tensor_trace.h"

#include <algorithm>
#include <numeric>

namespace diffram::trace {

namespace {

struct DTypeFacts {
  const char* name;
  std::uint32_t bytes;
};

// In the order of DType, which is the order of the codes in the file.
constexpr std::array<DTypeFacts, kDTypeCount> kDTypes = {{{"fp32", 4},
                                                          {"fp64", 8},
                                                          {"fp16", 2},
                                                          {"bf16", 2},
                                                          {"int64", 8},
                                                          {"int32", 4},
                                                          {"int16", 2},
                                                          {"int8", 1},
                                                          {"uint8", 1},
                                                          {"bool", 1},
                                                          {"complex64", 8},
                                                          {"complex128", 16},
                                                          {"fp8_e4m3fn", 1},
                                                          {"fp8_e5m2", 1},
                                                          {"uint16", 2},
                                                          {"uint32", 4},
                                                          {"uint64", 8},
                                                          {"complex32", 4}}};

}  // namespace

std::uint32_t size_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)].bytes; }
const char* name_of(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)].name; }

std::int64_t TensorUse::tensor_bytes() const {
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) return 0;
  std::int64_t bytes = size_of(dtype);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (strides[i] != 0) bytes *= sizes[i];
  }
  return bytes;
}

const Attribute* Op::attribute(const std::string& name) const {
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const Attribute& a) { return a.name == name; });
  return found == attributes.end() ? nullptr : &*found;
}

std::int64_t TensorTrace::step_count() const {
  return std::accumulate(steps.begin(), steps.end(), std::int64_t{0},
                         [](std::int64_t sum, const Step& step) { return sum + step.times; });
}

}  // namespace diffram::trace
