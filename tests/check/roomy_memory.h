#pragma once
// A DDR4 memory made so that each row of the table can be broken alone: no two rules that guard the
// same pair of commands fall on one cycle. Its rows are those of specs/standards/ddr4.toml.

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "spec/memory.h"

namespace diffram::check::testing {

inline constexpr std::int32_t kCl = 20, kCwl = 16, kBl = 4, kRcd = 18, kRp = 17, kRas = 40,
                              kRc = 63, kRtp = 9, kWr = 15, kCcdS = 5, kCcdL = 8, kRrdS = 5,
                              kRrdL = 9, kFaw = 30, kWtrS = 4, kWtrL = 11, kCs = 2, kRfc = 200,
                              kRefi = 2000, kXp = 10, kCke = 6, kXs = 230, kXsDll = 600;

using Timings = std::map<std::string, std::int32_t>;

inline Timings roomy_timings() {
  return {{"nCL", kCl},      {"nCWL", kCwl},    {"nBL", kBl},      {"nRCD", kRcd},
          {"nRP", kRp},      {"nRAS", kRas},    {"nRC", kRc},      {"nRTP", kRtp},
          {"nWR", kWr},      {"nCCD_S", kCcdS}, {"nCCD_L", kCcdL}, {"nRRD_S", kRrdS},
          {"nRRD_L", kRrdL}, {"nFAW", kFaw},    {"nWTR_S", kWtrS}, {"nWTR_L", kWtrL},
          {"nCS", kCs},      {"nRFC", kRfc},    {"nREFI", kRefi},  {"nXP", kXp},
          {"nCKE", kCke},    {"nXS", kXs},      {"nXSDLL", kXsDll}};
}

/// Two channels of two ranks of 4 x 4 banks.
inline spec::MemorySpec roomy_memory(const Timings& timings = roomy_timings()) {
  spec::MemorySpec memory;
  memory.name = "ddr4-roomy";
  memory.standard = "DDR4";
  memory.organisation = {2, 2, 4, 4, 1024, 512, 8, 64, 8, 0};
  memory.timings = timings;
  auto rows = spec::resolve_constraints({DIFFRAM_SOURCE_DIR "/specs"}, "DDR4", memory.timings,
                                        memory.rules);
  if (!rows) throw std::runtime_error(rows.error().front().text());
  memory.constraints = std::move(*rows);
  return memory;
}

}  // namespace diffram::check::testing
