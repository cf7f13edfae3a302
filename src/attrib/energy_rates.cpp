#include "attrib/energy_rates.h"

#include <algorithm>

#include "attrib/weighted_counters.h"

namespace diffram::attrib {

using ledger::EnergyDriver;

PerDriver drivers_of(const base::OriginCounters& c) {
  PerDriver units{};
  units[slot(EnergyDriver::reads)] = c.reads;
  units[slot(EnergyDriver::writes)] = c.writes;
  units[slot(EnergyDriver::activation_tickets)] = c.activation_tickets;
  units[slot(EnergyDriver::bank_open_cycles)] = c.bank_open_cycles;
  units[slot(EnergyDriver::rank_open_cycles)] = c.rank_open_cycles;
  units[slot(EnergyDriver::rank_closed_cycles)] = c.rank_closed_cycles;
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
  base::OriginCounters sum;
  PerDriver shared{};
  for (const ledger::StepRecord& record : run.records) {
    if (index >= record.channels.size()) continue;
    const base::ChannelCounters& channel = record.channels[index];
    for (const base::OriginCounters& origin : channel.origins)
      add_weighted(sum, origin, record.weight);
    add_weighted(sum, channel.unnamed, record.weight);
    const base::SharedCounters& s = channel.shared;
    const auto add = [&](EnergyDriver driver, std::int64_t units) {
      shared[slot(driver)] += units * record.weight;
    };
    add(EnergyDriver::activation_tickets, s.wasted_activation_tickets);
    add(EnergyDriver::bank_open_cycles, s.row_held_open_bank_cycles + s.refresh_bank_open_cycles);
    add(EnergyDriver::rank_open_cycles, s.idle_rank_open_cycles);
    add(EnergyDriver::rank_closed_cycles, s.idle_rank_closed_cycles);
    for (const base::RankCounters& rank : channel.ranks)
      add(EnergyDriver::idle, asleep_cycles(rank));
    for (std::size_t bank = 0; bank < channel.banks.size(); ++bank) {
      add(EnergyDriver::refresh, channel.whole_refreshes_of(bank));
      add(EnergyDriver::part_refresh, channel.part_refreshes_of(bank));
    }
  }
  PerDriver units = drivers_of(sum);
  for (std::size_t d = 0; d < kDriverCount; ++d) units[d] += shared[d];
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
