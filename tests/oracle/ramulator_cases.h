#pragma once
// The DDR4 entries of Ramulator's tests, and its table's integers under our names.

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "spec/memory.h"

namespace diffram::oracle {

inline const nlohmann::json& ramulator_cases() {
  static const nlohmann::json cases = [] {
    std::ifstream file(DIFFRAM_SOURCE_DIR "/tests/oracle/data/ramulator_ddr4.json");
    return nlohmann::json::parse(file);
  }();
  return cases;
}

/// DDR4_2400R as the peer resolved it; power-down times, which it has none of, from our DDR4-2400.
inline std::map<std::string, std::int32_t> ramulator_timings() {
  static const std::map<std::string, std::string> names = {
      {"nCCDS", "nCCD_S"}, {"nCCDL", "nCCD_L"}, {"nRRDS", "nRRD_S"},
      {"nRRDL", "nRRD_L"}, {"nWTRS", "nWTR_S"}, {"nWTRL", "nWTR_L"}};
  std::map<std::string, std::int32_t> out = {
      {"nXP", 8}, {"nCKE", 6}, {"nXS", 445}, {"nXSDLL", 1024}};
  for (const auto& [name, value] : ramulator_cases()["timing_table"]["timings"].items()) {
    const auto ours = names.find(name);
    out[ours == names.end() ? name : ours->second] = value.get<std::int32_t>();
  }
  return out;
}

/// Two ranks of 4 × 4 banks with those integers and our table's rows.
inline spec::MemorySpec ramulator_ddr4(std::uint32_t ranks = 2) {
  spec::MemorySpec out;
  out.name = "DDR4_8Gb_x8/DDR4_2400R";
  out.standard = "DDR4";
  out.organisation = {1, ranks, 4, 4, 65536, 1024, 8, 64, 8, std::uint64_t{8} << 30};
  out.megatransfers = 2400;
  out.clock = base::Clock(2'000'000'000, 2400);
  out.timings = ramulator_timings();
  auto rows =
      spec::resolve_constraints({DIFFRAM_SOURCE_DIR "/specs"}, "DDR4", out.timings, out.rules);
  if (!rows) throw std::runtime_error(rows.error().front().text());
  out.constraints = std::move(*rows);
  return out;
}

inline spec::Command command_of(const std::string& peer_name) {
  static const std::map<std::string, spec::Command> names = {
      {"ACT", spec::Command::ACT}, {"PREpb", spec::Command::PRE},  {"PREab", spec::Command::PREA},
      {"RD", spec::Command::RD},   {"RDA", spec::Command::RDA},    {"WR", spec::Command::WR},
      {"WRA", spec::Command::WRA}, {"REFab", spec::Command::REFab}};
  return names.at(peer_name);
}

}  // namespace diffram::oracle
