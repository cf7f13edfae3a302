// Heat: how much each one's power raises the hottest place of the dies above the air. The record
// holds the rise by component and place (physics works it out); a component's rise in a channel is
// shared as its energy in that channel is, so the power of another package heats nothing here.

#include "attrib/energy_cut.h"
#include "attrib/metrics.h"

namespace diffram::attrib {
namespace {

/// What does not come from the memory's own power.
void add_surroundings(const ledger::HottestPlace& place, TableBuilder& table) {
  const auto add = [&](Account account, double kelvin) {
    Share share;
    share.account = account;
    share.joules = kelvin;
    table.add(share);
  };
  add(Account::base_dies, place.of_base);
  add(Account::logic_dies, place.of_logic);
  add(Account::neighbour, place.of_neighbour);
  add(Account::board, place.of_board);
}

void cut_by_place(const ledger::HottestPlace& place, TableBuilder& table) {
  for (const ledger::PlacedRise& rise : place.of_memory) {
    Share share;
    share.channel = rise.channel;
    share.rank = rise.rank;
    if (rise.bank != ledger::kWholeRank) share.bank = rise.bank;
    share.joules = rise.kelvin;
    table.add(share);
  }
}

/// Kelvin per integer, by channel.
std::vector<EnergyRates> heat_rates(const ledger::RunRecord& run) {
  std::size_t channels = 0;
  for (const ledger::StepRecord& record : run.records)
    channels = std::max(channels, record.channels.size());
  for (const ledger::PlacedRise& rise : run.hottest.of_memory)
    channels = std::max(channels, std::size_t{rise.channel} + 1);
  std::vector<std::array<double, kDriverCount>> kelvin(channels);
  for (const ledger::PlacedRise& rise : run.hottest.of_memory)
    kelvin[rise.channel][slot(run.energy[rise.component].driver)] += rise.kelvin;
  std::vector<EnergyRates> rates;
  rates.reserve(channels);
  for (std::uint32_t c = 0; c < channels; ++c)
    rates.push_back(rates_of(kelvin[c], units_of_channel(run, c)));
  return rates;
}

}  // namespace

void cut_heat(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table) {
  if (holds_any(axes, {Axis::rank, Axis::bank}))
    cut_by_place(run.hottest, table);
  else
    cut_by_channel(run, heat_rates(run), table);
  add_surroundings(run.hottest, table);
}

}  // namespace diffram::attrib
