// Part 2 of the page: the whole run by cause, the phases, the layer tree's place, the op groups.

#include <fmt/format.h>

#include <algorithm>

#include "report/number_format.h"
#include "report/page_markup.h"
#include "report/words.h"

namespace diffram::report {
namespace {

using base::Cause;

// A label needs about this share of 900 px to fit; narrower parts are named by the legend.
constexpr double kLabelShare = 0.07;
// Paper and pages without scripts show this many rows (report-design 9); the screen the first few.
constexpr std::size_t kGroupsWritten = 20, kGroupsShown = 8;
// A phase whose time is mostly repeats of a simulated step is hatched.
constexpr double kMostly = 0.5;

double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string run_bar(const Model& model) {
  const std::int64_t all = model.total.channel_cycles();
  std::string parts;
  for (std::size_t i = 0; i < base::kCauseCount; ++i) {
    const std::int64_t cycles = model.total.causes[i];
    if (cycles <= 0) continue;
    const double share = share_of(cycles, all);
    const std::string token = css_token(base::kCauseNames[i]);
    const std::string name = page_name(static_cast<Cause>(i));
    const std::string percent = share_figure(share).text();
    // The accessible name holds the visible text: where it fits, it is the visible text.
    const bool is_labelled = share >= kLabelShare;
    parts += fmt::format(
        "<button type=\"button\" class=\"c-{}\" data-cause=\"{}\" style=\"flex-grow:{:.5g}\" "
        "aria-pressed=\"false\" tabindex=\"{}\"{}>{}</button>",
        token, base::kCauseNames[i], share * 100, parts.empty() ? 0 : -1,
        is_labelled ? "" : fmt::format(" aria-label=\"{} {}\"", name, percent),
        is_labelled ? fmt::format("<b>{}</b> <span>{}</span>", name, percent) : "");
  }
  return fmt::format(
      "<div class=\"bar run\" role=\"group\" aria-label=\"Channel time of the run by "
      "cause\">{}</div>",
      parts);
}

std::string legend(const Model& model) {
  const std::int64_t all = model.total.channel_cycles();
  std::vector<double> sums;
  for (const CauseFamily& family : cause_families()) {
    std::int64_t sum = 0;
    for (const Cause cause : family.causes)
      sum += model.total.causes[static_cast<std::size_t>(cause)];
    sums.push_back(static_cast<double>(sum));
  }
  std::string html;
  std::size_t f = 0;
  for (const CauseFamily& family : cause_families()) {
    std::string rows;
    for (const Cause cause : family.causes) {
      const std::int64_t cycles = model.total.causes[static_cast<std::size_t>(cause)];
      const bool is_rare = cause == Cause::idle_end || cause == Cause::rank_switch ||
                           cause == Cause::power_exit || cause == Cause::idle_throttle;
      if (cycles == 0 && is_rare) continue;
      rows += fmt::format(
          "<tr data-cause=\"{}\"><th scope=\"row\"><i class=\"swatch "
          "c-{}\"></i>{}</th><td>{}</td></tr>",
          base::name_of(cause), css_token(base::name_of(cause)), page_name(cause),
          seconds_figure(model.channel_seconds(cycles)).text());
    }
    html +=
        fmt::format("<table><caption><span>{}</span> <b>{}</b></caption><tbody>{}</tbody></table>",
                    family.title, share_figure(sums[f++], static_cast<double>(all)).text(), rows);
  }
  return "<div class=\"legend\">" + html + "</div>";
}

std::string phase_table(const Model& model) {
  std::string rows;
  bool has_repeats = false;
  for (const PhaseRow& phase : model.phases) {
    const std::int64_t channel = phase.bill.channel_cycles();
    if (phase.bill.time_cycles == 0 && channel == 0) continue;
    const bool is_hatched = phase.accounted_share > kMostly;
    has_repeats = has_repeats || is_hatched;
    const double share = share_of(phase.bill.time_cycles, model.total.time_cycles);
    const bool has_phase = phase.name != "(none)";
    const std::string title = has_phase ? phase.name : "outside ops";
    rows += fmt::format(
        "<tr data-phase=\"{}\"><th scope=\"row\">{}{}</th><td class=\"number\">{}</td><td "
        "class=\"track\"><span class=\"meter\" role=\"img\" aria-label=\"{}\"><i "
        "style=\"width:{:.4g}%\"></i></span></td><td class=\"stack\">{}</td></tr>",
        escaped(phase.name), escaped(title),
        is_hatched ? fmt::format(" <small>{} accounted</small>",
                                 share_figure(phase.accounted_share).text())
                   : "",
        seconds_figure(model.seconds(phase.bill.time_cycles)).text(), share_figure(share).text(),
        share * 100, cause_bar(phase.bill.causes, is_hatched ? "row hatched" : "row"));
  }
  return fmt::format(
      "<table class=\"phases\"><thead><tr><th scope=\"col\">Phase</th><th scope=\"col\" "
      "class=\"number\">Time</th><th scope=\"col\" class=\"track\">Share of run</th><th "
      "scope=\"col\">By cause, 100\u00a0% of the "
      "phase{}</th></tr></thead><tbody>{}</tbody></table>",
      has_repeats ? "; hatched: accounted, not simulated" : "", rows);
}

std::string group_row(const Model& model, const OpGroup& group, bool is_more) {
  const Bill& bill = group.bill;
  const bool has_energy = model.summary.energy_total_j >= 0;
  std::int64_t read = 0;
  for (const std::int64_t bytes : bill.bytes) read += bytes;
  const auto percent = [](std::int64_t part, std::int64_t whole) {
    return share_figure(static_cast<double>(part), static_cast<double>(whole)).text();
  };
  return fmt::format(
      "<tr{}><th scope=\"row\">{}{}</th><td "
      "class=\"where\">{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"stack\">{}</td></tr>",
      is_more ? " class=\"more\"" : "", code(group.label),
      group.places > 1 ? fmt::format(" <small>×\u00a0{}</small>", group.places) : "",
      code(group.where), seconds_figure(model.seconds(bill.time_cycles)).text(),
      percent(bill.time_cycles, model.total.time_cycles),
      percent(bill.wait_cycles, bill.time_cycles), bytes_figure(static_cast<double>(read)).text(),
      percent(bill.read_again, read),
      has_energy ? energy_figure(bill.total_joules()).text() : kDoesNotApply,
      percent(bill.hits, bill.columns), cause_bar(bill.causes, "small"));
}

std::string groups_table(const Model& model) {
  std::string rows;
  std::int64_t ops = 0;
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    ops += model.groups[i].places;
    if (i < kGroupsWritten) rows += group_row(model, model.groups[i], i >= kGroupsShown);
  }
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Ops\"><table "
      "class=\"groups\" id=\"groups\"><caption>Ops, equal ops together, longest first. "
      "<span>{} groups, {} ops.</span></caption><thead><tr><th scope=\"col\">Op</th><th "
      "scope=\"col\" class=\"where\">Where</th><th scope=\"col\">Time</th><th "
      "scope=\"col\">Share</th><th scope=\"col\">Waiting</th><th scope=\"col\">Bytes</th><th "
      "scope=\"col\">Repeated</th><th scope=\"col\">Energy</th><th scope=\"col\">Row hits</th><th "
      "scope=\"col\" class=\"stack\">By cause</th></tr></thead><tbody>{}</tbody></table></div>",
      model.groups.size(), grouped(ops), rows);
}

