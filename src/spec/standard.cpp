#include "spec/standard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/cause.h"
#include "spec/choice.h"
#include "spec/interface_parser.h"
#include "spec/rounding.h"
#include "spec/toml_section.h"

namespace diffram::spec {

namespace {

constexpr std::int64_t kMostWindow = 16;
constexpr std::size_t kMostRules = 254;  // Constraint::rule is one byte, kBusRule takes one
constexpr const char* kBusRule = "command-length";

std::vector<Command> read_commands(Section& row, const std::string& key, Reading& reading) {
  std::vector<Command> out;
  for (const auto& name : row.texts(key)) {
    if (const auto command = by_name<Command>(kCommandNames, name)) {
      out.push_back(*command);
    } else {
      reading.refuse("unknown_command", row.path_of(key), row.line_of(key),
                     "there is no command '" + name + "'", nearest_of(kCommandNames, name));
    }
  }
  return out;
}

void read_rule(Section& section, Reading& reading, Standard& standard) {
  Rule rule;
  rule.name = section.text("name").value_or("");
  rule.clause = section.text("clause").value_or("unverified");
  rule.cause = section.text("cause").value_or("");
  if (!by_name<base::Cause>(base::kCauseNames, rule.cause)) {
    reading.refuse("unknown_cause", section.path_of("cause"), section.line_of("cause"),
                   "there is no cause '" + rule.cause + "'",
                   nearest_of(base::kCauseNames, rule.cause));
  }
  for (auto& fields : section.sections("rows")) {
    ConstraintRow row;
    row.rule = static_cast<std::uint8_t>(standard.rules.size());
    row.line = fields.line_of("cycles");
    const auto scope = fields.text("scope").value_or("");
    if (const auto known = by_name<Scope>(kScopeNames, scope)) {
      row.scope = *known;
    } else {
      reading.refuse("unknown_scope", fields.path_of("scope"), fields.line_of("scope"),
                     "there is no scope '" + scope + "'", nearest_of(kScopeNames, scope));
    }
    row.before = read_commands(fields, "before", reading);
    row.after = read_commands(fields, "after", reading);
    row.cycles = fields.text("cycles").value_or("0");
    row.window = static_cast<std::uint8_t>(
        fields.whole("window", 1, kMostWindow, Need::optional).value_or(1));
    fields.refuse_unknown_keys();
    standard.rows.push_back(std::move(row));
  }
  section.refuse_unknown_keys();
  standard.rules.push_back(std::move(rule));
}

TimingDefinition read_timing(Section& section) {
  TimingDefinition out;
  out.name = section.text("name").value_or("");
  out.cycles = section.text("cycles").value_or("");
  out.fallback = section.text("default", Need::optional).value_or("");
  out.is_longest = section.flag("maximum_rule", Need::optional).value_or(false);
  out.minimum = section.whole("minimum", 0, 1, Need::optional).value_or(1);
  section.refuse_unknown_keys();
  return out;
}

StandardLaws read_laws(Section laws) {
  StandardLaws out;
  if (!laws.present()) return out;
  out.refresh_interval_ns = laws.real("refresh_interval_ns", 1, 1e6, Need::optional).value_or(0);
  for (auto& entry : laws.sections("refresh_time")) {
    const auto gigabits = entry.whole("gigabits", 1, 1024);
    const auto nanoseconds = entry.real("ns", 1, 1e6);
    if (gigabits && nanoseconds) out.refresh_ns_by_gigabits[*gigabits] = *nanoseconds;
    for (const auto& [granularity, key] : {std::pair{2, "ns_2x"}, {4, "ns_4x"}}) {
      const auto fine = entry.real(key, 1, 1e6, Need::optional);
      if (gigabits && fine) out.fine_refresh_ns[{granularity, *gigabits}] = *fine;
    }
    const auto part = entry.real("ns_part", 1, 1e6, Need::optional);
    if (gigabits && part) out.part_refresh_ns[*gigabits] = *part;
    entry.refuse_unknown_keys();
  }
  for (auto& entry : laws.sections("fixed")) {
    const auto cycles = entry.text("cycles");
    const auto clocks = entry.whole("clocks", 1, 10000);
    if (cycles && clocks) out.fixed_cycles[*cycles] = *clocks;
    entry.refuse_unknown_keys();
  }
  laws.refuse_unknown_keys();
  return out;
}

TemperatureLimits read_temperature(Section section, Reading& reading) {
  TemperatureLimits out;
  if (!section.present()) return out;
  section.text("source");
  const auto place = section.text("measured_at").value_or("");
  if (const auto known = by_name<MeasuredAt>(kMeasuredAtNames, place)) {
    out.measured_at = *known;
  } else {
    reading.refuse("unknown_choice", section.path_of("measured_at"), section.line_of("measured_at"),
                   "temperature is not measured at '" + place + "'", "case, die or stack");
  }
  out.shutdown = section.real("shutdown_c", 60, 200, Need::optional);
  double below = -273.15;
  for (auto& entry : section.sections("band")) {
    RefreshBand band;
    band.up_to = entry.real("up_to_c", -55, 200).value_or(below);
    band.refresh_rate = entry.real("refresh_rate", 0.125, 16).value_or(1);
    band.timing_derate_ns = entry.real("timing_derate_ns", 0, 10, Need::optional).value_or(0);
    entry.refuse_unknown_keys();
    if (band.up_to <= below)
      reading.refuse("inconsistent", section.path_of("band"), entry.line_of("up_to_c"),
                     "bands of temperature must rise", fmt::format("more than {:g}", below));
    below = band.up_to;
    out.bands.push_back(band);
  }
  section.refuse_unknown_keys();
  return out;
}

std::optional<Command> read_command(Section& section, const std::string& key, Reading& reading) {
  const auto name = section.text(key);
  if (!name) return std::nullopt;
  const auto command = by_name<Command>(kCommandNames, *name);
  if (!command)
    reading.refuse("unknown_command", section.path_of(key), section.line_of(key),
                   "there is no command '" + *name + "'", nearest_of(kCommandNames, *name));
  return command;
}

// How long commands lie on the bus, and whether rows and columns have one each.
void read_buses(Section& root, Reading& reading, Standard& out) {
  for (auto& section : root.sections("command")) {
    const auto cycles = section.whole("cycles", 1, 16, Need::optional).value_or(1);
    const auto bus = section.text("bus", Need::optional).value_or("one");
    if (bus != "one" && bus != "row" && bus != "column")
      reading.refuse("unknown_choice", section.path_of("bus"), section.line_of("bus"),
                     "there is no bus '" + bus + "'", "row or column; nothing if there is one");
    out.split_buses |= bus != "one";
    const bool rising = section.flag("rising_edge", Need::optional).value_or(false);
    for (const auto command : read_commands(section, "names", reading)) {
      out.shapes[static_cast<std::size_t>(command)] = {static_cast<std::int32_t>(cycles),
                                                       bus == "column", rising};
      out.commands.push_back(command);
    }
    section.refuse_unknown_keys();
  }
  const auto from = root.text("times_count_from", Need::optional).value_or("first_cycle");
  if (from != "first_cycle" && from != "last_cycle")
    reading.refuse("unknown_choice", "times_count_from", root.line_of("times_count_from"),
                   "times cannot count from '" + from + "'", "first_cycle or last_cycle");
  out.counts_from_last = from == "last_cycle";
}

void read_part_refresh(Section section, Reading& reading, Standard& out) {
  if (!section.present()) return;
  out.part_refresh = read_command(section, "command", reading);
  if (out.part_refresh && !refreshes_a_part(*out.part_refresh))
    reading.refuse("unknown_command", section.path_of("command"), section.line_of("command"),
                   "this refreshes no part of a rank", "REFpb or REFsb");
  const auto unit = section.text("refreshes").value_or("");
  if (const auto known = by_name<RefreshUnit>(kRefreshUnitNames, unit)) {
    out.refresh_unit = *known;
  } else {
    reading.refuse("unknown_choice", section.path_of("refreshes"), section.line_of("refreshes"),
                   "nothing refreshes '" + unit + "'", nearest_of(kRefreshUnitNames, unit));
  }
  section.refuse_unknown_keys();
}

OpenBanks read_open_banks(Section& section, const std::string& key, Reading& reading) {
  const auto name = section.text(key, Need::optional).value_or("all");
  if (const auto known = by_name<OpenBanks>(kOpenBanksNames, name)) return *known;
  reading.refuse("unknown_choice", section.path_of(key), section.line_of(key),
                 "no current is measured with '" + name + "' banks open",
                 nearest_of(kOpenBanksNames, name));
  return OpenBanks::all;
}

void read_current_loops(Section section, Reading& reading, Standard& out) {
  if (!section.present()) return;
  CurrentLoops& loops = out.current_loops;
  loops.rails = section.texts("rails");
  loops.standby = read_open_banks(section, "standby", reading);
  loops.columns = read_open_banks(section, "columns", reading);
  loops.part_refresh = section.text("part_refresh", Need::optional).value_or("");
  loops.part_refreshes = static_cast<std::int32_t>(
      section.whole("part_refreshes", 1, 256, Need::optional).value_or(0));
  loops.splits_activation = section.flag("splits_activation", Need::optional).value_or(true);
  section.refuse_unknown_keys();
}

void read_data_clock(Section section, Standard& out) {
  if (!section.present()) return;
  out.clock_after_read = section.text("runs_after_read").value_or("");
  out.clock_after_write = section.text("runs_after_write").value_or("");
  section.refuse_unknown_keys();
}

bool is_named_in(std::string_view name, std::string_view expression) {
  const auto in_a_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (auto at = expression.find(name); at != expression.npos; at = expression.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || !in_a_name(expression[at - 1])) &&
        (end == expression.size() || !in_a_name(expression[end])))
      return true;
  }
  return false;
}

