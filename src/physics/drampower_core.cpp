#include "physics/drampower_core.h"

#include <algorithm>

namespace diffram::physics {

namespace {

using spec::DrampowerMemspec;

std::int64_t longest_of(const DrampowerMemspec& m, std::initializer_list<const char*> keys) {
  std::int64_t most = 0;
  for (const char* key : keys)
    if (const auto found = m.timings.find(key); found != m.timings.end())
      most = std::max(most, found->second);
  return most;
}

/// From the column command to the precharge that it brings with it: energy-and-heat.md 2d.
void set_auto_precharge(const DrampowerMemspec& m, ReplayTimings& t) {
  const std::int64_t length = m.organisation.burst_length;
  if (m.timings.contains("WCK2CK")) {
    const std::int64_t burst = length / (m.data_rate * m.write_clocks_per_clock);
    t.read_to_auto_precharge = burst + m.timing("RBTP");
    t.write_to_auto_precharge = m.timing("WL") + burst + 1 + m.timing("WR");
  } else if (m.standard == "LPDDR4") {
    t.read_to_auto_precharge = m.timing("RTP") + (length == 16 ? 0 : 8);
    t.write_to_auto_precharge = m.timing("WL") + length / 2 + 1 + m.timing("WR");
  } else {
    t.read_to_auto_precharge = longest_of(m, {"AL"}) + m.timing("RTP");
    t.write_to_auto_precharge = m.timing("WL") + length / m.data_rate + m.timing("WR");
  }
}

RefreshPart part_of(const DrampowerMemspec& m, bool by_pairs) {
  const spec::Organisation& o = m.organisation;
  if (m.standard == "DDR5") return {o.bank_groups, o.banks_per_group};
  if (m.standard == "LPDDR6" || (m.standard == "LPDDR5" && by_pairs)) {
    const std::uint32_t half = std::max(1u, o.banks() / 2);
    const bool is_said = m.refresh_pair_offset > 0 && m.refresh_pair_offset < o.banks();
    return {2, is_said ? m.refresh_pair_offset : half};
  }
  return {};
}

Lasting lasting(std::int64_t cycles) {
  return {static_cast<double>(cycles), static_cast<double>(cycles)};
}

}  // namespace

CoreMemory core_memory(const DrampowerMemspec& memory, const spec::CurrentLoops& loops,
                       bool by_pairs) {
  CoreMemory m;
  const spec::Organisation& o = memory.organisation;
  m.timings.ranks = o.ranks;
  m.timings.banks = o.banks();
  m.timings.ras = memory.timing("RAS");
  m.timings.rcd = longest_of(memory, {"RCD", "RCD_S", "RCD_r", "RCD_w"});
  m.timings.rp = longest_of(memory, {"RP", "RPpb"});
  m.timings.rfc = longest_of(memory, {"RFC1", "RFCab"});
  m.timings.rfc_part = longest_of(memory, {"RFCsb", "RFCpb", "RFCdb"});
  m.timings.part = part_of(memory, by_pairs);
  set_auto_precharge(memory, m.timings);

  m.parameters.currents = memory.currents;
  m.parameters.loops = loops;
  // Bank-group mode of LPDDR5 measures its column currents with two banks open, the others with
  // one.
  if (memory.standard == "LPDDR5")
    m.parameters.loops.columns = o.bank_groups > 1 ? spec::OpenBanks::two : spec::OpenBanks::one;
  m.parameters.devices = o.devices();
  m.parameters.banks = o.banks();
  m.parameters.part_banks = m.timings.part.banks;
  m.parameters.period_s = memory.period_s;
  m.parameters.rp = static_cast<double>(m.timings.rp);
  m.parameters.refi = static_cast<double>(longest_of(memory, {"REFI"}));
  m.parameters.burst = static_cast<double>(o.burst_length) /
                       (static_cast<double>(memory.data_rate) * memory.write_clocks_per_clock);
  m.parameters.row = lasting(m.timings.ras);
  m.parameters.refresh = lasting(m.timings.rfc);
  m.parameters.part = lasting(m.timings.rfc_part);
  return m;
}

}  // namespace diffram::physics
