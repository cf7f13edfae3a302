#include "physics/core_energy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <utility>

#include "physics/core_model.h"
#include "physics/run_pins.h"

namespace diffram::physics {
namespace {

using base::Severity;
using ledger::EnergyDriver;

std::vector<ledger::EnergyComponent> components_of(const CoreEnergy& e, bool is_estimated,
                                                   bool is_part_estimated) {
  std::vector<ledger::EnergyComponent> components;
  const auto add = [&](const char* name, EnergyDriver driver, double joules, bool is_dynamic) {
    components.push_back({name, driver, joules, is_dynamic, is_estimated});
  };
  add("activate", EnergyDriver::activation_tickets, e.activate, true);
  add("precharge", EnergyDriver::activation_tickets, e.precharge, true);
  add("read", EnergyDriver::reads, e.read, true);
  add("write", EnergyDriver::writes, e.write, true);
  add("refresh", EnergyDriver::refresh, e.refresh, false);
  if (e.part_refresh != 0) {
    add("refresh_part", EnergyDriver::part_refresh, e.part_refresh, false);
    components.back().estimated |= is_part_estimated;
  }
  add("bank_open", EnergyDriver::bank_open_cycles, e.bank_open, false);
  add("rank_open", EnergyDriver::rank_open_cycles, e.rank_open, false);
  add("rank_closed", EnergyDriver::rank_closed_cycles, e.rank_closed, false);
  const auto add_if_entered = [&](const char* name, double joules) {
    if (joules != 0) add(name, EnergyDriver::idle, joules, false);
  };
  add_if_entered("power_down_active", e.power_down_active);
  add_if_entered("power_down_precharge", e.power_down_precharge);
  add_if_entered("self_refresh", e.self_refresh);
  add_if_entered("deep_sleep", e.deep_sleep);
  return components;
}

/// Published energies of a bit and of an activation, where there are no currents.
std::vector<ledger::EnergyComponent> components_by_bit(const spec::EventEnergies& each,
                                                       double burst_bytes,
                                                       const CoreCounts& counts) {
  const double bits = 8.0 * burst_bytes;
  std::vector<ledger::EnergyComponent> components;
  const auto add = [&](const char* name, EnergyDriver driver, std::int64_t count, double joules) {
    components.push_back({name, driver, static_cast<double>(count) * joules, true, true});
  };
  if (each.activate_j > 0)
    add("activate", EnergyDriver::activation_tickets, counts.activates, each.activate_j);
  add("read", EnergyDriver::reads, counts.reads, bits * each.read_j_per_bit);
  add("write", EnergyDriver::writes, counts.writes, bits * each.write_j_per_bit);
  return components;
}

/// The currents, by the names that a memory's file has for them, of states that the run entered.
std::string unknown_states(const CoreEnergy& e) {
  std::vector<std::string> names;
  for (const auto& [joules, current] : {std::pair{e.power_down_active, "I3P"},
                                        {e.power_down_precharge, "I2P"},
                                        {e.self_refresh, "I6"},
                                        {e.deep_sleep, "I6DS"}})
    if (std::isnan(joules)) names.emplace_back(current);
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_pins(const spec::MemorySpec& memory, const ledger::RunRecord& run, RunEnergy& result) {
  const auto pins = RunPins::of(memory);
  if (!pins) {
    result.diagnostics.push_back({"interface_energy_missing", Severity::note,
                                  "energy is the core's alone: VDDQ (drivers and termination) is "
                                  "not in it",
                                  memory.name});
    return;
  }
  const auto components = pin_components(*pins, memory, run);
  result.components.insert(result.components.end(), components.begin(), components.end());
  result.diagnostics.push_back(
      {"interface_energy_assumed", Severity::note,
       "energy of the pins goes by assumed values of data (data.CLASS.ones, .toggle) and pads "
       "(memory.interface); termination of command and clock pins, pre- and postambles are not in "
       "it",
       memory.name});
}

}  // namespace

RunEnergy energy_of(const spec::MemorySpec& memory, const ledger::RunRecord& run) {
  RunEnergy result;
  const auto unknown = [&](const std::string& why) {
    result.diagnostics.push_back(
        {"currents_missing", Severity::warning, "energy is not known: " + why, memory.name});
  };
  CoreCounts counts;
  for (const ledger::StepRecord& record : run.records)
    for (const base::ChannelCounters& channel : record.channels) counts.add(channel, record.weight);
  if (memory.event_energies) {
    result.components =
        components_by_bit(*memory.event_energies, memory.organisation.burst_bytes(), counts);
    result.diagnostics.push_back({"energy_by_bit", Severity::warning,
                                  "energy is a published figure per bit (" +
                                      memory.event_energies->scope +
                                      "); standby, refresh and the traffic's pattern are not in it",
                                  memory.name});
    return result;
  }
  if (!memory.currents) {
    unknown("no currents of this memory are public");
    return result;
  }
  if (const auto missing = missing_currents(memory); !missing.empty()) {
    unknown(fmt::format("the memory's file does not state {}", fmt::join(missing, ", ")));
    return result;
  }
  const CoreParameters parameters = core_parameters(memory);
  const CoreEnergy energy = core_energy(core_power(parameters), counts, parameters.period_s);
  if (std::isnan(energy.total())) {
    unknown("the run entered power-down or self refresh, and the memory's file does not state " +
            unknown_states(energy));
    return result;
  }
  const bool is_part_estimated = !has_part_current(parameters);
  result.components = components_of(energy, memory.currents->estimated, is_part_estimated);
  if (counts.part_refreshes > 0 && is_part_estimated) {
    result.diagnostics.push_back(
        {"part_refresh_current", Severity::warning,
         fmt::format("no current of {} is stated: a bank is taken to cost as much as in REFab, an "
                     "estimate",
                     spec::name_of(memory.protocol.part_refresh.value_or(spec::Command::REFpb))),
         memory.name});
  }
  add_pins(memory, run, result);
  return result;
}

ledger::RunRecord run_of(const spec::MemorySpec& memory, const ledger::Epoch& epoch,
                         const BurstRates& rates) {
  ledger::RunRecord run;
  run.unnamed_read = rates.read;
  run.unnamed_write = rates.write;
  run.clock = memory.clock;
  run.channels = memory.organisation.channels;
  run.ranks = memory.organisation.ranks;
  run.bank_groups = memory.organisation.bank_groups;
  run.banks_per_group = memory.organisation.banks_per_group;
  ledger::StepRecord& record = run.records.emplace_back();
  record.cycles = epoch.cycles;
  record.channels = epoch.channels;
  run.energy = energy_of(memory, run).components;
  return run;
}

void add_energy(const spec::MemorySpec& memory, ledger::RunRecord& run) {
  if (const auto pins = RunPins::of(memory)) price_bursts(*pins, run);
  RunEnergy energy = energy_of(memory, run);
  run.energy = std::move(energy.components);
  run.diagnostics.insert(run.diagnostics.end(), energy.diagnostics.begin(),
                         energy.diagnostics.end());
}

}  // namespace diffram::physics
