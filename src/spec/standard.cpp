#include "spec/standard.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/cause.h"
#include "spec/rounding.h"
#include "spec/toml_section.h"

namespace diffram::spec {

namespace {

constexpr std::int64_t kMostWindow = 16;
constexpr std::size_t kMostRules = 255;  // Constraint::rule is one byte

template <class Enum, std::size_t N>
std::optional<Enum> by_name(const std::array<const char*, N>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

template <std::size_t N>
std::string nearest_of(const std::array<const char*, N>& names, const std::string& name) {
  return base::nearest(name, std::vector<std::string>(names.begin(), names.end()));
}

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
    entry.refuse_unknown_keys();
  }
  laws.refuse_unknown_keys();
  return out;
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
                   "at most 255");
    rules.clear();
  }
  for (auto& section : rules) read_rule(section, reading, out);
  out.laws = read_laws(root.section("laws", Need::optional, ""));
  root.refuse_unknown_keys();
  if (!reading.errors.empty()) return base::failure(std::move(reading.errors));
  return out;
}

base::Result<std::vector<Constraint>> resolve_rows(
    const Standard& standard, const std::map<std::string, std::int32_t>& timings) {
  const Names names(timings.begin(), timings.end());
  std::vector<Constraint> out;
  base::Errors errors;
  for (const auto& row : standard.rows) {
    const auto cycles = evaluate(row.cycles, names);
    if (!cycles || *cycles > Constraint::kMostCycles) {
      base::Error error;
      error.code = "bad_expression";
      error.file = standard.file;
      error.line = row.line;
      error.field = standard.rules[row.rule].name;
      error.message =
          cycles ? fmt::format("{} cycles are more than {}", *cycles, Constraint::kMostCycles)
                 : cycles.error();
      errors.push_back(std::move(error));
      continue;
    }
    if (*cycles <= 0) continue;
    for (const auto before : row.before) {
      for (const auto after : row.after) {
        out.push_back(
            {row.scope, before, after, static_cast<std::int32_t>(*cycles), row.window, row.rule});
      }
    }
  }
  if (!errors.empty()) return base::failure(std::move(errors));
  return out;
}

base::Result<std::vector<Constraint>> resolve_constraints(
    const SpecFolders& folders, const std::string& standard,
    const std::map<std::string, std::int32_t>& timings, std::vector<Rule>& rules) {
  const auto text = read_standard(folders, standard);
  if (!text) return base::failure(text.error());
  auto parsed = parse_standard(*text);
  if (!parsed) return base::failure(std::move(parsed.error()));
  rules = parsed->rules;
  return resolve_rows(*parsed, timings);
}

}  // namespace diffram::spec
