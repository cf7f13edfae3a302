// What the environment asks for and this machine cannot do.

#include <fmt/format.h>

#include "dram/simd_path.h"
#include "session/session.h"

namespace diffram::session {

std::optional<Failure> refused_environment() {
  const auto path = dram::refused_simd_path();
  if (!path) return std::nullopt;
  std::string available;
  std::vector<std::string> names;
  for (const auto each : {dram::SimdPath::plain, dram::SimdPath::sse2, dram::SimdPath::avx2}) {
    if (!dram::is_available(each)) continue;
    names.emplace_back(dram::name_of(each));
    available += (available.empty() ? "" : ", ") + names.back();
  }
  const std::string nearest = base::nearest(std::string(*path), names);
  base::Error error;
  error.code = "simd_path";
  error.message = fmt::format(
      "DIFFRAM_SIMD={} names no code path that this machine has; without it the fastest "
      "is taken (all give the same result)",
      *path);
  error.field = "DIFFRAM_SIMD";
  error.expected = nearest.empty() ? "one of " + available : nearest;
  return Failure{kWrongUsage, {error}, {}};
}

}  // namespace diffram::session
