#include "report/energy_table.h"

#include <algorithm>
#include <map>

namespace diffram::report {
namespace {

using ledger::EnergyDriver;

std::int64_t driver_of(EnergyDriver driver, const base::OriginCounters& counters,
                       const ledger::PinPrice& pins) {
  switch (driver) {
    case EnergyDriver::reads:
      return counters.reads;
    case EnergyDriver::writes:
      return counters.writes;
    case EnergyDriver::activation_tickets:
      return counters.activation_tickets;
    case EnergyDriver::bank_open_cycles:
      return counters.bank_open_cycles;
    case EnergyDriver::rank_open_cycles:
      return counters.rank_open_cycles;
    case EnergyDriver::rank_closed_cycles:
      return counters.rank_closed_cycles;
    case EnergyDriver::read_pins:
      return counters.reads * pins.read_pj;
    case EnergyDriver::write_pins:
      return counters.writes * pins.write_pj;
    case EnergyDriver::refresh:
    case EnergyDriver::part_refresh:
    case EnergyDriver::idle:
    case EnergyDriver::clock:
      return 0;
  }
  return 0;
}

std::int64_t shared_driver(EnergyDriver driver, const base::SharedCounters& shared) {
  switch (driver) {
    case EnergyDriver::activation_tickets:
      return shared.wasted_activation_tickets;
    case EnergyDriver::bank_open_cycles:
      return shared.row_held_open_bank_cycles + shared.refresh_bank_open_cycles;
    case EnergyDriver::rank_open_cycles:
      return shared.idle_rank_open_cycles;
    case EnergyDriver::rank_closed_cycles:
      return shared.idle_rank_closed_cycles;
    default:
      return 0;
  }
}

const char* account_of(EnergyDriver driver) {
  switch (driver) {
    case EnergyDriver::refresh:
    case EnergyDriver::part_refresh:
      return "refresh";
    case EnergyDriver::bank_open_cycles:
      return "row held open";
    case EnergyDriver::activation_tickets:
      return "wasted activations";
    case EnergyDriver::idle:
    case EnergyDriver::clock:
    case EnergyDriver::rank_open_cycles:
    case EnergyDriver::rank_closed_cycles:
      return "idle background";
    default:
      return "";
  }
}

}  // namespace

std::vector<EnergyRow> energy_table(const ledger::RunRecord& run) {
  std::vector<EnergyRow> rows;
  for (const ledger::EnergyComponent& component : run.energy) {
    PerClass<double> units{};
    double shared = 0;
    for (const ledger::StepRecord& record : run.records) {
      const auto weight = static_cast<double>(record.weight);
      for (const base::ChannelCounters& channel : record.channels) {
        for (std::size_t i = 0; i < channel.origins.size(); ++i) {
          const ledger::OriginRow& origin = run.origins[record.first_origin + i];
          const ledger::TensorRow& tensor = run.tensors[origin.tensor];
          units[class_slot(tensor.tensor_class)] +=
              weight *
              static_cast<double>(driver_of(component.driver, channel.origins[i], tensor.pins));
        }
        units[kNoClass] += weight * static_cast<double>(driver_of(component.driver, channel.unnamed,
                                                                  run.unnamed_pins));
        shared += weight * static_cast<double>(shared_driver(component.driver, channel.shared));
      }
    }
    double all = shared;
    for (const double part : units) all += part;
    EnergyRow row;
    row.component = component_name(component.name);
    row.total = component.joules;
    row.estimated = component.estimated;
    row.account = account_of(component.driver);
    if (all > 0)
      for (std::size_t slot = 0; slot < kClassSlots; ++slot)
        row.joules[slot] = component.joules * units[slot] / all;
    row.shared = all > 0 ? component.joules * shared / all : component.joules;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<RepeatedTensor> repeated_tensors(const ledger::RunRecord& run) {
  std::map<std::uint32_t, RepeatedTensor> by_tensor;
  for (const ledger::StepRecord& record : run.records) {
    for (std::size_t i = 0; i < record.flow.size(); ++i) {
      const ledger::OriginRow& origin = run.origins[record.first_origin + i];
      if (origin.is_write) continue;
      RepeatedTensor& row = by_tensor[origin.tensor];
      row.read += record.flow[i].dram * record.weight;
      row.read_again += record.flow[i].dram_read_again * record.weight;
    }
  }
  std::vector<RepeatedTensor> rows;
  for (auto& [tensor, row] : by_tensor) {
    if (row.read_again <= 0) continue;
    row.tensor = run.tensors[tensor].name;
    row.tensor_class = run.tensors[tensor].tensor_class;
    row.size = run.tensors[tensor].bytes;
    const std::int64_t first_loads = row.read - row.read_again;
    row.loads_per_write =
        first_loads > 0 ? static_cast<double>(row.read) / static_cast<double>(first_loads) : 0;
    rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const RepeatedTensor& a, const RepeatedTensor& b) {
    return a.read_again > b.read_again;
  });
  return rows;
}

}  // namespace diffram::report
