// The 37 interface cases of DRAMPower, by its own rules: pin counts equal, energies within 1e-6.

#include <gtest/gtest.h>

#include <cmath>

#include "physics/golden_interface.h"

namespace diffram::physics {
namespace {

using nlohmann::json;

constexpr double kRelativeTolerance = 1e-6;  // of the golden file's README

GoldenInterface memory_of(const json& golden, const json& test_case) {
  GoldenInterface m = golden_interface(golden.at("memspecs").at(test_case.at("memspec")));
  override_interface(m, test_case.at("spec_overrides"));
  m.shape.inverts_data = test_case.value("dbi_enabled", false);
  const std::string id = test_case.at("id");
  if (id.ends_with("OnDemand")) m.shape.write_clock_always_on = false;
  if (id.ends_with("BG_Mode")) m.shape.bank_mode = BankMode::groups;
  if (test_case.contains("toggle")) {
    const json& toggle = test_case.at("toggle");
    m.shape.rates =
        DataRates{toggle.at("togglingRateRead"),       toggle.at("togglingRateWrite"),
                  toggle.at("dutyCycleRead"),          toggle.at("dutyCycleWrite"),
                  toggle.at("idlePatternRead") == "H", toggle.at("idlePatternWrite") == "H"};
  }
  return m;
}

InterfaceCounts replay(const GoldenInterface& m, const json& commands) {
  InterfaceReplay replay(m.shape);
  std::int64_t end = 0;
  for (const json& row : commands) {
    end = row.at(0);
    if (row.at(1) == "END_OF_SIMULATION") break;
    const std::string name = jedec_name(row.at(1));
    const std::vector<std::uint8_t> data = golden_data(row, m.shape.standard);
    const json& place = row.at(2);
    const auto at = [&](std::size_t i) {
      return place.size() > i ? place.at(i).get<std::uint32_t>() : 0u;
    };
    replay.apply({end, name, at(2), {at(1), at(0), at(3), at(4)}, data});
  }
  return replay.at(end);
}

/// "readBus" and "togglingStats.read" are the same pins: which of the two DRAMPower fills depends
/// on whether rates were given; the other stays 0.
const PinCounts* pins_named(const InterfaceCounts& counts, const std::string& name,
                            bool has_rates) {
  static const PinCounts none;
  const auto& pins = counts.pins;
  if (name == "clockStats") return &pins[PinGroup::clock];
  if (name == "wClockStats") return &pins[PinGroup::write_clock];
  if (name == "commandBus") return &pins[PinGroup::command];
  if (name == "readDQSStats") return &pins[PinGroup::read_strobe];
  if (name == "writeDQSStats") return &pins[PinGroup::write_strobe];
  if (name == "readDBI") return &pins[PinGroup::read_inversion];
  if (name == "writeDBI") return &pins[PinGroup::write_inversion];
  if (name == "readBus") return has_rates ? &none : &pins[PinGroup::read_data];
  if (name == "writeBus") return has_rates ? &none : &pins[PinGroup::write_data];
  if (name == "togglingStats.read") return &pins[PinGroup::read_data];
  if (name == "togglingStats.write") return &pins[PinGroup::write_data];
  throw std::runtime_error("unknown pins " + name);
}

std::int64_t pin_figure(const PinCounts& pins, const std::string& name) {
  if (name == "ones") return pins.ones;
  if (name == "zeroes") return pins.zeroes;
  if (name == "ones_to_zeroes") return pins.falls;
  if (name == "zeroes_to_ones") return pins.rises;
  if (name == "bit_changes") return pins.falls + pins.rises;
  throw std::runtime_error("unknown figure " + name);
}

std::int64_t figure(const InterfaceCounts& counts, const std::string& q, bool has_rates) {
  if (q == "prepos.readSeamless") return counts.reads_seamless;
  if (q == "prepos.writeSeamless") return counts.writes_seamless;
  if (q.starts_with("prepos.")) return 0;  // "merged": DRAMPower never counts any
  const auto dot = q.rfind('.');
  return pin_figure(*pins_named(counts, q.substr(6, dot - 6), has_rates), q.substr(dot + 1));
}

/// Counts that a case states instead of commands.
InterfaceCounts stated_counts(const json& stats) {
  InterfaceCounts counts;
  std::int64_t reads = 0, writes = 0;
  for (const auto& [q, value] : stats.items()) {
    const std::int64_t n = value;
    const std::string of_rank = "rank_total[0].";
    if (q.starts_with(of_rank)) {
      const std::string name = q.substr(of_rank.size());
      if (name == "counter.reads" || name == "counter.readAuto") reads += n;
      if (name == "counter.writes" || name == "counter.writeAuto") writes += n;
      if (name == "prepos.readSeamless") reads -= n;
      if (name == "prepos.writeSeamless") writes -= n;
      continue;
    }
    const auto dot = q.rfind('.');
    auto& pins = const_cast<PinCounts&>(*pins_named(counts, q.substr(0, dot), false));
    const std::string name = q.substr(dot + 1);
    (name == "ones"             ? pins.ones
     : name == "zeroes"         ? pins.zeroes
     : name == "ones_to_zeroes" ? pins.falls
                                : pins.rises) = n;
  }
  counts.read_ambles = reads, counts.write_ambles = writes;
  return counts;
}

double energy_figure(const InterfaceEnergy& energy, const std::string& q) {
  const PinEnergy side =
      q.starts_with("result.dram") ? energy.driven_by_dram() : energy.driven_by_controller();
  return q.ends_with("staticEnergy") ? side.level : side.edges;
}

TEST(DramPowerInterface, all_37_cases_agree) {
  const json golden = read_interface_golden();
  ASSERT_EQ(golden.at("cases").size(), 37u);
  std::size_t figures = 0;
  for (const json& test_case : golden.at("cases")) {
    SCOPED_TRACE(test_case.at("id").get<std::string>());
    const GoldenInterface m = memory_of(golden, test_case);
    if (test_case.contains("given_pin_stats")) {
      const InterfaceEnergy energy =
          interface_energy(m.parameters, stated_counts(test_case.at("given_pin_stats")));
      for (const json& expected : test_case.at("expect")) {
        const double joules = expected.at("expect");
        EXPECT_NEAR(energy_figure(energy, expected.at("q")), joules, joules * kRelativeTolerance)
            << expected.at("q");
        ++figures;
      }
      continue;
    }
    const InterfaceCounts counts = replay(m, test_case.at("commands"));
    for (const json& expected : test_case.at("expect")) {
      EXPECT_EQ(figure(counts, expected.at("q"), m.shape.rates.has_value()),
                expected.at("expect").get<std::int64_t>())
          << expected.at("q");
      ++figures;
    }
  }
  EXPECT_EQ(figures, 506u);
}

}  // namespace
}  // namespace diffram::physics