/// The rules of a standard are sound: what an expression cannot be made of is the memory's fault,
/// first of all that of the longest timing in it. The caller knows the memory's file.
base::Error timing_error(const Standard& standard, const std::string& expression, int line,
                         const std::map<std::string, std::int32_t>& timings, std::string message) {
  const std::pair<const std::string, std::int32_t>* longest = nullptr;
  for (const auto& timing : timings) {
    if (!is_named_in(timing.first, expression)) continue;
    if (longest == nullptr || timing.second > longest->second) longest = &timing;
  }
  base::Error error;
  error.code = "timings_do_not_fit";
  error.field = "timings";
  error.message = fmt::format("{} ({} in {}:{})", message, expression,
                              std::filesystem::path(standard.file).filename().string(), line);
  error.expected = "other timings";
  if (longest == nullptr) return error;
  const std::string name = standard.timing_name(longest->first);
  error.field += "." + name;
  error.expected = fmt::format("other than {} cycles of {}", longest->second, name);
  return error;
}

// A command holds its bus for as long as it lasts, whoever it is for.
void add_bus_rows(const Standard& standard, std::vector<Constraint>& out) {
  const auto rule = std::find_if(standard.rules.begin(), standard.rules.end(),
                                 [](const Rule& r) { return r.name == kBusRule; });
  if (rule == standard.rules.end()) return;
  const auto index = static_cast<std::uint8_t>(rule - standard.rules.begin());
  for (const auto before : standard.commands) {
    const auto& shape = standard.shapes[static_cast<std::size_t>(before)];
    if (shape.cycles == 1) continue;  // one command a cycle is a rule of every channel
    for (const auto after : standard.commands) {
      const auto& later = standard.shapes[static_cast<std::size_t>(after)];
      if (later.on_column_bus != shape.on_column_bus) continue;
      out.push_back({Scope::channel, before, after, shape.cycles, 1, index});
    }
  }
}

}  // namespace

