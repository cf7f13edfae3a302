#include "spec/current_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace diffram::spec {

namespace {

constexpr double kMostMilliampere = 100'000;
constexpr double kMostPicojoulePerBit = 1000, kMostPicojoulePerActivation = 1e6;

double ampere(Section& rail, const std::string& key) {
  const auto milliampere = rail.real(key, 0, kMostMilliampere, Need::optional);
  return milliampere ? *milliampere / 1000 : kUnknownCurrent;
}

RailCurrents read_rail(Section rail, const std::string& name, const CurrentLoops& loops) {
  RailCurrents out;
  out.name = name;
  out.volts = rail.real("volts", 0.1, 10).value_or(1);
  out.i0 = ampere(rail, "I0");
  out.i2n = ampere(rail, "I2N");
  out.i2p = ampere(rail, "I2P");
  out.i3n = ampere(rail, "I3N");
  out.i3p = ampere(rail, "I3P");
  out.i4r = ampere(rail, "I4R");
  out.i4w = ampere(rail, "I4W");
  out.i5 = ampere(rail, "I5");
  out.i5_2x = ampere(rail, "I5F2");
  out.i5_4x = ampere(rail, "I5F4");
  if (!loops.part_refresh.empty()) out.i5_part = ampere(rail, loops.part_refresh);
  out.i6 = ampere(rail, "I6");
  out.i6_deep = ampere(rail, "I6DS");
  const double beta = ampere(rail, "IBeta");
  out.i_beta = std::isnan(beta) ? out.i0 : beta;
  rail.refuse_unknown_keys();
  return out;
}

std::optional<Currents> read_currents(Section section, Section about, const CurrentLoops& loops,
                                      Reading& reading) {
  if (!section.present()) return std::nullopt;
  Currents out;
  out.estimated = about.flag("estimated", Need::optional).value_or(false);
  out.part = about.text("part", Need::optional).value_or("");
  out.measured = about.flag("measured", Need::optional).value_or(false);
  out.unknown_rails = about.texts("unknown_rails", Need::optional);
  section.note_known({"estimated", "measured", "part", "unknown_rails"});
  out.rho = section.real("rho", 0, 1, Need::optional).value_or(1);
  for (const std::string& name : loops.rails) {
    if (section.has(name))
      out.rails.push_back(read_rail(section.section(name, Need::optional), name, loops));
  }
  for (const std::string& name : out.unknown_rails) {
    if (std::find(loops.rails.begin(), loops.rails.end(), name) == loops.rails.end())
      reading.refuse("unknown_choice", "currents.unknown_rails", about.line_of("unknown_rails"),
                     "the standard's core has no rail '" + name + "'",
                     fmt::format("{}", fmt::join(loops.rails, ", ")));
  }
  if (out.rails.empty() && !loops.rails.empty())
    reading.refuse("missing_key", "currents", 0, "no rail is given",
                   "[currents." + loops.rails.front() + "]");
  section.refuse_unknown_keys();
  return out;
}

std::optional<EventEnergies> read_event_energies(Section section, Section about) {
  if (!section.present()) return std::nullopt;
  constexpr double kPicojoule = 1e-12;
  EventEnergies out;
  out.scope = about.text("scope").value_or("");
  section.note_known({"scope"});
  out.read_j_per_bit = kPicojoule * section.real("read", 0.01, kMostPicojoulePerBit).value_or(0);
  out.write_j_per_bit = kPicojoule * section.real("write", 0.01, kMostPicojoulePerBit).value_or(0);
  out.activate_j =
      kPicojoule *
      section.real("activate", 1, kMostPicojoulePerActivation, Need::optional).value_or(0);
  section.refuse_unknown_keys();
  return out;
}

}  // namespace

void read_energy(Section& root, const CurrentLoops& loops, MemorySpec& memory, Reading& reading) {
  const auto plain = [&](const char* name) { return root.section(name, Need::optional, ""); };
  memory.currents =
      read_currents(root.section("currents", Need::optional), plain("currents"), loops, reading);
  memory.event_energies =
      read_event_energies(root.section("energy_per_bit", Need::optional), plain("energy_per_bit"));
  if (memory.currents && memory.event_energies)
    reading.refuse("not_both", "energy_per_bit", 0,
                   "the memory has currents, and energy is computed from those",
                   "[currents] or [energy_per_bit]");
}

}  // namespace diffram::spec
