// A command log, ours or another simulator's, and what it costs.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "physics/drampower_core.h"
#include "physics/interface_memory.h"
#include "physics/log_energy.h"
#include "session/energy_views.h"
#include "session/inputs.h"
#include "session/session.h"
#include "spec/drampower_memspec.h"
#include "trace/command_log.h"

namespace diffram::session {

namespace {

using trace::Level;

constexpr const char* kDrampowerLog = "DRAMPower";
constexpr std::uint64_t kProgressEvery = 1 << 16;  // commands
constexpr double kRandomData = 0.5;                // of beats high, and of beats that change

// What logs of DRAMPower have beside the commands of our tables.
constexpr const char* kOtherCommands[] = {"PREsb", "REFp2b", "REFdb", "DSME", "DSMX"};

/// The memory, whoever described it.
struct Subject {
  std::string name, standard;
  spec::Organisation organisation;
  double period_s = 0;
  std::optional<spec::DrampowerMemspec> memspec{};
  physics::LogMemory energy{};
  std::string core_missing{}, interface_missing{};
};

trace::CommandWord word_of(const std::string& name) {
  if (name == "PREsb") return {name, Level::bank};
  const auto known = std::ranges::find(spec::kCommandNames, name);
  if (known == spec::kCommandNames.end())
    return {name, name.starts_with("REF") ? Level::bank : Level::rank};
  const auto command = static_cast<spec::Command>(known - spec::kCommandNames.begin());
  if (command >= spec::Command::RD && command <= spec::Command::WRA) return {name, Level::column};
  if (command == spec::Command::ACT) return {name, Level::row};
  return {name, spec::names_a_bank(command) ? Level::bank : Level::rank};
}

std::vector<trace::CommandWord> command_words() {
  std::vector<trace::CommandWord> words;
  words.reserve(spec::kCommandCount + std::size(kOtherCommands));
  for (const char* name : spec::kCommandNames) words.push_back(word_of(name));
  for (const char* name : kOtherCommands) words.push_back(word_of(name));
  return words;
}

/// `is_drampower`: such a log may number the banks of the rank through, and counts columns in
/// words.
trace::CommandLogOptions log_options(const spec::Organisation& o, bool is_drampower) {
  trace::CommandLogOptions options;
  options.commands = command_words();
  options.counts = {o.channels,    o.ranks,
                    o.bank_groups, is_drampower ? o.banks() : o.banks_per_group,
                    o.rows,        is_drampower ? o.columns : std::max(1u, o.bursts_per_row())};
  return options;
}

/// Reads a log from its begin to its end.
class LogReading {
 public:
  LogReading(const std::string& file, const Subject& subject) : file_(file), subject_(subject) {}

  base::Result<void> open() {
    const auto as = [&](bool is_drampower) {
      return trace::open_command_log(file_, log_options(subject_.organisation, is_drampower));
    };
    auto source = as(true);
    is_drampower_ = source && std::string((*source)->format()) == kDrampowerLog;
    if (source && !is_drampower_) source = as(false);
    if (!source) return tl::unexpected(source.error());
    source_ = std::move(*source);
    return {};
  }

  /// `see(channel, command)` for each command.
  template <class See>
  base::Result<void> read(See see) {
    const auto words = command_words();
    trace::LoggedCommand logged;
    while (true) {
      auto more = source_->next(logged);
      if (!more) return tl::unexpected(more.error());
      if (!*more) return {};
      auto command = command_of(logged, words[logged.command].name);
      if (!command) return tl::unexpected(command.error());
      see(logged.place[static_cast<std::size_t>(Level::channel)], *command, logged.command);
    }
  }

  const trace::CommandSource& source() const { return *source_; }

 private:
  base::Result<physics::LogCommand> command_of(const trace::LoggedCommand& logged,
                                               const std::string& name) const {
    const spec::Organisation& o = subject_.organisation;
    const auto at = [&](Level level) { return logged.place[static_cast<std::size_t>(level)]; };
    physics::LogCommand c;
    c.cycle = logged.cycle;
    c.name = name;
    c.rank = at(Level::rank);
    std::uint32_t group = at(Level::bank_group), bank = at(Level::bank);
    if (bank >= o.banks_per_group) {  // numbered through the rank, as DRAMPower's core does
      if (group != 0 && group != bank / o.banks_per_group)
        return refuse("out_of_range", fmt::format("bank {} is not in bank group {}", bank, group),
                      fmt::format("bank group {}, or a bank below {}", bank / o.banks_per_group,
                                  o.banks_per_group));
      group = bank / o.banks_per_group;
      bank %= o.banks_per_group;
    }
    c.bank = group * o.banks_per_group + bank;
    c.place = {group, o.bank_groups > 1 ? bank : c.bank, at(Level::row), column_of(logged)};
    c.data = logged.data;
    if (subject_.energy.interface) {
      if (const auto why = physics::refused_data(subject_.energy.interface->shape, c.data))
        return refuse(
            "bad_data", *why,
            fmt::format("a multiple of {} bits", subject_.energy.interface->shape.data_pins()));
    }
    return c;
  }