base::Result<Standard> parse_standard(const SourceText& source) {
  Reading reading;
  reading.file = source.file;
  const auto tree = parse_toml(source.text, reading);
  if (!tree) return base::failure(std::move(reading.errors));
  Standard out;
  out.file = source.file;
  Section root(&*tree, "", reading, "");
  out.name = root.text("name").value_or("");
  out.transfers_per_clock = root.whole("transfers_per_clock", 1, 16).value_or(2);
  out.rounding = root.text("rounding").value_or("up");
  if (std::find(std::begin(kRoundingRules), std::end(kRoundingRules), out.rounding) ==
      std::end(kRoundingRules)) {
    reading.refuse("unknown_rounding", "rounding", root.line_of("rounding"),
                   "there is no rounding rule '" + out.rounding + "'",
                   "jedec_ddr4, jedec_ddr5 or up");
  }
  out.bank_groups = root.wholes("bank_groups", 1, 64);
  out.banks_per_group = root.wholes("banks_per_group", 1, 64);
  for (auto& section : root.sections("timing")) out.timings.push_back(read_timing(section));
  auto rules = root.sections("rule");
  if (rules.size() > kMostRules) {
    reading.refuse("too_many_rules", "rule", root.line_of("rule"), "there are too many rules",
                   fmt::format("at most {}", kMostRules));
    rules.clear();
  }
  for (auto& section : rules) read_rule(section, reading, out);
  out.laws = read_laws(root.section("laws", Need::optional, ""));
  out.ticks_per_clock = root.whole("ticks_per_clock", 1, 4, Need::optional).value_or(1);
  if (out.transfers_per_clock % out.ticks_per_clock != 0)
    reading.refuse("not_a_multiple", "ticks_per_clock", root.line_of("ticks_per_clock"),
                   "a part of a clock holds no whole number of transfers",
                   "a divisor of transfers_per_clock");
  read_buses(root, reading, out);
  if (std::any_of(out.shapes.begin(), out.shapes.end(),
                  [](const CommandShape& shape) { return shape.cycles > 1; })) {
    out.rules.push_back({kBusRule, "a command takes its cycles of the bus", "command.bus"});
  }
  read_part_refresh(root.section("part_refresh", Need::optional, ""), reading, out);
  read_data_clock(root.section("data_clock", Need::optional, ""), out);
  read_current_loops(root.section("current_loops", Need::optional, ""), reading, out);
  out.temperature = read_temperature(root.section("temperature", Need::optional, ""), reading);
  out.pads = read_pads(root.section("interface", Need::optional), std::nullopt);
  out.pad_sources = std::move(reading.provenance);  // no other section of a standard states sources
  root.refuse_unknown_keys();
  if (!reading.errors.empty()) return base::failure(std::move(reading.errors));
  return out;
}

