#include "physics/golden_memory.h"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>
#include <utility>

#include "physics/drampower_core.h"

#include "oracle/gz_file.h"

namespace diffram::physics {
namespace {

using nlohmann::json;
using Rail = spec::RailCurrents;

/// What the energy formulas read of the burst, and overrides set one by one.
struct Burst {
  double length = 0, rate = 0, data_clock_s = 0;
};

void set_refresh_part(GoldenMemory& m, std::uint32_t banks, std::uint32_t step) {
  m.core.part_banks = banks;
  m.replay.part = {banks, step};
}

void apply_override(GoldenMemory& m, Burst& burst, const std::string& key, double number) {
  Rail& rail = m.core.currents.rails.front();
  const auto integer = static_cast<std::int64_t>(number);
  const auto count = static_cast<std::uint32_t>(number);
  const auto lasting = [number](Lasting& event) { event = {number, number}; };
  const std::map<std::string, std::function<void()>> setters = {
      {"numberOfDevices", [&] { m.core.devices = count; }},
      {"numberOfRanks", [&] { m.replay.ranks = count; }},
      {"numberOfBanks", [&] { m.core.banks = m.replay.banks = count; }},
      {"perTwoBankOffset", [&] { m.replay.part.step = count; }},
      {"burstLength", [&] { burst.length = number; }},
      {"dataRate", [&] { burst.rate = number; }},
      {"tCK", [&] { m.core.period_s = number; }},
      {"tWCK", [&] { burst.data_clock_s = number; }},
      {"tRAS", [&] { lasting(m.core.row), m.replay.ras = integer; }},
      {"tRP", [&] { m.core.rp = number, m.replay.rp = integer; }},
      {"tRCD", [&] { m.replay.rcd = integer; }},
      {"tRFC", [&] { lasting(m.core.refresh), m.replay.rfc = integer; }},
      {"tRFCPB", [&] { lasting(m.core.part), m.replay.rfc_part = integer; }},
      {"tREFI", [&] { m.core.refi = number; }},
      {"prechargeOffsetRD", [&] { m.replay.read_to_auto_precharge = integer; }},
      {"prechargeOffsetWR", [&] { m.replay.write_to_auto_precharge = integer; }},
      {"bwParams.bwPowerFactRho", [&] { m.core.currents.rho = number; }},
      {"vXX", [&] { rail.volts = number; }},
      {"iXX0", [&] { rail.i0 = number; }},
      {"iXX2N", [&] { rail.i2n = number; }},
      {"iXX3N", [&] { rail.i3n = number; }},
      {"iXX4R", [&] { rail.i4r = number; }},
      {"iXX4W", [&] { rail.i4w = number; }},
      {"iXX5X", [&] { rail.i5 = number; }},
      {"iXX5C", [&] { rail.i5_part = number; }},
      {"iXX6N", [&] { rail.i6 = number; }},
      {"iXX2P", [&] { rail.i2p = number; }},
      {"iXX3P", [&] { rail.i3p = number; }},
  };
  static const std::map<std::string, std::string> same_as = {
      {"vDDX", "vXX"},     {"iDD0X", "iXX0"},   {"iDD2NX", "iXX2N"},  {"iDD3NX", "iXX3N"},
      {"iDD4RX", "iXX4R"}, {"iDD4WX", "iXX4W"}, {"iDD5PBX", "iXX5C"}, {"iDD5PDBX", "iXX5C"},
      {"iDD2PX", "iXX2P"}, {"iDD3PX", "iXX3P"}, {"tRFCsb", "tRFCPB"}, {"tRFCDB", "tRFCPB"},
      {"tRFCAB", "tRFC"},  {"tRCDR", "tRCD"},   {"tRCDW", "tRCD"}};
  // These enter no formula of ours: what would follow from them is not derived again, banks are
  // numbered without groups.
  static const char* const ignored[] = {
      "bitWidth", "numberOfBankGroups", "tAL", "tRTP", "tWR", "tWL", "tBurst", "tRBTP",
      "WCKtoCK",  "banksPerGroup"};
  const bool has_parent = key.starts_with("mem");
  std::string name = has_parent ? key.substr(key.find('.') + 1) : key;
  if (std::find(std::begin(ignored), std::end(ignored), name) != std::end(ignored)) return;
  if (const auto same = same_as.find(name); same != same_as.end()) name = same->second;
  setters.at(name)();
}

}  // namespace

json read_golden() { return oracle::json_of_gz("drampower_core.json.gz"); }

base::ChannelCounters GoldenMemory::replayed(const std::vector<TimedCommand>& commands,
                                             std::int64_t end) const {
  CommandReplay out(replay);
  for (const TimedCommand& c : commands) out.apply(c);
  return out.at(end);
}

GoldenMemory golden_memory(const std::string& name, const json& overrides) {
  static const json golden = read_golden();
  const auto memspec = spec::parse_drampower_memspec(golden.at("memspecs").at(name).dump(), name);
  if (!memspec) throw std::runtime_error(memspec.error().front().text());
  // How the family measures its currents is what the standard's file says.
  const auto loops = spec::current_loops({DIFFRAM_SOURCE_DIR "/specs"}, name);
  if (!loops) throw std::runtime_error(loops.error().front().text());
  CoreMemory memory = core_memory(*memspec, *loops, false);
  GoldenMemory m{std::move(memory.parameters), memory.timings, ""};
  const bool has_data_clock = memspec->standard == "LPDDR5" || memspec->standard == "LPDDR6";
  Burst burst{static_cast<double>(memspec->organisation.burst_length),
              static_cast<double>(memspec->data_rate),
              m.core.period_s / memspec->write_clocks_per_clock};

  static const std::map<std::string, std::string> part_kinds = {
      {"ddr4", ""}, {"ddr5", "SB"}, {"lpddr4", "PB"}, {"lpddr5", "PB"}, {"lpddr6", "DB"}};
  m.part_kind = part_kinds.at(name);
  if (m.part_kind == "SB") {
    const auto groups = overrides.value("numberOfBankGroups", 2u);
    set_refresh_part(m, groups, overrides.value("numberOfBanks", m.core.banks) / groups);
  }
  if (name == "lpddr5") {
    const bool has_groups = overrides.value("bank_arch", std::string("M16B")) == "MBG";
    m.core.loops.columns = has_groups ? spec::OpenBanks::two : spec::OpenBanks::one;
  }
  for (const auto& [key, value] : overrides.items()) {
    if (value.is_number()) apply_override(m, burst, key, value.get<double>());
  }
  if (overrides.contains("memPowerSpec[0].iBeta")) {
    Rail& rail = m.core.currents.rails.front();
    rail.i_beta = rail.i0;  // "=memPowerSpec[0].iXX0"
  }
  const double beat_clock = has_data_clock ? burst.data_clock_s : m.core.period_s;
  m.core.burst = burst.length / burst.rate * beat_clock / m.core.period_s;
  return m;
}

GoldenMemory golden_memory_of_case(const json& golden_case) {
  GoldenMemory m = golden_memory(golden_case.at("memspec"), golden_case.at("spec_overrides"));
  for (const json& row : golden_case.at("commands")) {
    if (row.at(1) != "REFP2B") continue;
    m.part_kind = "2B";
    const std::uint32_t step = m.replay.part.step;
    set_refresh_part(m, 2, step == 0 ? m.core.banks / 2 : step);
  }
  return m;
}

std::vector<TimedCommand> golden_commands(const json& row, const GoldenMemory& memory) {
  using spec::Command;
  struct Meaning {
    Command command;
    PowerDown power_down = PowerDown::by_state;
  };
  static const std::map<std::string, Meaning> meanings = {
      {"ACT", {Command::ACT}},
      {"PRE", {Command::PRE}},
      {"PRESB", {Command::PRE}},
      {"PREA", {Command::PREA}},
      {"RD", {Command::RD}},
      {"RDA", {Command::RDA}},
      {"WR", {Command::WR}},
      {"WRA", {Command::WRA}},
      {"REFA", {Command::REFab}},
      {"REFB", {Command::REFpb}},
      {"REFP2B", {Command::REFpb}},
      {"REFDB", {Command::REFpb}},
      {"REFSB", {Command::REFsb}},
      {"SREFEN", {Command::SREFE}},
      {"SREFEX", {Command::SREFX}},
      {"PDEA", {Command::PDE, PowerDown::active}},
      {"PDEP", {Command::PDE, PowerDown::precharge}},
      {"PDXA", {Command::PDX}},
      {"PDXP", {Command::PDX}},
      {"DSMEN", {Command::PDE, PowerDown::deep_sleep}},
      {"DSMEX", {Command::PDX, PowerDown::deep_sleep}}};
  const std::string name = row.at(1);
  const json& place = row.at(2);
  const Meaning meaning = meanings.at(name);
  TimedCommand c;
  c.cycle = row.at(0);
  c.command = meaning.command;
  c.power_down = meaning.power_down;
  c.bank = place.size() > 0 ? place.at(0).get<std::uint32_t>() : 0;
  c.rank = place.size() > 2 ? place.at(2).get<std::uint32_t>() : 0;
  if (name != "PRESB") return {c};
  std::vector<TimedCommand> all;
  for (std::uint32_t i = 0; i < memory.replay.part.banks; ++i, all.push_back(c))
    c.bank = (c.bank + (i == 0 ? 0 : memory.replay.part.step)) % memory.core.banks;
  return all;
}

}  // namespace diffram::physics
