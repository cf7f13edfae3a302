#include "physics/log_energy.h"

#include <algorithm>

namespace diffram::physics {

namespace {

using spec::Command;

/// A log's command as the core's state machine knows it; PREsb is taken apart before.
struct Meaning {
  std::string_view name;
  Command command;
  PowerDown power_down = PowerDown::by_state;
};
constexpr Meaning kMeanings[] = {{"REFp2b", Command::REFpb},
                                 {"REFdb", Command::REFpb},
                                 {"DSME", Command::PDE, PowerDown::deep_sleep},
                                 {"DSMX", Command::PDX, PowerDown::deep_sleep}};

std::optional<Meaning> meaning_of(std::string_view name) {
  for (const Meaning& each : kMeanings)
    if (each.name == name) return each;
  for (std::size_t i = 0; i < spec::kCommandCount; ++i)
    if (spec::kCommandNames[i] == name) return Meaning{name, static_cast<Command>(i)};
  return std::nullopt;
}

}  // namespace

LogChannel::LogChannel(const LogMemory& memory, std::uint32_t banks, std::uint32_t banks_per_group)
    : memory_(memory), banks_(banks), banks_per_group_(banks_per_group) {
  if (memory_.core) core_.emplace(memory_.core->timings);
  if (memory_.interface) interface_.emplace(memory_.interface->shape);
  if (memory_.core) is_open_.assign(std::size_t{memory_.core->timings.ranks} * banks_, false);
}

void LogChannel::apply(const LogCommand& command) {
  if (core_ && follow_banks(command)) apply_to_core(command, *core_);
  if (interface_)
    interface_->apply({command.cycle, command.name, command.rank, command.place, command.data});
}

bool LogChannel::follow_banks(const LogCommand& command) {
  const auto first = std::size_t{command.rank} * banks_;
  const auto close = [&](std::size_t bank) { is_open_[first + bank] = false; };
  if (command.name == "ACT") {
    if (is_open_[first + command.bank]) {
      ++activations_of_open_banks_;
      return false;
    }
    is_open_[first + command.bank] = true;
  } else if (command.name == "PREsb") {
    for (std::size_t b = command.bank % banks_per_group_; b < banks_; b += banks_per_group_)
      close(b);
  } else if (command.name == "PREA" || command.name == "REFab" || command.name == "SREFE") {
    for (std::size_t b = 0; b < banks_; ++b) close(b);
  } else if (command.name == "PRE" || command.name == "RDA" || command.name == "WRA" ||
             command.name.starts_with("REF")) {
    close(command.bank);  // the others of a refreshed part were closed before, or the log is wrong
  }
  return true;
}

void LogChannel::apply_to_core(const LogCommand& command, CommandReplay& core) const {
  TimedCommand timed;
  timed.cycle = command.cycle;
  timed.rank = command.rank;
  if (command.name == "PREsb") {  // the bank of this number in every group
    timed.command = Command::PRE;
    for (timed.bank = command.bank % banks_per_group_; timed.bank < banks_;
         timed.bank += banks_per_group_)
      core.apply(timed);
    return;
  }
  const auto meaning = meaning_of(command.name);
  if (!meaning) return;
  timed.command = meaning->command;
  timed.power_down = meaning->power_down;
  timed.bank = command.bank;
  core.apply(timed);
}

LogEnergy LogChannel::at(std::int64_t cycle) const {
  LogEnergy out;
  out.activations_of_open_banks = activations_of_open_banks_;
  if (core_ && memory_.core) add_core(memory_.core->parameters, core_->at(cycle), out);
  if (interface_ && memory_.interface) {
    out.counts = interface_->at(cycle);
    out.interface = interface_energy(memory_.interface->parameters, out.counts);
    out.bursts_without_data = interface_->bursts_without_data();
    out.commands_without_pins = interface_->commands_without_pins();
  }
  return out;
}

void LogChannel::add_core(const CoreParameters& parameters, const base::ChannelCounters& counters,
                          LogEnergy& out) const {
  const CorePower power = core_power(parameters);
  const double period_s = parameters.period_s;
  const auto energy_of = [&](const base::ChannelCounters& part) {
    CoreCounts counts;
    counts.add(part);
    return core_energy(power, counts, period_s);
  };
  const CoreEnergy core = energy_of(counters);
  out.core = core;
  out.core_by_command = {{"ACT", core.activate},  {"PRE", core.precharge},
                         {"RD", core.read},       {"WR", core.write},
                         {"REFab", core.refresh}, {"REFpb", core.part_refresh}};
  for (std::uint32_t rank = 0; rank < counters.ranks.size(); ++rank) {
    base::ChannelCounters of_rank;
    of_rank.ranks = {counters.ranks[rank]};
    for (std::uint32_t bank = 0; bank < banks_; ++bank) {
      const std::size_t index = std::size_t{rank} * banks_ + bank;
      base::ChannelCounters of_bank;
      of_bank.banks = {counters.banks[index]};
      of_bank.part_refreshes = {counters.part_refreshes_of(index)};
      of_rank.banks.push_back(of_bank.banks.front());
      of_rank.part_refreshes.push_back(of_bank.part_refreshes.front());
      out.by_bank.push_back({rank, bank, energy_of(of_bank).total()});
    }
    out.by_rank.push_back({rank, 0, energy_of(of_rank).total()});
  }
}

}  // namespace diffram::physics
