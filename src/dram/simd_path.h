#pragma once
// Which code path the engine takes: chosen at run time, never by the compiler's flags. All give the
// same bytes (tests/ctrl/simd_path_test.cpp). What differs is in lane_paths.h.

#include <cstdint>
#include <optional>
#include <string_view>

namespace diffram::dram {

enum class SimdPath : std::uint8_t { plain, sse2, avx2 };

/// Its name in `DIFFRAM_SIMD`: plain, sse2, avx2.
std::string_view name_of(SimdPath path);
std::optional<SimdPath> simd_path_named(std::string_view name);
/// Can this program take it on this machine?
bool is_available(SimdPath path);
/// The fastest that is available, or the one that the environment variable `DIFFRAM_SIMD` names.
/// A name that is none, or of a path that is not available, changes nothing here; programs refuse
/// it at their start (`refused_simd_path`).
SimdPath chosen_simd_path();
/// The value of `DIFFRAM_SIMD` if it cannot be followed.
std::optional<std::string_view> refused_simd_path();

}  // namespace diffram::dram
