#include "attrib/energy_rates.h"

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
  EnergyRates rates;
  for (const ledger::EnergyComponent& component : run.energy)
    rates.joules[slot(component.driver)] += component.joules;
  for (std::size_t d = 0; d < kDriverCount; ++d) {
    rates.has_units[d] = units[d] != 0;
    if (rates.has_units[d]) rates.rate[d] = rates.joules[d] / static_cast<double>(units[d]);
  }
  return rates;
}

EnergyRates energy_rates(const ledger::RunRecord& run) {
  PerDriver units{};
  visit_origins(run, false,
                [&](std::uint32_t, std::uint32_t, std::uint32_t origin,
                    const base::OriginCounters& counters) {
                  const PerDriver parts = drivers_of(counters, pins_of(run, origin));
                  for (std::size_t d = 0; d < kDriverCount; ++d) units[d] += parts[d];
                });
  for (const ledger::StepRecord& record : run.records)
    for (const base::ChannelCounters& channel : record.channels) {
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
  return energy_rates(run, units);
}

}  // namespace diffram::attrib
