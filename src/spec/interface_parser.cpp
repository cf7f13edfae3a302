#include "spec/interface_parser.h"

namespace diffram::spec {

namespace {

constexpr double kLeastVolts = 0.1, kMostVolts = 5;
constexpr double kMostOhms = 1e5;
constexpr double kMostPicofarads = 100, kPicofarad = 1e-12;

}  // namespace

std::optional<Pads> read_pads(Section section, const std::optional<Pads>& otherwise) {
  if (!section.present()) return otherwise;
  const Need need = otherwise ? Need::optional : Need::required;
  Pads out = otherwise.value_or(Pads{});
  const auto read = [&](const char* key, double least, double most, double unit, double& into) {
    if (const auto value = section.real(key, least, most, need)) into = *value * unit;
  };
  read("volts", kLeastVolts, kMostVolts, 1, out.volts);
  read("driver_ohms", 1, kMostOhms, 1, out.driver_ohms);
  read("termination_ohms", 0, kMostOhms, 1, out.termination_ohms);
  read("data_pf", 0, kMostPicofarads, kPicofarad, out.data_farads);
  read("command_pf", 0, kMostPicofarads, kPicofarad, out.command_farads);
  section.refuse_unknown_keys();
  return out;
}

}  // namespace diffram::spec
