#include "physics/interface_model.h"

namespace diffram::physics {

namespace {

double level_power(const InterfaceParameters& p, PinGroup g) {
  const spec::PinElectrics& pin = p.electrics.pins[g];
  return pin.is_terminated ? p.electrics.volts * p.electrics.volts / pin.ohms : 0.0;
}

PinEnergy driven(const InterfaceEnergy& energy, bool by_dram) {
  PinEnergy sum;
  for (std::size_t i = 0; i < spec::kPinGroups; ++i) {
    if (is_driven_by_dram(static_cast<PinGroup>(i)) != by_dram) continue;
    sum.level += energy.pins[i].level;
    sum.edges += energy.pins[i].edges;
  }
  return sum;
}

}  // namespace

bool is_driven_by_dram(PinGroup g) {
  return g == PinGroup::read_data || g == PinGroup::read_strobe || g == PinGroup::read_inversion;
}

double unit_interval_s(const InterfaceParameters& p, PinGroup group) {
  switch (group) {
    case PinGroup::clock:
      return p.period_s / 2;
    case PinGroup::command:
      return p.period_s / static_cast<double>(p.command_beats_per_clock);
    case PinGroup::write_clock:
      return p.period_s / static_cast<double>(2 * p.write_clocks_per_clock);
    default:
      return p.period_s / static_cast<double>(p.data_beats_per_clock);
  }
}

InterfaceEnergy interface_energy(const InterfaceParameters& p, const InterfaceCounts& counts) {
  InterfaceEnergy energy;
  for (std::size_t i = 0; i < spec::kPinGroups; ++i) {
    const auto group = static_cast<PinGroup>(i);
    const PinCounts& n = counts.pins[i];
    energy.pins[i] = {static_cast<double>(p.burns_low ? n.zeroes : n.ones) * level_power(p, group) *
                          unit_interval_s(p, group),
                      static_cast<double>(n.rises) * p.electrics.pins[i].joules_per_rise};
  }
  const auto add_ambles = [&](PinGroup strobe, const spec::StrobeAmble& amble, std::int64_t count) {
    energy.pins[strobe].level +=
        static_cast<double>(count) * amble.zeroes * level_power(p, strobe) * p.period_s;
    energy.pins[strobe].edges +=
        static_cast<double>(count) * amble.rises * p.electrics.pins[strobe].joules_per_rise;
  };
  add_ambles(PinGroup::read_strobe, p.electrics.read_amble, counts.read_ambles);
  add_ambles(PinGroup::write_strobe, p.electrics.write_amble, counts.write_ambles);
  return energy;
}

double InterfaceEnergy::total() const {
  return driven_by_dram().total() + driven_by_controller().total();
}
PinEnergy InterfaceEnergy::driven_by_dram() const { return driven(*this, true); }
PinEnergy InterfaceEnergy::driven_by_controller() const { return driven(*this, false); }

}  // namespace diffram::physics
