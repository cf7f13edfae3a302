#include <fmt/format.h>

#include <utility>

#include "lower/placement/bump_allocator.h"
#include "lower/placement/cpu_allocator.h"
#include "lower/placement/cuda_allocator.h"
#include "lower/placement/placement.h"

namespace diffram::lower {

namespace {

base::Error choice_error(std::string field, std::string code, std::string message,
                         std::string expected) {
  return base::Error{.code = std::move(code),
                     .message = std::move(message),
                     .file = {},
                     .line = 0,
                     .field = std::move(field),
                     .expected = std::move(expected)};
}

}  // namespace

base::Result<std::unique_ptr<Allocator>> make_allocator(const std::string& name,
                                                        std::uint64_t capacity_bytes,
                                                        const AllocatorOptions& options,
                                                        std::unique_ptr<SegmentSource> source) {
  if (capacity_bytes > kUnlimitedCapacity) {
    return base::failure(choice_error("capacity", "out_of_range",
                                      fmt::format("{} bytes", capacity_bytes),
                                      fmt::format("at most {}", kUnlimitedCapacity)));
  }
  if (name == "cuda") {
    const auto rules = CudaSizeRules::from(options);
    if (!rules) return tl::unexpected(rules.error());
    if (!source) source = make_lowest_address_source(capacity_bytes);
    return std::make_unique<CudaAllocator>(capacity_bytes, *rules, std::move(source));
  }
  if (name != "cpu" && name != "bump") {
    const std::string near = base::nearest(name, {"cuda", "cpu", "bump"});
    return base::failure(choice_error("allocator", "unknown_name",
                                      fmt::format("there is no allocator \"{}\"", name),
                                      near.empty() ? "cuda, cpu or bump" : near));
  }
  if (!options.empty()) {
    return base::failure(choice_error("allocator." + options.front().first, "unknown_key",
                                      fmt::format("the {} allocator has no options", name),
                                      "none"));
  }
  if (name == "bump") return std::make_unique<BumpAllocator>(capacity_bytes);
  if (!source) source = make_lowest_address_source(capacity_bytes, kCpuPageBytes);
  return std::make_unique<CpuAllocator>(capacity_bytes, std::move(source));
}

}  // namespace diffram::lower
