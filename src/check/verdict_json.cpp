#include <nlohmann/json.hpp>

#include "check/log_check.h"

namespace diffram::check {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Command& c) {
  Json out = {
      {"cycle", c.cycle}, {"line", c.line}, {"command", spec::name_of(c.name)}, {"rank", c.rank}};
  if (has_bank(c.name)) {
    out["bank_group"] = c.bank_group;
    out["bank"] = c.bank;
  }
  if (c.name == spec::Command::ACT || is_column(c.name)) out["row"] = c.row;
  if (is_column(c.name)) out["column"] = c.column;
  return out;
}

}  // namespace

std::string verdict_json(const Verdict& verdict) {
  Json out = {{"commands_file", verdict.file},
              {"format", verdict.format},
              {"memory", verdict.memory},
              {"commands", verdict.commands},
              {"channels", verdict.channels_seen},
              {"first_cycle", verdict.first_cycle},
              {"last_cycle", verdict.last_cycle},
              {"violations", verdict.violations},
              {"idle_precharges", verdict.idle_precharges}};
  out["by_rule"] = Json::array();
  for (const auto& each : verdict.rules) {
    out["by_rule"].push_back({{"rule", each.rule.name},
                              {"clause", each.rule.clause},
                              {"violations", each.violations},
                              {"worst_shortfall_cycles", each.worst_shortfall}});
  }
  out["first"] = Json::array();
  for (const auto& v : verdict.first) {
    const RuleText& rule = verdict.rules[v.rule].rule;
    const bool counts = v.required != 0;
    out["first"].push_back({{"rule", rule.name},
                            {"clause", rule.clause},
                            {"channel", v.channel},
                            {"before", v.before ? json_of(*v.before) : Json(nullptr)},
                            {"after", json_of(v.after)},
                            {"required_cycles", counts ? Json(v.required) : Json(nullptr)},
                            {"found_cycles", counts ? Json(v.found) : Json(nullptr)},
                            {"shortfall_cycles", counts ? Json(v.shortfall()) : Json(nullptr)},
                            {"message", violation_text(v, verdict.rules)}});
  }
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace diffram::check
