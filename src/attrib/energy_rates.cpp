#include "attrib/energy_rates.h"

#include <algorithm>

#include "attrib/weighted_counters.h"

namespace diffram::attrib {

using ledger::EnergyDriver;

const ledger::PinPrice& pins_of(const ledger::RunRecord& run, std::uint32_t origin) {
  const ledger::TensorRow* tensor = run.tensor_of(origin);
  return tensor == nullptr ? run.unnamed_pins : tensor->pins;
}

PerDriver drivers_of(const base::OriginCounters& c, const ledger::PinPrice& pins) {
  PerDriver units{};
  units[slot(EnergyDriver::reads)] = c.reads;
  units[slot(EnergyDriver::writes)] = c.writes;
  units[slot(EnergyDriver::activation_tickets)] = c.activation_tickets;
  units[slot(EnergyDriver::bank_open_cycles)] = c.bank_open_cycles;
  units[slot(EnergyDriver::rank_open_cycles)] = c.rank_open_cycles;
  units[slot(EnergyDriver::rank_closed_cycles)] = c.rank_closed_cycles;
  units[slot(EnergyDriver::read_pins)] = c.reads * pins.read_pj;
  units[slot(EnergyDriver::write_pins)] = c.writes * pins.write_pj;
  return units;
}

double EnergyRates::of(const PerDriver& units) const {
  double sum = 0;
  for (std::size_t d = 0; d < kDriverCount; ++d) sum += static_cast<double>(units[d]) * rate[d];
  return sum;
}

EnergyRates energy_rates(const ledger::RunRecord& run, const PerDriver& units) {
  std::array<double, kDriverCount> joules{};
  for (const ledger::EnergyComponent& component : run.energy)
    joules[slot(component.driver)] += component.joules;
  return rates_of(joules, units);
}

EnergyRates rates_of(const std::array<double, kDriverCount>& amounts, const PerDriver& units) {
  EnergyRates rates;
  rates.joules = amounts;
  for (std::size_t d = 0; d < kDriverCount; ++d) {
    rates.has_units[d] = units[d] != 0;
    if (rates.has_units[d]) rates.rate[d] = rates.joules[d] / static_cast<double>(units[d]);
  }
  return rates;
}

PerDriver units_of_channel(const ledger::RunRecord& run, std::uint32_t index) {
  PerDriver units{};
  for (const ledger::StepRecord& record : run.records) {
    if (index >= record.channels.size()) continue;
    const base::ChannelCounters& channel = record.channels[index];
    const auto add_origin = [&](const base::OriginCounters& counters,
                                const ledger::PinPrice& pins) {
      const PerDriver parts = drivers_of(counters, pins);
      for (std::size_t d = 0; d < kDriverCount; ++d) units[d] += parts[d] * record.weight;
    };
    for (std::uint32_t i = 0; i < channel.origins.size(); ++i)
      add_origin(channel.origins[i], pins_of(run, record.first_origin + i));
    add_origin(channel.unnamed, run.unnamed_pins);
    const base::SharedCounters& s = channel.shared;
    const auto add = [&](EnergyDriver driver, std::int64_t count) {
      units[slot(driver)] += count * record.weight;
    };
    add(EnergyDriver::activation_tickets, s.wasted_activation_tickets);
    add(EnergyDriver::bank_open_cycles, s.row_held_open_bank_cycles + s.refresh_bank_open_cycles);
    add(EnergyDriver::rank_open_cycles, s.idle_rank_open_cycles);
    add(EnergyDriver::rank_closed_cycles, s.idle_rank_closed_cycles);
    add(EnergyDriver::clock, channel.cycles);
    for (const base::RankCounters& rank : channel.ranks)
      add(EnergyDriver::idle, asleep_cycles(rank));
    for (std::size_t bank = 0; bank < channel.banks.size(); ++bank) {
      add(EnergyDriver::refresh, channel.whole_refreshes_of(bank));
      add(EnergyDriver::part_refresh, channel.part_refreshes_of(bank));
    }
  }
  return units;
}

EnergyRates energy_rates(const ledger::RunRecord& run) {
  std::size_t channels = 0;
  for (const ledger::StepRecord& record : run.records)
    channels = std::max(channels, record.channels.size());
  PerDriver units{};
  for (std::uint32_t c = 0; c < channels; ++c) {
    const PerDriver more = units_of_channel(run, c);
    for (std::size_t d = 0; d < kDriverCount; ++d) units[d] += more[d];
  }
  return energy_rates(run, units);
}

}  // namespace diffram::attrib