std::string headline(const Model& model) {
  const std::int64_t all = model.total.channel_cycles();
  std::vector<std::pair<std::int64_t, const CauseFamily*>> losses;
  std::int64_t moving = 0;
  for (const CauseFamily& family : cause_families()) {
    std::int64_t sum = 0;
    for (const Cause cause : family.causes)
      sum += model.total.causes[static_cast<std::size_t>(cause)];
    if (std::string(family.token) == "data")
      moving = sum;
    else if (sum > 0)
      losses.emplace_back(sum, &family);
  }
  std::stable_sort(losses.begin(), losses.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return words::where_the_time_goes(share_of(moving, all),
                                    losses.empty() ? "" : losses[0].second->sentence,
                                    losses.size() < 2 ? "" : losses[1].second->sentence)
      .value_or("Where the time goes");
}

}  // namespace

std::string time_part(const Model& model) {
  const bool has_machine = !model.run->ops.empty();
  const std::string lede =
      has_machine ? fmt::format(
                        "The machine waits {} of the time; this is what the memory does meanwhile. "
                        "Each cycle of each channel has exactly one cause.",
                        share_figure(model.summary.memory_wait_share).text())
                  : "Each cycle of each channel has exactly one cause.";
  std::string html = fmt::format(
      "<section id=\"time\" class=\"part\"><p class=\"eyebrow\">Where the time goes</p><h2>{}</h2>"
      "<p class=\"lede\">{}</p>{}{}<div id=\"selected-row\" hidden></div>",
      escaped(headline(model)), lede, run_bar(model), legend(model));
  if (has_machine) {
    html += phase_table(model);
    html += model.leaves.size() > 1
                ? "<div id=\"tree\"><noscript><p class=\"lede\">The layer tree needs scripts; its "
                  "ops are in the table below.</p></noscript></div>"
                : "<p class=\"lede\">The run has one op, so there is no layer tree.</p>";
    html += groups_table(model);
  } else {
    html += "<p class=\"lede\">A replayed trace names no tensors and no layers.</p>";
  }
  return html + "<div class=\"tools\" data-table=\"groups\"></div></section>";
}

}  // namespace diffram::report