  /// As the standard's pins count it.
  std::uint32_t column_of(const trace::LoggedCommand& logged) const {
    const std::uint32_t column = logged.place[static_cast<std::size_t>(Level::column)];
    const bool counts_bursts = subject_.standard == "LPDDR5";
    return is_drampower_ || counts_bursts ? column : column * subject_.organisation.burst_length;
  }

  tl::unexpected<base::Errors> refuse(std::string code, std::string message,
                                      std::string expected) const {
    return tl::unexpected<base::Errors>(
        {{std::move(code), std::move(message), file_, source_->line(), "", std::move(expected)}});
  }

  const std::string& file_;
  const Subject& subject_;
  std::unique_ptr<trace::CommandSource> source_;
  bool is_drampower_ = false;
};

void add_interface(Subject& subject, const std::optional<spec::Interface>& electrics,
                   physics::InterfaceShape shape, const EnergyOptions& options) {
  if (!physics::has_interface_model(subject.standard)) {
    subject.interface_missing = "the command pins of " + subject.standard + " are not modelled";
    return;
  }
  if (!electrics) {
    subject.interface_missing = subject.memspec
                                    ? "the file has no memimpedancespec"
                                    : "the memory's file does not say what its pins cost";
    return;
  }
  shape.inverts_data = options.inverts_data;
  if (!options.drampower_rules || options.toggle || options.ones) {
    const bool idles_high = !subject.standard.starts_with("LP");
    const double toggle = options.toggle.value_or(kRandomData);
    const double ones = options.ones.value_or(kRandomData);
    shape.rates = physics::DataRates{toggle, toggle, ones, ones, idles_high, idles_high};
  }
  subject.energy.interface = physics::LogMemory::Pins{
      shape, physics::interface_parameters(*electrics, shape, subject.period_s)};
}

base::Result<Subject> our_memory(const EnergyOptions& options) {
  auto memory = load_memory_as_set(options.memory, options.set);
  if (!memory) return tl::unexpected(memory.error());
  Subject subject{memory->name, memory->standard, memory->organisation, memory->clock.period_s()};
  const auto missing = physics::missing_currents(*memory);
  if (missing.empty())
    subject.energy.core =
        physics::CoreMemory{physics::core_parameters(*memory), physics::replay_timings(*memory)};
  else
    subject.core_missing =
        fmt::format("the memory's file has not all currents ({})", fmt::join(missing, ", "));
  std::optional<spec::Interface> electrics;
  if (const std::optional<spec::Pads>& pads = memory->pads; pads)
    electrics = physics::interface_of(*pads, memory->organisation);
  add_interface(subject, electrics, physics::interface_shape(*memory), options);
  return subject;
}

/// LPDDR5 may refresh banks one by one or in pairs; what a log does is seen in the log.
base::Result<bool> refreshes_pairs(const Subject& subject, const std::string& file) {
  if (subject.standard != "LPDDR5") return false;
  LogReading reading(file, subject);
  if (auto opened = reading.open(); !opened) return tl::unexpected(opened.error());
  bool singles = false, pairs = false;
  auto read = reading.read([&](std::uint32_t, const physics::LogCommand& c, std::size_t) {
    singles = singles || c.name == "REFpb";
    pairs = pairs || c.name == "REFp2b";
  });
  if (!read) return tl::unexpected(read.error());
  if (!singles || !pairs) return pairs;
  return base::failure({"mixed_refreshes", "the log refreshes single banks and pairs of them", file,
                        0, "", "one kind of partial refresh"});
}

base::Result<Subject> drampower_memory(const EnergyOptions& options) {
  if (!options.set.empty())
    return base::failure({"not_for_a_memspec", "it changes memories of ours", "", 0, "--set",
                          "--memory with --set"});
  auto memspec = spec::load_drampower_memspec(options.memspec);
  if (!memspec) return tl::unexpected(memspec.error());
  Subject subject{memspec->id, memspec->standard, memspec->organisation, memspec->period_s,
                  std::move(*memspec)};
  auto loops = spec::current_loops(find_spec_folders(), subject.standard);
  if (!loops) return tl::unexpected(loops.error());
  auto by_pairs = refreshes_pairs(subject, options.commands);
  if (!by_pairs) return tl::unexpected(by_pairs.error());
  subject.energy.core = physics::core_memory(*subject.memspec, *loops, *by_pairs);
  const auto rules = options.drampower_rules ? physics::InterfaceRules::drampower
                                             : physics::InterfaceRules::diffram;
  add_interface(subject, subject.memspec->interface,
                physics::interface_shape(*subject.memspec, rules), options);
  return subject;
}

base::Result<std::int64_t> window_of(const EnergyOptions& options, std::int64_t last,
                                     std::optional<std::int64_t> logged_end) {
  if (!options.cycles) return logged_end.value_or(last + 1);
  if (*options.cycles >= last) return *options.cycles;
  return base::failure({"window_too_short", fmt::format("the log has a command at cycle {}", last),
                        options.commands, 0, "--cycles", fmt::format("{} or more", last)});
}

void note(EnergyFindings& out, const char* code, base::Severity severity, std::string message,
          std::string evidence) {
  out.diagnostics.push_back({code, severity, std::move(message), std::move(evidence)});
}

void add_diagnostics(EnergyFindings& out) {
  using base::Severity;
  std::int64_t without_data = 0, without_pins = 0, on_open = 0;
  bool is_unknown = false;
  for (const auto& energy : out.energies) {
    without_data += energy.bursts_without_data;
    without_pins += energy.commands_without_pins;
    on_open += energy.activations_of_open_banks;
    is_unknown = is_unknown || (energy.core && std::isnan(energy.core->total()));
  }
  if (is_unknown && out.core_missing.empty())
    out.core_missing = "a rank was in a state whose current is not known";
  if (!out.core_missing.empty())
    note(out, "core_energy_missing", Severity::warning, "the energy of the core is not known",
         out.core_missing);
  if (!out.interface_missing.empty())
    note(out, "interface_energy_missing", Severity::note, "the energy of the pins is not known",
         out.interface_missing);
  if (out.interface_missing.empty() && without_data > 0)
    note(out, "assumed_data_rates", Severity::note,
         out.are_rates_used ? "bursts whose data the log does not have go by assumed rates"
                            : "bursts whose data the log does not have move no data pin",
         out.are_rates_used ? fmt::format("{} bursts, {:g} of beats change, {:g} are high",
                                          without_data, out.toggle, out.ones)
                            : fmt::format("{} bursts", without_data));
  if (out.interface_missing.empty() && without_pins > 0)
    note(out, "commands_without_pins", Severity::warning,
         "commands that the standard's truth table does not have move no pin",
         fmt::format("{} commands", without_pins));
  if (on_open > 0)
    note(out, "activation_of_open_bank", Severity::warning,
         "an ACT of a bank that is open is against the protocol and has no energy; `diffram check` "
         "shows such commands",
         fmt::format("{} commands", on_open));
}

}  // namespace

Outcome<CommandEnergy> energy_of_commands(const EnergyOptions& options) {
  auto subject = options.memspec.empty() ? our_memory(options) : drampower_memory(options);
  if (!subject) return bad_input(subject.error());
  const spec::Organisation& o = subject->organisation;
  LogReading reading(options.commands, *subject);
  if (auto opened = reading.open(); !opened) return bad_input(opened.error());

  EnergyFindings out;
  for (const auto& word : command_words()) out.command_names.push_back(word.name);
  out.by_command.assign(out.command_names.size(), 0);
  std::map<std::uint32_t, physics::LogChannel> channels;
  std::int64_t last = 0;
  auto read = reading.read(
      [&](std::uint32_t channel, const physics::LogCommand& command, std::size_t index) {
        channels.try_emplace(channel, subject->energy, o.banks(), o.banks_per_group)
            .first->second.apply(command);
        ++out.by_command[index];
        last = std::max(last, command.cycle);
        if (++out.commands % kProgressEvery == 0 && options.progress)
          options.progress({"reading", -1, static_cast<double>(reading.source().bytes())});
      });
  if (!read) return bad_input(read.error());
  auto cycles = window_of(options, last, reading.source().end_cycle());
  if (!cycles) return bad_input(cycles.error());

  out.commands_file = file_name_of(options.commands);
  out.format = reading.source().format();
  out.memory = subject->name, out.standard = subject->standard;
  out.cycles = *cycles, out.period_s = subject->period_s;
  out.banks_per_group = o.banks_per_group;
  out.core_missing = subject->core_missing;
  out.interface_missing = subject->interface_missing;
  if (const auto& pins = subject->energy.interface; pins && pins->shape.rates) {
    out.are_rates_used = true;
    out.toggle = options.toggle.value_or(kRandomData),
    out.ones = options.ones.value_or(kRandomData);
  }
  if (channels.empty()) channels.try_emplace(0, subject->energy, o.banks(), o.banks_per_group);
  for (const auto& [number, channel] : channels) {
    out.channels.push_back(number);
    out.energies.push_back(channel.at(*cycles));
  }
  add_diagnostics(out);
  return CommandEnergy{options.as_json ? energy_json(out) + "\n" : energy_text(out),
                       out.diagnostics};
}

}  // namespace diffram::session
