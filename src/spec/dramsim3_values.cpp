#include "spec/dramsim3_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace diffram::spec {

bool Dramsim3Source::states(std::string_view section, std::string_view key) const {
  const IniEntry* entry = ini_->find(section, in_lower_case(key));
  return entry != nullptr && !entry->value.empty();
}

int Dramsim3Source::line_of(std::string_view section, std::string_view key) const {
  const IniEntry* entry = ini_->find(section, in_lower_case(key));
  return entry == nullptr ? 0 : entry->line;
}

CarriedValue Dramsim3Source::carried(const char* key, std::string value, const char* unit,
                                     const char* section, const char* from) {
  CarriedValue out{key, std::move(value), unit, Origin::carried, {}, section, from};
  if (states(section, from)) {
    out.remark = fmt::format("DRAMsim3 INI {}:{}, {}", file_, line_of(section, from), from);
  } else {
    out.remark = fmt::format("DRAMsim3's default of {}, which {} does not state", from, file_);
    auto name = fmt::format("[{}] {}", section, from);
    if (std::find(defaults_.begin(), defaults_.end(), name) == defaults_.end())
      defaults_.push_back(std::move(name));
  }
  return out;
}

CarriedValue Dramsim3Source::assumed(const char* key, std::string value, const char* unit,
                                     std::string why) {
  assumed_.push_back(fmt::format("{} = {} {} ({})", key, value, unit, why));
  return {key,
          std::move(value),
          unit,
          Origin::assumed,
          fmt::format("not in DRAMsim3 INI {}: {}", file_, why),
          {},
          {}};
}

void Dramsim3Source::leave_out(const char* section, const char* key, std::string why,
                               base::Severity severity) {
  if (!states(section, key)) return;
  note("not_carried", severity, fmt::format("[{}] {} is not carried over: {}", section, key, why),
       fmt::format("{}:{}", file_, line_of(section, key)));
}

void Dramsim3Source::note(const char* code, base::Severity severity, std::string message,
                          std::string evidence) {
  diagnostics_.push_back({code, severity, std::move(message), std::move(evidence)});
}

void Dramsim3Source::tell_lists() {
  if (!defaults_.empty()) {
    note("defaults_written", base::Severity::warning,
         "Keys that the configuration does not state have DRAMsim3's defaults",
         fmt::format("{}: {}", file_, fmt::join(defaults_, ", ")));
  }
  if (!used_here_.empty()) {
    note("used_here_alone", base::Severity::note,
         "Keys without effect in DRAMsim3 were carried over: a native controller uses them",
         fmt::format("{}: {}", file_, fmt::join(used_here_, ", ")));
  }
  if (!assumed_.empty()) {
    note("assumed_values", base::Severity::warning,
         "Values that a memory needs and a DRAMsim3 configuration does not have were assumed",
         fmt::format("{}", fmt::join(assumed_, ", ")));
  }
}

namespace {

std::string in_quotes(std::string_view text) { return fmt::format("\"{}\"", text); }

bool has_groups(const Standard& standard) { return standard.has_timing("tCCD_L"); }

}  // namespace

CarriedTable organisation_of(Dramsim3Source& source) {
  constexpr const char* kStructure = "dram_structure";
  const Dramsim3Config& c = source.config();
  CarriedTable out{"organisation", {}};
  const auto add = [&](const char* key, std::int64_t value, const char* unit, const char* section,
                       const char* from) -> CarriedValue& {
    out.values.push_back(source.carried(key, std::to_string(value), unit, section, from));
    return out.values.back();
  };
  add("channels", c.channels, "", "system", "channels");
  add("ranks", c.ranks, "", "system", "channel_size").derive(": as many as it holds");
  const bool groups = has_groups(source.standard());
  if (groups) {
    add("bank_groups", c.bank_groups, "", kStructure, "bankgroups");
    add("banks_per_group", c.banks_per_group, "", kStructure, "banks_per_group");
  } else {
    add("bank_groups", 1, "", kStructure, "bankgroups").derive(": the standard has none");
    add("banks_per_group", c.banks(), "", kStructure, "banks_per_group").derive(": of all groups");
  }
  add("rows", c.rows, "", kStructure, "rows");
  auto& columns = add("columns", c.columns, "", kStructure, "columns");
  if (is_gddr(c.protocol)) columns.derive(" x BL: DRAMsim3 counts bursts");
  if (is_hbm(c.protocol)) columns.derive(" x 2: DRAMsim3 counts pairs");
  add("device_width", c.device_width, "bit", kStructure, "device_width");
  add("bus_width", c.bus_width, "bit", "system", "bus_width");
  add("burst_length", c.burst_length, "beats", kStructure, "BL");
  const double bits = static_cast<double>(c.banks()) * c.rows * c.columns * c.device_width;
  add("device_gigabits", std::max<std::int64_t>(1, std::llround(bits / 0x1p30)), "Gb", kStructure,
      "rows")
      .derive(" x columns x banks x device_width");
  return out;
}

