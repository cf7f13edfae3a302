#include "physics/heat/power_map.h"

#include <numeric>

namespace diffram::physics::heat {

namespace {

using ledger::EnergyDriver;
using Weight = std::int64_t (*)(const base::ChannelCounters&, std::size_t);

/// A component is made by banks or by ranks, in proportion to a counter of theirs.
struct Source {
  Weight bank = nullptr;
  Weight rank = nullptr;
  bool by_columns = false;
};

Source source_of(EnergyDriver driver) {
  switch (driver) {
    case EnergyDriver::reads:
    case EnergyDriver::read_pins:
      return {[](const auto& c, std::size_t i) { return c.banks[i].rd + c.banks[i].rda; }, nullptr,
              true};
    case EnergyDriver::writes:
    case EnergyDriver::write_pins:
      return {[](const auto& c, std::size_t i) { return c.banks[i].wr + c.banks[i].wra; }, nullptr,
              true};
    case EnergyDriver::activation_tickets:
      return {[](const auto& c, std::size_t i) { return c.banks[i].act; }};
    case EnergyDriver::bank_open_cycles:
      return {[](const auto& c, std::size_t i) { return c.banks[i].open_cycles; }};
    case EnergyDriver::refresh:
      return {[](const auto& c, std::size_t i) { return c.whole_refreshes_of(i); }};
    case EnergyDriver::part_refresh:
      return {[](const auto& c, std::size_t i) { return c.part_refreshes_of(i); }};
    case EnergyDriver::rank_open_cycles:
      return {nullptr, [](const auto& c, std::size_t i) { return c.ranks[i].any_open_cycles; }};
    case EnergyDriver::rank_closed_cycles:
      return {nullptr, [](const auto& c, std::size_t i) { return c.ranks[i].closed_cycles; }};
    case EnergyDriver::idle:
      return {nullptr, [](const auto& c, std::size_t i) {
                const base::RankCounters& r = c.ranks[i];
                return r.power_down_active_cycles + r.power_down_precharge_cycles +
                       r.self_refresh_cycles + r.deep_sleep_cycles;
              }};
    case EnergyDriver::clock:
      return {};  // all ranks alike
  }
  return {};
}

/// Σ over the records of the weights, by bank or rank of the memory.
template <class Counters>
std::vector<double> weights_of(const ledger::RunRecord& run, std::size_t a_channel,
                               std::vector<Counters> base::ChannelCounters::* member,
                               Weight weight) {
  std::vector<double> out(std::size_t{run.channels} * a_channel);
  for (const ledger::StepRecord& record : run.records) {
    for (std::size_t c = 0; c < record.channels.size() && c < run.channels; ++c) {
      const std::size_t counted = (record.channels[c].*member).size();
      for (std::size_t i = 0; i < counted && i < a_channel; ++i)
        out[c * a_channel + i] +=
            static_cast<double>(record.weight * weight(record.channels[c], i));
    }
  }
  return out;
}

/// What nobody has counted is made by all alike.
void share_out(double watts, std::vector<double> weights, std::vector<double>& into) {
  double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum <= 0) {
    weights.assign(into.size(), 1.0);
    sum = static_cast<double>(into.size());
  }
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += watts * weights[i] / sum;
}

}  // namespace

double PowerMap::total() const {
  double sum = 0;
  for (const auto* part : {&of_bank, &of_columns, &of_rank})
    sum = std::accumulate(part->begin(), part->end(), sum);
  return sum;
}

PowerMap power_map(const ledger::RunRecord& run) { return power_map(run, run.energy); }

PowerMap power_map(const ledger::RunRecord& run,
                   std::span<const ledger::EnergyComponent> components) {
  PowerMap map;
  map.ranks = run.ranks;
  map.banks = run.bank_groups * run.banks_per_group;
  const std::size_t ranks = std::size_t{run.channels} * map.ranks;
  map.of_rank.resize(ranks);
  map.of_bank.resize(ranks * map.banks);
  map.of_columns.resize(ranks * map.banks);
  for (const ledger::StepRecord& record : run.records)
    map.seconds += static_cast<double>(record.weight * record.cycles) * run.clock.period_s();
  if (map.seconds <= 0) return map;
  for (const ledger::EnergyComponent& component : components) {
    const double watts = component.in_memory * component.joules / map.seconds;
    const Source source = source_of(component.driver);
    if (source.bank != nullptr) {
      share_out(watts,
                weights_of(run, std::size_t{map.ranks} * map.banks, &base::ChannelCounters::banks,
                           source.bank),
                source.by_columns ? map.of_columns : map.of_bank);
    } else if (source.rank != nullptr) {
      share_out(watts, weights_of(run, map.ranks, &base::ChannelCounters::ranks, source.rank),
                map.of_rank);
    } else {
      share_out(watts, std::vector<double>(ranks), map.of_rank);
    }
  }
  return map;
}

}  // namespace diffram::physics::heat
