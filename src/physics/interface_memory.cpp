#include "physics/interface_memory.h"

#include <fmt/format.h>

#include <cmath>

namespace diffram::physics {

namespace {

constexpr std::uint32_t kBeatsPerStrobe = 2;

BankMode bank_mode(const spec::Organisation& organisation) {
  if (organisation.bank_groups > 1) return BankMode::groups;
  return organisation.banks() <= 8 ? BankMode::eight_banks : BankMode::sixteen_banks;
}

InterfaceShape shape_of(const std::string& standard, const spec::Organisation& organisation) {
  InterfaceShape shape;
  shape.standard = standard;
  shape.bank_mode = bank_mode(organisation);
  shape.ranks = organisation.ranks;
  shape.devices = organisation.devices();
  shape.device_width = organisation.device_width;
  shape.burst_length = organisation.burst_length;
  return shape;
}

}  // namespace

InterfaceShape interface_shape(const spec::DrampowerMemspec& memory, InterfaceRules rules) {
  InterfaceShape shape = shape_of(memory.standard, memory.organisation);
  shape.rules = rules;
  shape.data_rate = memory.data_rate;
  shape.write_clocks_per_clock = memory.write_clocks_per_clock;
  shape.write_clock_always_on = memory.write_clock_always_on;
  return shape;
}

InterfaceShape interface_shape(const spec::MemorySpec& memory) {
  InterfaceShape shape = shape_of(memory.standard, memory.organisation);
  const double beats_per_clock =
      static_cast<double>(memory.megatransfers) * 1e6 * memory.clock.period_s();
  if (shape.has_write_clock())
    shape.write_clocks_per_clock =
        static_cast<std::uint32_t>(std::lround(beats_per_clock / kBeatsPerStrobe));
  // The data clock of our tables starts for bursts and stops behind them, where it has to be
  // started at all.
  shape.write_clock_always_on =
      memory.protocol.clock_after_read == 0 && memory.protocol.clock_after_write == 0;
  return shape;
}

spec::Interface interface_of(const spec::Pads& pads, const spec::Organisation& organisation) {
  spec::Interface out;
  out.volts = pads.volts;
  const double swing = pads.volts * pads.volts;
  const auto set_data = [&](PinGroup group, double memory_ohms) {
    spec::PinElectrics& pin = out.pins[group];
    pin.is_terminated = pads.termination_ohms > 0;
    pin.ohms = pads.driver_ohms + pads.termination_ohms;
    pin.memory_ohms = memory_ohms;
    pin.joules_per_rise = pads.data_farads * organisation.ranks * swing;
  };
  for (const auto group : {PinGroup::read_data, PinGroup::read_strobe, PinGroup::read_inversion})
    set_data(group, pads.driver_ohms);
  for (const auto group : {PinGroup::write_data, PinGroup::write_strobe, PinGroup::write_inversion})
    set_data(group, pads.termination_ohms);
  const double devices = 1.0 * organisation.ranks * organisation.devices();
  for (const auto group : {PinGroup::clock, PinGroup::command, PinGroup::write_clock})
    out.pins[group].joules_per_rise = pads.command_farads * devices * swing;
  return out;
}

bool has_interface_model(const std::string& standard) {
  return CommandPins::of(standard).has_value();
}

InterfaceParameters interface_parameters(const spec::Interface& electrics,
                                         const InterfaceShape& shape, double period_s) {
  InterfaceParameters p;
  p.electrics = electrics;
  p.period_s = period_s;
  p.burns_low = !shape.standard.starts_with("LP");
  p.data_beats_per_clock = shape.beats_per_clock();
  p.command_beats_per_clock = CommandPins::known(shape.standard).beats_per_clock();
  p.write_clocks_per_clock = shape.write_clocks_per_clock;
  return p;
}

std::optional<std::string> refused_data(const InterfaceShape& shape,
                                        std::span<const std::uint8_t> data) {
  const std::size_t bits = data.size() * 8;
  if (bits % shape.data_pins() == 0) return std::nullopt;
  return fmt::format("{} bits of data are no whole number of beats of {} pins", bits,
                     shape.data_pins());
}

}  // namespace diffram::physics
