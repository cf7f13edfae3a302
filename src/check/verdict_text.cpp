#include <fmt/format.h>

#include "check/log_check.h"

namespace diffram::check {

namespace {

std::string plural(std::uint64_t count, const char* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string distance_text(const Violation& v) {
  if (v.required == 0) return v.before ? fmt::format("; before it: {}", text_of(*v.before)) : "";
  const char* bound = v.required > v.found ? "at least" : "at most";
  const char* miss = v.required > v.found ? "short" : "too many";
  const std::string from = v.before ? text_of(*v.before) : "the begin of the log";
  return fmt::format(" comes {} after {}; {} {} required, {} {}", plural(v.found, "cycle"), from,
                     bound, v.required, v.shortfall(), miss);
}

}  // namespace

std::string violation_text(const Violation& violation, const std::vector<RuleCount>& rules) {
  const RuleText& rule = rules[violation.rule].rule;
  std::string text =
      fmt::format("{}: {}{}", rule.name, text_of(violation.after), distance_text(violation));
  if (!rule.about.empty()) text += fmt::format(" ({})", rule.about);
  return text;
}

std::string verdict_text(const Verdict& verdict) {
  std::string text = fmt::format(
      "{}: {} command log, {} of {} in cycles {} to {}, held against {}\n", verdict.file,
      verdict.format, plural(verdict.commands, "command"), plural(verdict.channels_seen, "channel"),
      verdict.first_cycle, verdict.last_cycle, verdict.memory);
  if (verdict.is_clean()) {
    text += fmt::format("no violation of {} rules\n", verdict.rules.size());
  } else {
    text += fmt::format("{}\n\n  {:<24}{:>12}  {:>16}  clause\n",
                        plural(verdict.violations, "violation"), "rule", "violations",
                        "worst miss (clk)");
    for (const auto& each : verdict.rules) {
      if (each.violations == 0) continue;
      text += fmt::format("  {:<24}{:>12}  {:>16}  {}\n", each.rule.name, each.violations,
                          each.worst_shortfall > 0 ? std::to_string(each.worst_shortfall) : "–",
                          each.rule.clause);
    }
    text += "\n";
    for (const auto& violation : verdict.first) {
      text += fmt::format("  line {}, channel {}: {}\n", violation.after.line, violation.channel,
                          violation_text(violation, verdict.rules));
    }
    if (verdict.violations > verdict.first.size()) {
      text += fmt::format("  and {} more (--top N shows more)\n",
                          verdict.violations - verdict.first.size());
    }
  }
  if (verdict.idle_precharges > 0) {
    text += fmt::format("note: {} found nothing to close; that is allowed\n",
                        plural(verdict.idle_precharges, "precharge"));
  }
  return text;
}

}  // namespace diffram::check