base::Result<std::vector<Constraint>> resolve_rows(
    const Standard& standard, const std::map<std::string, std::int32_t>& timings) {
  const Names names(timings.begin(), timings.end());
  std::vector<Constraint> out;
  base::Errors errors;
  const auto length = [&](Command c) {
    return standard.counts_from_last ? standard.shapes[static_cast<std::size_t>(c)].cycles : 0;
  };
  for (const auto& row : standard.rows) {
    const auto cycles = evaluate(row.cycles, names);
    if (!cycles) {
      errors.push_back(timing_error(standard, row.cycles, row.line, timings, cycles.error()));
      continue;
    }
    if (*cycles <= 0) continue;
    std::int64_t too_far = 0;
    for (const auto before : row.before) {
      for (const auto after : row.after) {
        const auto apart = *cycles + length(before) - length(after);
        if (apart > Constraint::kMostCycles) {
          too_far = std::max(too_far, apart);
          continue;
        }
        if (apart <= 0) continue;
        out.push_back(
            {row.scope, before, after, static_cast<std::int32_t>(apart), row.window, row.rule});
      }
    }
    if (too_far == 0) continue;
    errors.push_back(timing_error(
        standard, row.cycles, row.line, timings,
        fmt::format("the rule {} keeps two commands {} cycles apart; more than {} cannot be kept",
                    standard.rules[row.rule].name, too_far, Constraint::kMostCycles)));
  }
  if (!errors.empty()) return base::failure(std::move(errors));
  add_bus_rows(standard, out);
  return out;
}

