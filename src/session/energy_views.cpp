#include "session/energy_views.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/diagnostic_json.h"
#include "report/number_format.h"

namespace diffram::session {

namespace {

using Json = nlohmann::ordered_json;
using physics::CoreEnergy;
using physics::LogEnergy;
using spec::PinGroup;

struct Component {
  const char* name;
  double CoreEnergy::* joules;
};
constexpr Component kCoreComponents[] = {
    {"activate", &CoreEnergy::activate},
    {"precharge", &CoreEnergy::precharge},
    {"read", &CoreEnergy::read},
    {"write", &CoreEnergy::write},
    {"refresh", &CoreEnergy::refresh},
    {"refresh_part", &CoreEnergy::part_refresh},
    {"bank_open", &CoreEnergy::bank_open},
    {"rank_open", &CoreEnergy::rank_open},
    {"rank_closed", &CoreEnergy::rank_closed},
    {"power_down_active", &CoreEnergy::power_down_active},
    {"power_down_precharge", &CoreEnergy::power_down_precharge},
    {"self_refresh", &CoreEnergy::self_refresh},
    {"deep_sleep", &CoreEnergy::deep_sleep}};

bool has_core(const EnergyFindings& f) { return f.core_missing.empty(); }
bool has_interface(const EnergyFindings& f) { return f.interface_missing.empty(); }

double core_of(const EnergyFindings& f, double CoreEnergy::* component) {
  double sum = 0;
  for (const LogEnergy& e : f.energies) sum += e.core.value_or(CoreEnergy{}).*component;
  return sum;
}
double core_of(const EnergyFindings& f) {
  double sum = 0;
  for (const LogEnergy& e : f.energies) sum += e.core.value_or(CoreEnergy{}).total();
  return sum;
}
physics::PinEnergy pins_of(const EnergyFindings& f, PinGroup group) {
  physics::PinEnergy sum;
  for (const LogEnergy& e : f.energies) {
    if (!e.interface) continue;
    sum.level += e.interface->pins[group].level;
    sum.edges += e.interface->pins[group].edges;
  }
  return sum;
}
double interface_of(const EnergyFindings& f) {
  double sum = 0;
  for (const LogEnergy& e : f.energies)
    sum += e.interface.value_or(physics::InterfaceEnergy{}).total();
  return sum;
}
physics::PinCounts counts_of(const EnergyFindings& f, PinGroup group) {
  physics::PinCounts sum;
  for (const LogEnergy& e : f.energies) sum += e.counts.pins[group];
  return sum;
}

/// Data pins, strobes and inversion of one direction.
double transfer_of(const EnergyFindings& f, bool is_read) {
  if (is_read)
    return pins_of(f, PinGroup::read_data).total() + pins_of(f, PinGroup::read_strobe).total() +
           pins_of(f, PinGroup::read_inversion).total();
  return pins_of(f, PinGroup::write_data).total() + pins_of(f, PinGroup::write_strobe).total() +
         pins_of(f, PinGroup::write_inversion).total();
}

struct CommandRow {
  std::string name;
  std::uint64_t count = 0;
  std::optional<double> core, interface;  ///< J
};

/// What a command's own event costs; its share of a state is not in it. Commands that cost the same
/// thing have one row: RD and RDA, PRE of any kind, the partial refreshes.
std::vector<CommandRow> command_rows(const EnergyFindings& f) {
  static const std::map<std::string, std::string> one_row = {
      {"RDA", "RD"},      {"WRA", "WR"},      {"PREA", "PRE"},     {"PREsb", "PRE"},
      {"SREFE", "REFab"}, {"REFsb", "REFpb"}, {"REFp2b", "REFpb"}, {"REFdb", "REFpb"}};
  std::vector<CommandRow> rows;
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < f.by_command.size(); ++i) {
    if (f.by_command[i] == 0) continue;
    const std::string& name = f.command_names[i];
    const auto same = one_row.find(name);
    const std::string& shown = same == one_row.end() ? name : same->second;
    const auto [place, is_new] = at.try_emplace(shown, rows.size());
    if (is_new) rows.push_back({shown, 0, std::nullopt, std::nullopt});
    rows[place->second].count += f.by_command[i];
  }
  // The precharge of RDA and WRA is paid as one.
  const bool closes_by_itself = f.by_command[static_cast<std::size_t>(spec::Command::RDA)] +
                                    f.by_command[static_cast<std::size_t>(spec::Command::WRA)] >
                                0;
  if (closes_by_itself && !at.contains("PRE")) rows.push_back({"PRE", 0, {}, {}});
  for (CommandRow& row : rows) {
    for (const LogEnergy& e : f.energies) {
      const auto found = e.core_by_command.find(row.name);
      if (has_core(f) && found != e.core_by_command.end())
        row.core = row.core.value_or(0) + found->second;
    }
    if (has_interface(f) && (row.name == "RD" || row.name == "WR"))
      row.interface = transfer_of(f, row.name == "RD");
  }
  return rows;
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json interface_json(const EnergyFindings& f) {
  Json groups = Json::object();
  for (std::size_t i = 0; i < spec::kPinGroups; ++i) {
    const auto group = static_cast<PinGroup>(i);
    const physics::PinCounts n = counts_of(f, group);
    const physics::PinEnergy e = pins_of(f, group);
    if (n == physics::PinCounts{}) continue;
    groups[spec::name_of(group)] = {{"level_j", e.level}, {"edge_j", e.edges}, {"ones", n.ones},
                                    {"zeroes", n.zeroes}, {"rises", n.rises},  {"falls", n.falls}};
  }
  return groups;
}

std::string joules_text(const std::optional<double>& joules) {
  return joules ? report::energy_figure(*joules).text(" ") : "–";
}

}  // namespace

std::string energy_json(const EnergyFindings& f) {
  Json out = {{"commands_file", f.commands_file},
              {"format", f.format},
              {"memory", f.memory},
              {"standard", f.standard},
              {"commands", f.commands},
              {"channels", f.channels.size()},
              {"cycles", f.cycles},
              {"time_s", static_cast<double>(f.cycles) * f.period_s}};
  const bool is_whole = has_core(f) && has_interface(f);
  Json& energy = out["energy_j"];
  energy["total"] = is_whole ? Json(core_of(f) + interface_of(f)) : Json(nullptr);
  energy["core"] = has_core(f) ? Json(core_of(f)) : Json(nullptr);
  energy["interface"] = has_interface(f) ? Json(interface_of(f)) : Json(nullptr);
  for (const Component& c : kCoreComponents)
    if (has_core(f)) energy[c.name] = core_of(f, c.joules);
  if (!has_core(f)) out["core_missing"] = f.core_missing;
  if (!has_interface(f)) out["interface_missing"] = f.interface_missing;
  if (has_interface(f)) out["pins"] = interface_json(f);
  out["by_command"] = Json::array();
  for (const CommandRow& row : command_rows(f))
    out["by_command"].push_back({{"command", row.name},
                                 {"count", row.count},
                                 {"core_j", or_null(row.core)},
                                 {"interface_j", or_null(row.interface)}});
  out["by_rank"] = Json::array();
  out["by_bank"] = Json::array();
  for (std::size_t i = 0; has_core(f) && i < f.energies.size(); ++i) {
    for (const auto& r : f.energies[i].by_rank)
      out["by_rank"].push_back(
          {{"channel", f.channels[i]}, {"rank", r.rank}, {"core_j", r.joules}});
    for (const auto& b : f.energies[i].by_bank)
      out["by_bank"].push_back({{"channel", f.channels[i]},
                                {"rank", b.rank},
                                {"bank_group", b.bank / f.banks_per_group},
                                {"bank", b.bank % f.banks_per_group},
                                {"core_j", b.joules}});
  }
  out["diagnostics"] = f.diagnostics;
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string energy_text(const EnergyFindings& f) {
  std::string text;
  const auto to = std::back_inserter(text);
  fmt::format_to(to, "{} ({}): {} commands, {} channel{}, {} cycles = {}; {} ({})\n\n",
                 f.commands_file, f.format, f.commands, f.channels.size(),
                 f.channels.size() == 1 ? "" : "s", f.cycles,
                 report::seconds_figure(static_cast<double>(f.cycles) * f.period_s).text(" "),
                 f.memory, f.standard);
  const auto row = [&](int indent, const std::string& name, const std::string& value) {
    fmt::format_to(to, "{:{}}{:<{}}{:>12}\n", "", indent, name, 24 - indent, value);
  };
  if (has_core(f)) {
    row(0, "core", joules_text(core_of(f)));
    for (const Component& c : kCoreComponents)
      if (core_of(f, c.joules) != 0) row(2, c.name, joules_text(core_of(f, c.joules)));
  } else {
    fmt::format_to(to, "core: not known, {}\n", f.core_missing);
  }
  if (has_interface(f)) {
    row(0, "interface", joules_text(interface_of(f)));
    for (std::size_t i = 0; i < spec::kPinGroups; ++i) {
      const auto group = static_cast<PinGroup>(i);
      if (pins_of(f, group).total() != 0)
        row(2, spec::name_of(group), joules_text(pins_of(f, group).total()));
    }
  } else {
    fmt::format_to(to, "interface: not known, {}\n", f.interface_missing);
  }
  fmt::format_to(to, "\n{:<10}{:>10}{:>14}{:>14}\n", "command", "count", "core", "interface");
  for (const CommandRow& r : command_rows(f))
    fmt::format_to(to, "{:<10}{:>10}{:>14}{:>14}\n", r.name, r.count, joules_text(r.core),
                   joules_text(r.interface));
  if (!has_core(f)) return text;
  fmt::format_to(to, "\n{:<10}{:>6}{:>8}{:>8}{:>14}\n", "channel", "rank", "group", "bank", "core");
  for (std::size_t i = 0; i < f.energies.size(); ++i) {
    for (const auto& r : f.energies[i].by_rank) {
      fmt::format_to(to, "{:<10}{:>6}{:>8}{:>8}{:>14}\n", f.channels[i], r.rank, "all", "all",
                     joules_text(r.joules));
      for (const auto& b : f.energies[i].by_bank)
        if (b.rank == r.rank && b.joules != 0)
          fmt::format_to(to, "{:<10}{:>6}{:>8}{:>8}{:>14}\n", "", "", b.bank / f.banks_per_group,
                         b.bank % f.banks_per_group, joules_text(b.joules));
    }
  }
  return text;
}

}  // namespace diffram::session
