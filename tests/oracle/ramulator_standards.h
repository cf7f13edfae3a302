#pragma once
// Every standard of Ramulator's tests: its resolved tables, cases and figures, with its integers
// under our names and its commands as ours.

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "oracle/gz_file.h"
#include "spec/memory.h"

namespace diffram::oracle {

inline const nlohmann::json& ramulator() {
  static const nlohmann::json all = json_of_gz("ramulator.json.gz");
  return all;
}

inline std::string our_timing(const std::string& theirs) {
  static const std::map<std::string, std::string> names = {
      {"nCCDS", "nCCD_S"},       {"nCCDL", "nCCD_L"},
      {"nRRDS", "nRRD_S"},       {"nRRDL", "nRRD_L"},
      {"nWTRS", "nWTR_S"},       {"nWTRL", "nWTR_L"},
      {"nCCDS_WR", "nCCD_S_WR"}, {"nCCDL_WR", "nCCD_L_WR"},
      {"nCCDR", "nCCD_R"},       {"nRL", "nCL"},
      {"nWL", "nCWL"},           {"nRFCab", "nRFC"},
      {"nBL_min", "nBL"},        {"nRCDr", "nRCDRD"},
      {"nRCDw", "nRCDWR"},       {"nRTPL", "nRTP"},
      {"nRTPSB", "nRTP"},        {"nWTP", "nWR"}};
  const auto found = names.find(theirs);
  return found == names.end() ? theirs : found->second;
}

/// Those of a table or case, and power-down times, which the peer has none of.
inline std::map<std::string, std::int32_t> our_timings(const nlohmann::json& theirs) {
  std::map<std::string, std::int32_t> out;
  for (const auto& [name, value] : theirs.items())
    out[our_timing(name)] = value.get<std::int32_t>();
  // LPDDR5 states one tRRD twice.
  if (!out.contains("nRRD") && out.contains("nRRD_S")) out["nRRD"] = out["nRRD_S"];
  // Theirs of reads, where reads and writes differ.
  if (!out.contains("nRCD") && out.contains("nRCDRD")) out["nRCD"] = out["nRCDRD"];
  out.insert({{"nXP", 8}, {"nXS", out["nRFC"] + 10}, {"nRFCpb", 1}, {"nCKE", 6}, {"nXSDLL", 1024}});
  return out;
}

inline std::uint32_t count_of(const nlohmann::json& table, const std::string& level) {
  for (std::size_t i = 0; i < table["levels"].size(); ++i) {
    if (table["levels"][i] == level) return table["org_count"][i].get<std::uint32_t>();
  }
  return 1;
}

/// The memory of a table; a pseudo-channel is a rank of ours. `changed`: timings of a case.
inline spec::MemorySpec memory_of(const std::string& standard,
                                  const nlohmann::json& changed = nlohmann::json::object()) {
  const auto& table = ramulator()["tables"][standard];
  spec::MemorySpec out;
  out.name = out.standard = standard;
  auto& o = out.organisation;
  o.ranks = count_of(table, "Rank") * count_of(table, "PseudoChannel");
  o.stack_ids = count_of(table, "Sid");
  o.bank_groups = count_of(table, "BankGroup") * o.stack_ids;
  o.banks_per_group = count_of(table, "Bank");
  o.rows = count_of(table, "Row");
  o.columns = count_of(table, "Column");
  out.megatransfers = 1000;
  out.clock = base::Clock(1'000'000, 1);
  auto theirs = table["timings"];
  for (const auto& [name, value] : changed.items()) {
    if (theirs.contains(name)) theirs[name] = value;
  }
  out.timings = our_timings(theirs);
  const spec::SpecFolders folders{DIFFRAM_SOURCE_DIR "/specs"};
  auto rows = spec::resolve_constraints(folders, standard, out.timings, out.rules);
  if (!rows) throw std::runtime_error(rows.error().front().text());
  out.constraints = std::move(*rows);
  auto protocol = spec::resolve_protocol(folders, standard, out.timings);
  if (!protocol) throw std::runtime_error(protocol.error().front().text());
  out.protocol = *protocol;
  return out;
}

/// Our name of a command of the peer; empty: we have none (DEVIATIONS.md).
inline std::string our_command(const std::string& theirs) {
  static const std::map<std::string, std::string> names = {
      {"PREpb", "PRE"}, {"PREab", "PREA"}, {"ACT1", "ACT"}, {"ACT2", ""},     {"CAS", "CAS_RD"},
      {"RD_S", "RD"},   {"RDA_S", "RDA"},  {"WR_S", "WR"},  {"WRA_S", "WRA"}, {"RD_L", ""},
      {"RDA_L", ""},    {"WR_L", ""},      {"WRA_L", ""}};
  const auto found = names.find(theirs);
  return found == names.end() ? theirs : found->second;
}

inline spec::Command command_named(const std::string& ours) {
  for (std::size_t i = 0; i < spec::kCommandCount; ++i) {
    if (ours == spec::kCommandNames[i]) return static_cast<spec::Command>(i);
  }
  throw std::runtime_error("no command " + ours);
}

}  // namespace diffram::oracle
