#include "dram/simd_path.h"

#include <array>
#include <cstdlib>

#include "dram/lane_paths.h"

namespace diffram::dram {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"plain", "sse2", "avx2"};

std::optional<std::string_view> wanted_name() {
  const char* const wanted = std::getenv("DIFFRAM_SIMD");
  if (wanted == nullptr || *wanted == '\0') return std::nullopt;
  return wanted;
}

}  // namespace

std::string_view name_of(SimdPath path) { return kNames[static_cast<std::size_t>(path)]; }

std::optional<SimdPath> simd_path_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<SimdPath>(i);
  }
  return std::nullopt;
}

bool is_available(SimdPath path) {
  switch (path) {
    case SimdPath::plain:
      return true;
    case SimdPath::sse2:
#if defined(__SSE2__)
      return true;
#else
      return false;
#endif
    case SimdPath::avx2:
#if DIFFRAM_HAS_AVX2_PATH
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
             __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
      return false;
#endif
  }
  return false;
}

SimdPath chosen_simd_path() {
  if (const auto name = wanted_name()) {
    const auto path = simd_path_named(*name);
    if (path && is_available(*path)) return *path;
  }
  for (const SimdPath path : {SimdPath::avx2, SimdPath::sse2}) {
    if (is_available(path)) return path;
  }
  return SimdPath::plain;
}

std::optional<std::string_view> refused_simd_path() {
  const auto name = wanted_name();
  if (!name) return std::nullopt;
  const auto path = simd_path_named(*name);
  return path && is_available(*path) ? std::nullopt : name;
}

}  // namespace diffram::dram
