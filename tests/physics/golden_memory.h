#pragma once
// The synthetic DDR4 memory of DRAMPower's unit tests, and what a golden case overrides in it: the
// overrides write into already derived numbers (energy-and-heat.md 2e).

#include <zlib.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "physics/command_replay.h"
#include "physics/core_model.h"

namespace diffram::physics {

inline nlohmann::json read_golden() {
  const std::string path = DIFFRAM_SOURCE_DIR "/tests/oracle/data/drampower_ddr4_core.json.gz";
  const gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("cannot open " + path);
  std::string text;
  char buffer[65536];
  for (int n; (n = gzread(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  gzclose(file);
  return nlohmann::json::parse(text);
}

struct GoldenMemory {
  CoreParameters core;
  ReplayTimings replay;

  CorePower power() const { return core_power(core); }
  CoreEnergy energy(const CoreCounts& counts) const {
    return core_energy(power(), counts, core.period_s);
  }
  CoreEnergy energy(const base::ChannelCounters& channel) const {
    CoreCounts counts;
    counts.add(channel);
    return energy(counts);
  }
};

inline GoldenMemory golden_memory(const nlohmann::json& memspec) {
  const auto& shape = memspec.at("memarchitecturespec");
  const auto& power = memspec.at("mempowerspec");
  const auto& timing = memspec.at("memtimingspec");
  const auto rail = [&](const std::string& v, const std::string& i, const std::string& beta) {
    spec::RailCurrents r;
    r.volts = power.at(v);
    r.i0 = power.at(i + "0");
    r.i2n = power.at(i + "2n");
    r.i3n = power.at(i + "3n");
    r.i4r = power.at(i + "4r");
    r.i4w = power.at(i + "4w");
    r.i5 = power.at(i + "5B");
    r.i6 = power.at(i + "6n");
    r.i2p = power.at(i + "2p");
    r.i3p = power.at(i + "3p");
    r.i_beta = power.at(beta);
    return r;
  };
  GoldenMemory m;
  m.core.currents.rails = {rail("vdd", "idd", "iBeta_vdd"), rail("vpp", "ipp", "iBeta_vpp")};
  m.core.currents.rho = memspec.at("bankwisespec").at("factRho");
  m.core.devices = shape.at("nbrOfDevices");
  m.core.banks = m.replay.banks = shape.at("nbrOfBanks");
  m.replay.ranks = shape.at("nbrOfRanks");
  m.core.period_s = timing.at("tCK");
  m.core.ras = timing.at("RAS");
  m.core.rp = timing.at("RP");
  m.core.rfc = timing.at("RFC1");
  m.core.burst = shape.at("burstLength").get<double>() / shape.at("dataRate").get<double>();
  m.replay.ras = timing.at("RAS");
  m.replay.rcd = timing.at("RCD");
  m.replay.rp = timing.at("RP");
  m.replay.rfc = timing.at("RFC1");
  m.replay.read_to_auto_precharge =
      timing.at("AL").get<std::int64_t>() + timing.at("RTP").get<std::int64_t>();
  m.replay.write_to_auto_precharge = timing.at("WL").get<std::int64_t>() +
                                     static_cast<std::int64_t>(m.core.burst) +
                                     timing.at("WR").get<std::int64_t>();
  return m;
}

inline void override_memory(GoldenMemory& m, const nlohmann::json& overrides) {
  spec::RailCurrents& vdd = m.core.currents.rails.front();
  double burst_length = 8, data_rate = 2;
  for (const auto& [key, value] : overrides.items()) {
    const bool is_copy = value.is_string();  // "=memPowerSpec[0].iXX0"
    const double number = is_copy ? 0.0 : value.get<double>();
    const auto integer = static_cast<std::int64_t>(number);
    // clang-format off
    if (key == "numberOfDevices") m.core.devices = static_cast<std::uint32_t>(number);
    else if (key == "numberOfRanks") m.replay.ranks = static_cast<std::uint32_t>(number);
    else if (key == "numberOfBanks") m.core.banks = m.replay.banks = static_cast<std::uint32_t>(number);
    else if (key == "burstLength") burst_length = number;
    else if (key == "dataRate") data_rate = number;
    else if (key == "memTimingSpec.tCK") m.core.period_s = number;
    else if (key == "memTimingSpec.tRAS") { m.core.ras = number; m.replay.ras = integer; }
    else if (key == "memTimingSpec.tRP") { m.core.rp = number; m.replay.rp = integer; }
    else if (key == "memTimingSpec.tRCD") m.replay.rcd = integer;
    else if (key == "memTimingSpec.tRFC") { m.core.rfc = number; m.replay.rfc = integer; }
    else if (key == "prechargeOffsetRD") m.replay.read_to_auto_precharge = integer;
    else if (key == "prechargeOffsetWR") m.replay.write_to_auto_precharge = integer;
    else if (key == "bwParams.bwPowerFactRho") m.core.currents.rho = number;
    else if (key == "memPowerSpec[0].vXX") vdd.volts = number;
    else if (key == "memPowerSpec[0].iXX0") vdd.i0 = number;
    else if (key == "memPowerSpec[0].iXX2N") vdd.i2n = number;
    else if (key == "memPowerSpec[0].iXX3N") vdd.i3n = number;
    else if (key == "memPowerSpec[0].iXX4R") vdd.i4r = number;
    else if (key == "memPowerSpec[0].iXX4W") vdd.i4w = number;
    else if (key == "memPowerSpec[0].iXX5X") vdd.i5 = number;
    else if (key == "memPowerSpec[0].iXX6N") vdd.i6 = number;
    else if (key == "memPowerSpec[0].iXX2P") vdd.i2p = number;
    else if (key == "memPowerSpec[0].iXX3P") vdd.i3p = number;
    else if (key == "memPowerSpec[0].iBeta") continue;  // after the loop: it copies iXX0
    // These enter no formula of ours: the precharge offsets that they would change are not
    // derived again, banks are numbered without groups.
    else if (key == "bitWidth" || key == "numberOfBankGroups" || key == "memTimingSpec.tAL" ||
             key == "memTimingSpec.tRTP" || key == "memTimingSpec.tWR" ||
             key == "memTimingSpec.tWL" || key == "memTimingSpec.tBurst") continue;
    else throw std::runtime_error("unknown override " + key);
    // clang-format on
  }
  m.core.burst = burst_length / data_rate;
  if (overrides.contains("memPowerSpec[0].iBeta")) vdd.i_beta = vdd.i0;
}

inline TimedCommand golden_command(const nlohmann::json& row) {
  using spec::Command;
  const std::string name = row.at(1);
  const auto& place = row.at(2);
  TimedCommand c;
  c.cycle = row.at(0);
  c.bank = place.size() > 0 ? place.at(0).get<std::uint32_t>() : 0;
  c.rank = place.size() > 2 ? place.at(2).get<std::uint32_t>() : 0;
  // clang-format off
  if (name == "ACT") c.command = Command::ACT;
  else if (name == "PRE") c.command = Command::PRE;
  else if (name == "PREA") c.command = Command::PREA;
  else if (name == "RD") c.command = Command::RD;
  else if (name == "RDA") c.command = Command::RDA;
  else if (name == "WR") c.command = Command::WR;
  else if (name == "WRA") c.command = Command::WRA;
  else if (name == "REFA") c.command = Command::REFab;
  else if (name == "SREFEN") c.command = Command::SREFE;
  else if (name == "SREFEX") c.command = Command::SREFX;
  else if (name == "PDEA") { c.command = Command::PDE; c.power_down = PowerDown::active; }
  else if (name == "PDEP") { c.command = Command::PDE; c.power_down = PowerDown::precharge; }
  else if (name == "PDXA" || name == "PDXP") c.command = Command::PDX;
  else throw std::runtime_error("unknown command " + name);
  // clang-format on
  return c;
}

}  // namespace diffram::physics
