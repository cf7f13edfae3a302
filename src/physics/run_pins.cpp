#include "physics/run_pins.h"

#include <cmath>
#include <cstdint>

#include "physics/bank_times.h"
#include "physics/data_rates.h"

namespace diffram::physics {

namespace {

using ledger::EnergyDriver;

constexpr double kPicojoule = 1e-12;

/// The last place of a rank, as the standard's pins count it.
PinPlace last_place(const spec::Organisation& o, const std::string& standard) {
  PinPlace last;
  last.bank_group = o.bank_groups - 1;
  last.bank = (o.bank_groups > 1 ? o.banks_per_group : o.banks()) - 1;
  last.row = o.rows - 1;
  last.column = (standard == "LPDDR5" ? o.bursts_per_row() : o.columns) - 1;
  return last;
}

std::int64_t picojoules(const PinCost& cost) {
  return static_cast<std::int64_t>(std::llround(cost.joules / kPicojoule));
}

}  // namespace

std::optional<RunPins> RunPins::of(const spec::MemorySpec& memory) {
  if (!memory.pads || !has_interface_model(memory.standard)) return std::nullopt;
  return RunPins(memory, *memory.pads);
}

RunPins::RunPins(const spec::MemorySpec& memory, const spec::Pads& pads)
    : organisation_(memory.organisation),
      shape_(interface_shape(memory)),
      parameters_(interface_parameters(
          interface_of(pads, memory.organisation), shape_,
          memory.clock.period_s() * static_cast<double>(memory.protocol.ticks_per_clock))),
      command_pins_(CommandPins::known(shape_.standard, shape_.bank_mode)),
      read_(burst(true)),
      write_(burst(false)) {}

/// Energy is linear in the rates: three bursts tell all.
RunPins::Burst RunPins::burst(bool is_read) const {
  const PinCost low = of_data(is_read, 0, 0);
  Burst out{low, of_data(is_read, 1, 0) - low, of_data(is_read, 0, 1) - low};
  out.low.joules += command(is_read ? "RD" : "WR");
  return out;
}

/// A burst without its command. `ones` and `toggle` are none or all.
PinCost RunPins::of_data(bool is_read, std::int64_t ones, std::int64_t toggle) const {
  const std::int64_t beats = shape_.burst_length;
  const std::int64_t bits = beats * shape_.data_pins();
  InterfaceCounts counts;
  counts.pins[is_read ? PinGroup::read_data : PinGroup::write_data] = {
      ones * bits, (1 - ones) * bits, toggle * bits / 2, toggle * bits / 2};
  if (is_read || !shape_.has_write_clock())
    counts.pins[is_read ? PinGroup::read_strobe : PinGroup::write_strobe] =
        both_lines(beats / 2 * shape_.strobe_pairs());
  if (shape_.has_write_clock() && !shape_.write_clock_always_on)
    counts.pins[PinGroup::write_clock] = both_lines(beats / shape_.data_rate);

  const InterfaceEnergy energy = interface_energy(parameters_, counts);
  PinCost sum;
  for (std::size_t i = 0; i < spec::kPinGroups; ++i) {
    const spec::PinElectrics& pin = parameters_.electrics.pins[i];
    const PinEnergy& spent = energy.pins[i];
    sum.joules += spent.total();
    // An edge's charge is lost in the driver; through a termination each side heats by its ohms.
    if (is_driven_by_dram(static_cast<PinGroup>(i))) sum.in_memory += spent.edges;
    if (pin.ohms > 0) sum.in_memory += spent.level * pin.memory_ohms / pin.ohms;
  }
  return sum;
}

double RunPins::command(const char* name) const {
  const auto index = command_pins_.find(name);
  if (!index) return 0;
  return command_pins_.mean_rises(*index, last_place(organisation_, shape_.standard),
                                  shape_.burst_length) *
         parameters_.electrics.pins[PinGroup::command].joules_per_rise;
}

double RunPins::clock() const {
  InterfaceCounts counts;
  counts.pins[PinGroup::clock] = both_lines(1);
  if (shape_.has_write_clock() && shape_.write_clock_always_on)
    counts.pins[PinGroup::write_clock] = both_lines(shape_.write_clocks_per_clock);
  return interface_energy(parameters_, counts).total();
}

void price_bursts(const RunPins& pins, ledger::RunRecord& run) {
  for (ledger::TensorRow& tensor : run.tensors)
    tensor.pins = {picojoules(pins.read(tensor.data)), picojoules(pins.write(tensor.data))};
  run.unnamed_pins = {picojoules(pins.read(run.unnamed_read)),
                      picojoules(pins.write(run.unnamed_write))};
}

namespace {

/// Commands and running clocks of a run, weights applied.
struct CommandCounts {
  double reads = 0, writes = 0;
  double activates = 0, precharges = 0, refreshes = 0, part_refreshes = 0, cycles = 0;
};

CommandCounts count_commands(const RunPins& pins, const spec::MemorySpec& memory,
                             const ledger::RunRecord& run) {
  CommandCounts n;
  const double banks = memory.organisation.banks(), part_banks = refresh_part(memory).banks;
  for (const ledger::StepRecord& record : run.records) {
    const auto weight = static_cast<double>(record.weight);
    for (const base::ChannelCounters& channel : record.channels) {
      for (std::size_t b = 0; b < channel.banks.size(); ++b) {
        const base::BankCounters& bank = channel.banks[b];
        n.reads += weight * static_cast<double>(bank.rd + bank.rda);
        n.writes += weight * static_cast<double>(bank.wr + bank.wra);
        n.activates += weight * static_cast<double>(bank.act);
        n.precharges += weight * static_cast<double>(bank.pre);
        n.refreshes += weight * static_cast<double>(channel.whole_refreshes_of(b)) / banks;
        n.part_refreshes += weight * static_cast<double>(channel.part_refreshes_of(b)) / part_banks;
      }
      n.cycles += weight * static_cast<double>(channel.cycles);
      // The ranks share CK: it stands still only while all allow it, which counters of several
      // ranks do not tell.
      if (memory.organisation.ranks != 1) continue;
      for (const base::RankCounters& rank : channel.ranks) {
        std::int64_t stopped = rank.self_refresh_cycles;
        if (pins.stops_in_power_down())
          stopped += rank.power_down_active_cycles + rank.power_down_precharge_cycles +
                     rank.deep_sleep_cycles;
        n.cycles -= weight * static_cast<double>(stopped);
      }
    }
  }
  return n;
}

}  // namespace

std::vector<ledger::EnergyComponent> pin_components(const RunPins& pins,
                                                    const spec::MemorySpec& memory,
                                                    const ledger::RunRecord& run) {
  const BurstRates rates = mean_rates(run);
  const CommandCounts n = count_commands(pins, memory, run);
  std::vector<ledger::EnergyComponent> components;
  const auto add = [&](const char* name, EnergyDriver driver, const PinCost& cost, bool dynamic) {
    components.push_back({name, driver, cost.joules, dynamic, true,
                          cost.joules > 0 ? cost.in_memory / cost.joules : 0});
  };
  add("read_interface", EnergyDriver::read_pins, n.reads * pins.read(rates.read), true);
  add("write_interface", EnergyDriver::write_pins, n.writes * pins.write(rates.write), true);
  add("row_interface", EnergyDriver::activation_tickets,
      {n.activates * pins.command("ACT") + n.precharges * pins.command("PRE")}, true);
  add("refresh_interface", EnergyDriver::refresh, {n.refreshes * pins.command("REFab")}, false);
  if (n.part_refreshes > 0 && memory.protocol.part_refresh)
    add("refresh_part_interface", EnergyDriver::part_refresh,
        {n.part_refreshes * pins.command(spec::name_of(*memory.protocol.part_refresh))}, false);
  add("clock_interface", EnergyDriver::clock,
      {n.cycles / memory.protocol.ticks_per_clock * pins.clock()}, false);
  return components;
}

}  // namespace diffram::physics