base::Result<Protocol> resolve_protocol(const Standard& standard,
                                        const std::map<std::string, std::int32_t>& timings) {
  const Names names(timings.begin(), timings.end());
  Protocol out;
  out.split_buses = standard.split_buses;
  out.part_refresh = standard.part_refresh;
  out.refresh_unit = standard.refresh_unit;
  out.ticks_per_clock = static_cast<std::int32_t>(standard.ticks_per_clock);
  out.clock_lead = standard.shapes[static_cast<std::size_t>(Command::CAS_RD)].cycles;
  for (std::size_t i = 0; i < kCommandCount; ++i) {
    if (standard.shapes[i].rising_edge) out.rising_edge_only |= 1u << i;
  }
  base::Errors errors;
  const auto resolve = [&](const std::string& text, std::int32_t& into) {
    if (text.empty()) return;
    const auto value = evaluate(text, names);
    if (value && *value > 0 && *value <= Constraint::kMostCycles) {
      into = static_cast<std::int32_t>(*value);
      return;
    }
    errors.push_back(timing_error(
        standard, text, 0, timings,
        value ? fmt::format("the data clock would run for {} cycles; 1 to {} are possible", *value,
                            Constraint::kMostCycles)
              : value.error()));
  };
  resolve(standard.clock_after_read, out.clock_after_read);
  resolve(standard.clock_after_write, out.clock_after_write);
  if (!errors.empty()) return base::failure(std::move(errors));
  return out;
}

namespace {

/// What the caller does not bring takes the standard's default, where that follows from the rest.
std::map<std::string, std::int32_t> with_defaults(const Standard& standard,
                                                  std::map<std::string, std::int32_t> timings) {
  Names names(timings.begin(), timings.end());
  names.emplace("cycles_per_clock", standard.ticks_per_clock);
  for (const auto& timing : standard.timings) {
    if (timing.fallback.empty() || timings.contains(timing.cycles)) continue;
    const auto value = evaluate(timing.fallback, names);
    if (!value || *value < 0 || *value > Constraint::kMostCycles) continue;
    names[timing.cycles] = *value;
    timings[timing.cycles] = static_cast<std::int32_t>(*value);
  }
  return timings;
}

}  // namespace

base::Result<std::vector<Constraint>> resolve_constraints(
    const SpecFolders& folders, const std::string& standard,
    const std::map<std::string, std::int32_t>& timings, std::vector<Rule>& rules) {
  const auto text = read_standard(folders, standard);
  if (!text) return base::failure(text.error());
  auto parsed = parse_standard(*text);
  if (!parsed) return base::failure(std::move(parsed.error()));
  rules = parsed->rules;
  return resolve_rows(*parsed, with_defaults(*parsed, timings));
}

base::Result<CurrentLoops> current_loops(const SpecFolders& folders, const std::string& standard) {
  const auto text = read_standard(folders, standard);
  if (!text) return base::failure(text.error());
  auto parsed = parse_standard(*text);
  if (!parsed) return base::failure(std::move(parsed.error()));
  return std::move(parsed->current_loops);
}

base::Result<Protocol> resolve_protocol(const SpecFolders& folders, const std::string& standard,
                                        const std::map<std::string, std::int32_t>& timings) {
  const auto text = read_standard(folders, standard);
  if (!text) return base::failure(text.error());
  const auto parsed = parse_standard(*text);
  if (!parsed) return base::failure(parsed.error());
  return resolve_protocol(*parsed, with_defaults(*parsed, timings));
}

}  // namespace diffram::spec
