#pragma once
// Random (memory, policy, traffic) over the tables of all standards: the timings and protocol of a
// shipped memory, a small organisation, frequent refreshes, half of them of parts of the rank.

#include <algorithm>
#include <string>
#include <vector>

#include "oracle/random_run.h"

namespace diffram::oracle {

inline const std::vector<spec::MemorySpec>& shipped_memories() {
  static const std::vector<spec::MemorySpec> all = [] {
    const spec::SpecFolders folders{DIFFRAM_SOURCE_DIR "/specs"};
    std::vector<spec::MemorySpec> out;
    for (const auto& name : spec::list_memories(folders)) {
      auto memory = spec::load_memory(folders, name);
      if (!memory) throw std::runtime_error(memory.error().front().text());
      out.push_back(std::move(*memory));
    }
    return out;
  }();
  return all;
}

inline RandomRun random_standard_run(std::uint64_t seed) {
  Dice dice(seed);
  RandomRun out;
  const auto& memories = shipped_memories();
  auto& s = out.spec;
  s = memories[static_cast<std::size_t>(
      dice.between(0, static_cast<std::int64_t>(memories.size()) - 1))];
  auto& o = s.organisation;
  o.channels = dice.pick({1, 1, 2});
  o.ranks = dice.pick({1, 1, 2});
  // GDDR and HBM have no ranks: their tables say nothing of a bus that two would share.
  if (std::none_of(s.constraints.begin(), s.constraints.end(),
                   [](const auto& row) { return row.scope == spec::Scope::other_rank; }))
    o.ranks = 1;
  o.rows = dice.pick({2, 4, 16});
  o.columns = o.burst_length * dice.pick({2u, 8u, 32u});
  const bool sleeps = dice.one_in(2);
  s.controller = random_controller(dice);
  if (!sleeps) s.controller.power_down_after = s.controller.self_refresh_after = 0;
  s.controller.refresh_by_parts = s.protocol.part_refresh.has_value() && dice.one_in(2);
  // Short refreshes, so that a run of some thousand cycles holds many.
  s.timings["nRFC"] = static_cast<std::int32_t>(dice.between(20, 120));
  s.timings["nXS"] = s.timings["nRFC"] + 10;
  s.timings["nREFI"] = dice.one_in(5) ? 0 : static_cast<std::int32_t>(dice.between(400, 2500));
  if (s.timings.contains("nRFCpb")) s.timings["nRFCpb"] = s.timings["nRFC"] * 2 / 3;
  s.timings["nREFIpb"] =
      s.timings["nREFI"] == 0 ? 0 : static_cast<std::int32_t>(dice.between(150, 500));
  if (s.controller.refresh_by_parts) s.timings["nREFI"] = s.timings["nREFIpb"] * 8;
  s.timings["nRREFD"] = static_cast<std::int32_t>(dice.between(3, 30));
  const spec::SpecFolders folders{DIFFRAM_SOURCE_DIR "/specs"};
  auto rows = spec::resolve_constraints(folders, s.standard, s.timings, s.rules);
  if (!rows) throw std::runtime_error(rows.error().front().text());
  s.constraints = std::move(*rows);
  s.map = random_map(dice, o);
  out.channel = static_cast<std::uint32_t>(dice.between(0, o.channels - 1));
  Traffic traffic(dice, o.capacity_bytes());
  out.traffic = s.name + ", " + traffic.kind();
  const auto count = dice.between(1, traffic.kind() == "sparse"      ? 12
                                     : traffic.kind() == "long runs" ? 12
                                     : traffic.kind() == "runs"      ? 30
                                                                     : 120);
  draw_requests(dice, traffic, count, out);
  return out;
}

}  // namespace diffram::oracle
