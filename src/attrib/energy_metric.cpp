#include <algorithm>

#include "attrib/energy_cut.h"
#include "attrib/metrics.h"
#include "attrib/weighted_counters.h"

namespace diffram::attrib {
namespace {

using ledger::EnergyDriver;

/// Energy of drivers that count nothing anywhere must not get lost.
void add_without_units(const EnergyRates& rates, TableBuilder& table,
                       std::uint32_t channel = kNone) {
  for (std::size_t d = 0; d < kDriverCount; ++d) {
    if (rates.has_units[d]) continue;
    Share share;
    share.channel = channel;
    share.account =
        d == slot(EnergyDriver::refresh) || d == slot(EnergyDriver::part_refresh) ? Account::refresh
        : d == slot(EnergyDriver::idle) || d == slot(EnergyDriver::clock)         ? Account::idle
                                                                          : Account::unassigned;
    share.joules = rates.joules[d];
    table.add(share);
  }
}

/// The accounts of one channel of one record.
void add_accounts(const ledger::RunRecord& run, std::uint32_t r, std::uint32_t c,
                  const EnergyRates& rates, TableBuilder& table) {
  const ledger::StepRecord& record = run.records[r];
  const base::ChannelCounters& channel = record.channels[c];
  const base::SharedCounters& shared = channel.shared;
  const auto add = [&](Account account, EnergyDriver driver, std::int64_t units) {
    if (units == 0) return;
    Share share;
    share.record = r;
    share.channel = c;
    share.account = account;
    share.joules = static_cast<double>(units * record.weight) * rates.rate[slot(driver)];
    table.add(share);
  };
  add(Account::row_held_open, EnergyDriver::bank_open_cycles, shared.row_held_open_bank_cycles);
  add(Account::refresh, EnergyDriver::bank_open_cycles, shared.refresh_bank_open_cycles);
  add(Account::idle, EnergyDriver::rank_open_cycles, shared.idle_rank_open_cycles);
  add(Account::idle, EnergyDriver::rank_closed_cycles, shared.idle_rank_closed_cycles);
  add(Account::idle, EnergyDriver::clock, channel.cycles);
  std::int64_t refreshed = 0, refreshed_in_part = 0;
  for (std::size_t bank = 0; bank < channel.banks.size(); ++bank) {
    refreshed += channel.whole_refreshes_of(bank);
    refreshed_in_part += channel.part_refreshes_of(bank);
  }
  add(Account::refresh, EnergyDriver::refresh, refreshed);
  add(Account::refresh, EnergyDriver::part_refresh, refreshed_in_part);
  for (const base::RankCounters& rank : channel.ranks)
    add(Account::idle, EnergyDriver::idle, asleep_cycles(rank));
  // Rows closed unused belong to their openers, as far as these are known.
  std::int64_t owned = channel.unnamed.wasted_activations;
  for (const base::OriginCounters& origin : channel.origins) owned += origin.wasted_activations;
  add(Account::wasted_activation, EnergyDriver::activation_tickets,
      shared.wasted_activation_tickets - owned * base::kActivationTickets);
}

/// Origins and accounts of all channels; a channel's rates are `rates_of_channel(channel)`.
template <class RatesOfChannel>
void cut_by_origin(const ledger::RunRecord& run, bool is_split, TableBuilder& table,
                   RatesOfChannel&& rates_of_channel) {
  visit_origins(run, is_split,
                [&](std::uint32_t record, std::uint32_t channel, std::uint32_t origin,
                    const base::OriginCounters& counters) {
                  const EnergyRates& rates = rates_of_channel(channel);
                  Share share;
                  share.record = record;
                  share.channel = channel;
                  share.origin = origin;
                  share.op = op_of(run, origin);
                  share.joules = rates.of(drivers_of(counters, pins_of(run, origin)));
                  table.add(share);
                  if (counters.wasted_activations == 0) return;
                  share.account = Account::wasted_activation;
                  share.joules =
                      rates.rate[slot(EnergyDriver::activation_tickets)] *
                      static_cast<double>(counters.wasted_activations * base::kActivationTickets);
                  table.add(share);
                });
  for (std::uint32_t r = 0; r < run.records.size(); ++r)
    for (std::uint32_t c = 0; c < run.records[r].channels.size(); ++c)
      add_accounts(run, r, c, rates_of_channel(c), table);
}

PerDriver units_of_bank(const base::ChannelCounters& channel, std::size_t bank) {
  const base::BankCounters& b = channel.banks[bank];
  PerDriver units{};
  units[slot(EnergyDriver::reads)] = b.rd + b.rda;
  units[slot(EnergyDriver::writes)] = b.wr + b.wra;
  units[slot(EnergyDriver::activation_tickets)] = b.act;
  units[slot(EnergyDriver::bank_open_cycles)] = b.open_cycles;
  units[slot(EnergyDriver::refresh)] = channel.whole_refreshes_of(bank);
  units[slot(EnergyDriver::part_refresh)] = channel.part_refreshes_of(bank);
  // Banks do not know whose their bursts were: each costs the mean.
  units[slot(EnergyDriver::read_pins)] = b.rd + b.rda;
  units[slot(EnergyDriver::write_pins)] = b.wr + b.wra;
  return units;
}

/// The ranks share CK.
PerDriver units_of_rank(const base::ChannelCounters& channel, std::size_t rank) {
  const base::RankCounters& r = channel.ranks[rank];
  PerDriver units{};
  units[slot(EnergyDriver::clock)] = channel.cycles;
  units[slot(EnergyDriver::rank_open_cycles)] = r.any_open_cycles;
  units[slot(EnergyDriver::rank_closed_cycles)] = r.closed_cycles;
  units[slot(EnergyDriver::idle)] = asleep_cycles(r);
  return units;
}

/// visit(share, units): every bank, and every rank for what its banks have in common.
template <class Visit>
void visit_places(const ledger::RunRecord& run, Visit&& visit) {
  const std::uint32_t banks = std::max(1u, run.bank_groups * run.banks_per_group);
  for (std::uint32_t r = 0; r < run.records.size(); ++r) {
    const auto weigh = [&](PerDriver units) {
      for (std::int64_t& u : units) u *= run.records[r].weight;
      return units;
    };
    for (std::uint32_t c = 0; c < run.records[r].channels.size(); ++c) {
      const base::ChannelCounters& channel = run.records[r].channels[c];
      Share share;
      share.record = r;
      share.channel = c;
      for (std::uint32_t b = 0; b < channel.banks.size(); ++b) {
        share.rank = b / banks;
        share.bank = b % banks;
        visit(share, weigh(units_of_bank(channel, b)));
      }
      share.bank = kNone;
      for (std::uint32_t k = 0; k < channel.ranks.size(); ++k) {
        share.rank = k;
        visit(share, weigh(units_of_rank(channel, k)));
      }
    }
  }
}

void cut_by_place(const ledger::RunRecord& run, TableBuilder& table) {
  PerDriver all{};
  visit_places(run, [&](const Share&, const PerDriver& units) {
    for (std::size_t d = 0; d < kDriverCount; ++d) all[d] += units[d];
  });
  const EnergyRates rates = energy_rates(run, all);
  visit_places(run, [&](Share share, const PerDriver& units) {
    share.joules = rates.of(units);
    table.add(share);
  });
  add_without_units(rates, table);
}

}  // namespace

void cut_energy(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table) {
  if (holds_any(axes, {Axis::rank, Axis::bank})) return cut_by_place(run, table);
  const EnergyRates rates = energy_rates(run);
  cut_by_origin(run, holds_any(axes, {Axis::step, Axis::channel}), table,
                [&](std::uint32_t) -> const EnergyRates& { return rates; });
  add_without_units(rates, table);
}

void cut_by_channel(const ledger::RunRecord& run, std::span<const EnergyRates> rates,
                    TableBuilder& table) {
  cut_by_origin(run, true, table,
                [&](std::uint32_t channel) -> const EnergyRates& { return rates[channel]; });
  for (std::uint32_t c = 0; c < rates.size(); ++c) add_without_units(rates[c], table, c);
}

}  // namespace diffram::attrib
