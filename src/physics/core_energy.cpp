#include "physics/core_energy.h"

#include <cmath>
#include <utility>

#include "physics/core_model.h"

namespace diffram::physics {
namespace {

using ledger::EnergyDriver;

std::vector<ledger::EnergyComponent> components_of(const CoreEnergy& e, bool is_estimated) {
  std::vector<ledger::EnergyComponent> components;
  const auto add = [&](const char* name, EnergyDriver driver, double joules, bool is_dynamic) {
    components.push_back({name, driver, joules, is_dynamic, is_estimated});
  };
  add("activate", EnergyDriver::activation_tickets, e.activate, true);
  add("precharge", EnergyDriver::activation_tickets, e.precharge, true);
  add("read", EnergyDriver::reads, e.read, true);
  add("write", EnergyDriver::writes, e.write, true);
  add("refresh", EnergyDriver::refresh, e.refresh, false);
  add("bank_open", EnergyDriver::bank_open_cycles, e.bank_open, false);
  add("rank_open", EnergyDriver::rank_open_cycles, e.rank_open, false);
  add("rank_closed", EnergyDriver::rank_closed_cycles, e.rank_closed, false);
  const auto add_if_entered = [&](const char* name, double joules) {
    if (joules != 0) add(name, EnergyDriver::idle, joules, false);
  };
  add_if_entered("power_down_active", e.power_down_active);
  add_if_entered("power_down_precharge", e.power_down_precharge);
  add_if_entered("self_refresh", e.self_refresh);
  return components;
}

}  // namespace

RunEnergy energy_of(const spec::MemorySpec& memory, const ledger::RunRecord& run) {
  RunEnergy result;
  if (memory.standard != "DDR4") {
    result.diagnostics.push_back({"energy_model_missing", base::Severity::warning,
                                  "energy is not known: there is no core energy model for this "
                                  "standard yet",
                                  memory.standard});
    return result;
  }
  if (!has_core_currents(memory)) {
    result.diagnostics.push_back({"currents_missing", base::Severity::warning,
                                  "energy is not known: the memory's file has no complete set of "
                                  "currents",
                                  memory.name});
    return result;
  }
  CoreCounts counts;
  for (const ledger::StepRecord& record : run.records)
    for (const base::ChannelCounters& channel : record.channels) counts.add(channel, record.weight);
  const CoreParameters parameters = core_parameters(memory);
  const CoreEnergy energy = core_energy(core_power(parameters), counts, parameters.period_s);
  if (std::isnan(energy.total())) {
    result.diagnostics.push_back({"currents_missing", base::Severity::warning,
                                  "energy is not known: the run entered power-down or self "
                                  "refresh, whose currents the memory's file does not have",
                                  memory.name});
    return result;
  }
  result.components = components_of(energy, memory.currents && memory.currents->estimated);
  result.diagnostics.push_back({"interface_energy_missing", base::Severity::note,
                                "energy is the core's alone: VDDQ (drivers and termination) is "
                                "not in it",
                                memory.name});
  return result;
}

void add_energy(const spec::MemorySpec& memory, ledger::RunRecord& run) {
  RunEnergy energy = energy_of(memory, run);
  run.energy = std::move(energy.components);
  run.diagnostics.insert(run.diagnostics.end(), energy.diagnostics.begin(),
                         energy.diagnostics.end());
}

}  // namespace diffram::physics
