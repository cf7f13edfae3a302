#include "physics/golden_memory.h"

#include <algorithm>
#include <functional>
#include <map>
#include <stdexcept>

#include "oracle/gz_file.h"

namespace diffram::physics {
namespace {

using nlohmann::json;
using Rail = spec::RailCurrents;

/// Of a family: how the golden file spells what it has.
struct RailKeys {
  const char *name, *volts, *current, *suffix, *beta;
};
struct Family {
  const char* standard;
  std::vector<RailKeys> rails;
  const char *refresh_current, *part_current, *self_refresh_current;
  const char *rfc, *rfc_part, *rp, *wr;
  std::vector<const char*> rcd;
  const char* part_kind;
  bool has_data_clock = false;
};

const Family& family_of(const std::string& name) {
  static const std::map<std::string, Family> families = {
      {"ddr4",
       {"ddr4",
        {{"VDD", "vdd", "idd", "", "iBeta_vdd"}, {"VPP", "vpp", "ipp", "", "iBeta_vpp"}},
        "5B",
        "",
        "6n",
        "RFC1",
        "",
        "RP",
        "WR",
        {"RCD"},
        ""}},
      {"ddr5",
       {"ddr5",
        {{"VDD", "vdd", "idd", "", "iBeta_vdd"}, {"VPP", "vpp", "ipp", "", "iBeta_vpp"}},
        "5b",
        "5c",
        "6n",
        "RFC1",
        "RFCsb",
        "RP",
        "WR",
        {"RCD"},
        "SB"}},
      {"lpddr4",
       {"lpddr4",
        {{"VDD1", "vdd1", "idd", "1", "iBeta_vdd1"}, {"VDD2", "vdd2", "idd", "2", "iBeta_vdd2"}},
        "5",
        "5pb",
        "6",
        "RFCab",
        "RFCpb",
        "RPpb",
        "WR",
        {"RCD"},
        "PB"}},
      {"lpddr5",
       {"lpddr5",
        {{"VDD1", "vdd1", "idd", "1", "iBeta_vdd1"},
         {"VDD2H", "vdd2h", "idd", "2h", "iBeta_vdd2h"},
         {"VDD2L", "vdd2l", "idd", "2l", "iBeta_vdd2l"}},
        "5",
        "5pb",
        "6",
        "RFCab",
        "RFCpb",
        "RPpb",
        "WR",
        {"RCD_S"},
        "PB",
        true}},
      {"lpddr6",
       {"lpddr6",
        {{"VDD1", "vdd1", "idd", "1", "iBeta_vdd1"},
         {"VDD2C", "vdd2c", "idd", "2c", "iBeta_vdd2c"},
         {"VDD2D", "vdd2d", "idd", "2d", "iBeta_vdd2d"}},
        "5",
        "5pdb",
        "6",
        "RFCab",
        "RFCdb",
        "RPpb",
        "WR",
        {"RCD_r", "RCD_w"},
        "DB",
        true}}};
  return families.at(name);
}

Rail rail_of(const json& power, const RailKeys& keys, const Family& family) {
  const auto key = [&](const std::string& state) { return keys.current + state + keys.suffix; };
  Rail r;
  r.name = keys.name;
  r.volts = power.at(keys.volts);
  r.i0 = power.at(key("0"));
  r.i2n = power.at(key("2n"));
  r.i3n = power.at(key("3n"));
  r.i4r = power.at(key("4r"));
  r.i4w = power.at(key("4w"));
  r.i5 = power.at(key(family.refresh_current));
  r.i6 = power.at(key(family.self_refresh_current));
  r.i2p = power.at(key("2p"));
  r.i3p = power.at(key("3p"));
  r.i_beta = power.at(keys.beta);
  if (*family.part_current != '\0') r.i5_part = power.at(key(family.part_current));
  r.i6_deep = power.value(key("6ds"), spec::kUnknownCurrent);
  return r;
}

/// What the energy formulas read of the burst, and overrides set one by one.
struct Burst {
  double length = 0, rate = 0, data_clock_s = 0;
};

void set_refresh_part(GoldenMemory& m, std::uint32_t banks, std::uint32_t step) {
  m.core.part_banks = banks;
  m.replay.part = {banks, step};
}

void set_auto_precharge(GoldenMemory& m, const Family& family, const json& timing,
                        const json& shape) {
  const auto cycles = [&](const char* key) { return timing.value(key, std::int64_t{0}); };
  const auto length = shape.at("burstLength").get<std::int64_t>();
  const auto beats = shape.at("dataRate").get<std::int64_t>();
  const std::string name = family.standard;
  if (family.has_data_clock) {
    const std::int64_t burst = length / (beats * cycles("WCK2CK"));
    m.replay.read_to_auto_precharge = burst + cycles("RBTP");
    m.replay.write_to_auto_precharge = cycles("WL") + burst + 1 + cycles("WR");
  } else if (name == "lpddr4") {
    m.replay.read_to_auto_precharge = cycles("RTP") + (length == 16 ? 0 : 8);
    m.replay.write_to_auto_precharge = cycles("WL") + length / 2 + 1 + cycles("WR");
  } else {
    m.replay.read_to_auto_precharge = cycles("AL") + cycles("RTP");
    m.replay.write_to_auto_precharge = cycles("WL") + length / beats + cycles("WR");
  }
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
  const json& memspec = golden.at("memspecs").at(name);
  const json& shape = memspec.at("memarchitecturespec");
  const json& timing = memspec.at("memtimingspec");
  const Family& family = family_of(name);
  GoldenMemory m;
  // How the family measures its currents is what the standard's file says.
  auto loops = spec::current_loops({DIFFRAM_SOURCE_DIR "/specs"}, family.standard);
  if (!loops) throw std::runtime_error(loops.error().front().text());
  m.core.loops = std::move(*loops);
  for (const RailKeys& keys : family.rails)
    m.core.currents.rails.push_back(rail_of(memspec.at("mempowerspec"), keys, family));
  m.core.currents.rho = memspec.at("bankwisespec").at("factRho");
  m.core.devices = shape.at("nbrOfDevices");
  m.core.banks = m.replay.banks = shape.at("nbrOfBanks");
  m.replay.ranks = shape.at("nbrOfRanks");
  m.core.period_s = timing.at("tCK");
  m.core.refi = timing.value("REFI", 0.0);
  m.core.rp = timing.at(family.rp);
  m.replay.rp = timing.at(family.rp);
  m.replay.ras = timing.at("RAS");
  m.replay.rfc = timing.at(family.rfc);
  for (const char* key : family.rcd)
    m.replay.rcd = std::max(m.replay.rcd, timing.at(key).get<std::int64_t>());
  if (*family.rfc_part != '\0') m.replay.rfc_part = timing.at(family.rfc_part);
  const auto lasting = [](std::int64_t cycles) {
    return Lasting{static_cast<double>(cycles), static_cast<double>(cycles)};
  };
  m.core.row = lasting(m.replay.ras);
  m.core.refresh = lasting(m.replay.rfc);
  m.core.part = lasting(m.replay.rfc_part);
  set_auto_precharge(m, family, timing, shape);
  Burst burst{shape.at("burstLength"), shape.at("dataRate"), m.core.period_s};
  if (family.has_data_clock) burst.data_clock_s /= timing.at("WCK2CK").get<double>();

  m.part_kind = family.part_kind;
  const std::uint32_t half = m.core.banks / 2;
  if (m.part_kind == "DB") set_refresh_part(m, 2, half);
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
  const double beat_clock = family.has_data_clock ? burst.data_clock_s : m.core.period_s;
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