std::vector<CarriedTable> currents_of(Dramsim3Source& source) {
  constexpr const char* kSection = "power";
  struct Named {
    const char *ours, *theirs;
    bool is_core;            ///< without it the memory has no energy
    bool used_here = false;  ///< and not by DRAMsim3
  };
  constexpr std::array<Named, 9> kNames = {{{"I0", "IDD0", true},
                                            {"I2N", "IDD2N", true},
                                            {"I2P", "IDD2P", false, true},
                                            {"I3N", "IDD3N", true},
                                            {"I3P", "IDD3P", false, true},
                                            {"I4R", "IDD4R", true},
                                            {"I4W", "IDD4W", true},
                                            {"I5", "IDD5AB", true},
                                            {"I6", "IDD6x", false}}};
  // DRAMsim3 has one rail: it is the one that carries most of the core.
  const auto& rails = source.standard().current_loops.rails;
  CarriedTable rail{"currents." + rails.front(), {}};
  std::vector<std::string> missing;
  for (const Named& name : kNames) {
    const IniEntry* entry = source.ini().find(kSection, in_lower_case(name.theirs));
    const auto value = entry == nullptr ? std::nullopt : ini_real(entry->value);
    if (value && std::isfinite(*value) && *value > 0) {
      rail.values.push_back(
          source.carried(name.ours, fmt::format("{}", *value), "mA", kSection, name.theirs));
      if (name.used_here) source.used_here(name.theirs, name.ours);
      continue;
    }
    if (value) source.leave_out(kSection, name.theirs, "it is no current; unknown is not 0");
    if (name.is_core) missing.emplace_back(name.theirs);
  }
  source.leave_out(kSection, "IDD5PB",
                   "a round of refreshes of all banks costs what one of the rank does",
                   base::Severity::note);
  const bool has_any = !rail.values.empty();
  if (has_any && !missing.empty()) {
    source.note("currents_incomplete", base::Severity::warning,
                "Currents that the configuration does not state are not DRAMsim3's defaults, which "
                "are those of another part: the memory has no energy",
                fmt::format("{}", fmt::join(missing, ", ")));
  }
  if (!has_any) {
    source.leave_out(kSection, "VDD", "no current is stated", base::Severity::note);
    return {};
  }
  const double volts = std::isfinite(source.config().power.VDD) ? source.config().power.VDD : 0;
  rail.values.insert(rail.values.begin(),
                     source.carried("volts", fmt::format("{}", volts), "V", kSection, "VDD"));
  CarriedTable about{
      "currents",
      {{"part", in_quotes("that of the DRAMsim3 configuration"), "", Origin::policy, {}, {}, {}},
       {"rho",
        "1.0",
        "",
        Origin::assumed,
        "of the active-standby rise a rank pays it once",
        {},
        {}}}};
  if (rails.size() > 1) {
    const std::vector<std::string> others(rails.begin() + 1, rails.end());
    about.values.push_back({"unknown_rails",
                            fmt::format("[\"{}\"]", fmt::join(others, "\", \"")),
                            "",
                            Origin::policy,
                            "DRAMsim3 has one rail",
                            {},
                            {}});
  }
  return {std::move(about), std::move(rail)};
}

CarriedTable map_of(Dramsim3Source& source) {
  // A copy of DRAMsim3's six tokens; where the standard has no groups both of its bank fields are
  // bits of the bank.
  const std::string tokens = [&] {
    const IniEntry* entry = source.ini().find("system", "address_mapping");
    return entry == nullptr ? std::string("chrobabgraco") : entry->value;
  }();
  const bool groups = has_groups(source.standard());
  const auto bits = [](std::uint32_t count) { return std::bit_width(count) - 1; };
  std::vector<std::string> order;
  for (std::size_t at = 0; at + 1 < tokens.size(); at += 2) {
    const auto token = tokens.substr(at, 2);
    if (!groups && token == "bg") {
      if (const auto n = bits(source.config().bank_groups); n > 0)
        order.push_back(fmt::format("ba:{}", n));
    } else if (!groups && token == "ba") {
      order.push_back(fmt::format("ba:{}", bits(source.config().banks_per_group)));
    } else {
      order.push_back(token);
    }
  }
  CarriedTable out{"map", {}};
  out.values.push_back(source.carried("order", in_quotes(fmt::format("{}", fmt::join(order, " "))),
                                      "", "system", "address_mapping"));
  out.values.back().origin = Origin::policy;
  return out;
}

}  // namespace diffram::spec
