// Part 1 of the page: the verdict, its limits, five figures, the findings.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_format.h"
#include "report/page_markup.h"

namespace diffram::report {
namespace {

constexpr std::size_t kDiagnosticsShown = 3;

std::string share_bar(const std::vector<std::pair<const char*, double>>& parts) {
  std::string html = "<div class=\"bar thin\" aria-hidden=\"true\">";
  for (const auto& [kind, share] : parts)
    if (share > 0)
      html += fmt::format("<i class=\"{}\" style=\"flex-grow:{:.4g}\"></i>", kind, share * 100);
  return html + "</div>";
}

std::string figure_cell(const std::string& name, const Figure& figure, const std::string& of,
                        const std::string& bar, const std::string& note) {
  return fmt::format(
      "<div class=\"figure\"><dt>{}</dt><dd><strong>{}</strong>\u00a0<span>{}{}</span></dd>"
      "<dd>{}</dd><dd class=\"note\">{}</dd></div>",
      name, figure.number, figure.unit, of, bar, note);
}

std::string wait_figure(const Model& model) {
  const attrib::Summary& figures = model.summary;
  const double wait = figures.memory_wait_share;
  if (model.run->ops.empty())
    return figure_cell("Time", seconds_figure(figures.time_s), "", share_bar({{"strong", 1}}),
                       grouped(figures.cycles) + " cycles of the memory clock.");
  std::string note =
      fmt::format("Compute alone would take {}", seconds_figure(figures.compute_only_s).text());
  if (figures.memory_only_s >= 0)
    note += ", memory alone " + seconds_figure(figures.memory_only_s).text();
  Figure share = share_figure(wait);
  return figure_cell("Memory wait", share, " of " + seconds_figure(figures.time_s).text(),
                     share_bar({{"strong", wait}, {"middle", 1 - wait}}), note + ".");
}

std::string moved_figure(const Model& model) {
  const auto read = static_cast<double>(model.summary.bytes_read);
  const auto written = static_cast<double>(model.summary.bytes_written);
  std::string note =
      fmt::format("{} read, {} written.", bytes_figure(read).text(), bytes_figure(written).text());
  if (model.total.read_again > 0 && read > 0)
    note += fmt::format(" {} of reads are repeats.",
                        share_figure(static_cast<double>(model.total.read_again), read).text());
  const double all = std::max(1.0, read + written);
  return figure_cell("Moved", bytes_figure(read + written), "",
                     share_bar({{"c-data-read", read / all}, {"c-data-write", written / all}}),
                     note);
}

std::string energy_figure_cell(const Model& model) {
  const attrib::Summary& figures = model.summary;
  if (figures.energy_total_j < 0)
    return figure_cell("DRAM energy", {kDoesNotApply, ""}, "", "",
                       "Energy is not known for this memory. See <a href=\"#run\">this run</a>.");
  double shared = 0;
  for (const EnergyRow& row : model.energy)
    if (row.account == "refresh" || row.account == "idle background") shared += row.shared;
  const double share = figures.energy_total_j > 0 ? shared / figures.energy_total_j : 0;
  const auto moved = static_cast<double>(figures.bytes_read + figures.bytes_written);
  std::string note = power_figure(figures.power_w).text() + " mean";
  if (moved > 0)
    note +=
        fmt::format(", {}\u00a0pJ per byte", three_digits(figures.energy_total_j / moved * 1e12));
  note += fmt::format(". {} is refresh and idle.", share_figure(share).text());
  return figure_cell("DRAM energy", energy_figure(figures.energy_total_j), "",
                     share_bar({{"strong", 1 - share}, {"middle", share}}), note);
}

std::string hottest_figure(const Model& model) {
  const ledger::HottestPlace& place = model.run->hottest;
  if (!place.is_known())
    return figure_cell("Hottest point", {kDoesNotApply, ""}, "", "",
                       "Heat was not simulated in this run.");
  const std::string where =
      fmt::format("{} of {}, if this load lasts.", escaped(place.layer), escaped(place.package));
  const auto margin = margin_of(place);
  if (!margin) return figure_cell("Hottest point", celsius_figure(place.celsius), "", "", where);
  const double part = std::clamp(place.measured / place.limit, 0.0, 1.0);
  return figure_cell(
      "Hottest point", celsius_figure(place.celsius), "",
      share_bar({{"strong", part}, {"weak", 1 - part}}),
      fmt::format("{} The {} is {} {} its limit of {}.", where, place.measured_at,
                  kelvin_figure(std::abs(*margin)).text(), *margin < 0 ? "above" : "below",
                  celsius_figure(place.limit).text()));
}

std::string figures_markup(const Model& model) {
  const attrib::Summary& figures = model.summary;
  const double of_peak =
      figures.peak_bytes_per_s > 0 ? figures.bandwidth_bytes_per_s / figures.peak_bytes_per_s : 0;
  std::string html = "<dl class=\"figures\">" + wait_figure(model);
  html += figure_cell("Bandwidth", rate_figure(figures.bandwidth_bytes_per_s), "",
                      share_bar({{"strong", of_peak}, {"weak", 1 - of_peak}}),
                      fmt::format("{} of the {} peak.", share_figure(of_peak).text(),
                                  rate_figure(figures.peak_bytes_per_s).text()));
  html += moved_figure(model) + energy_figure_cell(model);
  return html + hottest_figure(model) + "</dl>";
}

/// Notes and warnings under the verdict, at most three, the rest counted.
std::string limits_markup(const Model& model) {
  std::string notes = escaped(model.limits), warnings;
  std::size_t shown = model.limits.empty() ? 0 : 1, hidden = 0;
  for (const base::Diagnostic& d : model.run->diagnostics) {
    if (d.severity == base::Severity::error) continue;
    if (shown >= kDiagnosticsShown) {
      ++hidden;
      continue;
    }
    ++shown;
    if (d.severity == base::Severity::warning)
      warnings += fmt::format("<p class=\"limits warning\"><b>Warning.</b> {}</p>",
                              escaped(as_sentence(d.message)));
    else
      notes += (notes.empty() ? "" : " ") + escaped(as_sentence(d.message));
  }
  if (notes.empty() && hidden == 0) return warnings;
  const std::string more =
      hidden > 0 ? fmt::format(" {} more below.", counted(static_cast<std::int64_t>(hidden))) : "";
  return warnings + fmt::format(
                        "<p class=\"limits\"><b>Limits of this result.</b> {}{} <a "
                        "href=\"#run\">See what is exact</a></p>",
                        notes, more);
}

std::string findings_markup(const Model& model) {
  if (model.findings.empty()) return "";
  std::string html;
  for (const Finding& finding : model.findings)
    html += fmt::format(
        "<li><p class=\"what\"><strong>{}</strong> {}</p><p>{}</p><a href=\"#{}\">{}</a></li>",
        finding.figure, finding.of, prose(finding.sentence), escaped(finding.target),
        escaped(finding.link));
  return "<ul class=\"findings\">" + html + "</ul>";
}

}  // namespace

std::string verdict_part(const Model& model) {
  std::string errors;
  for (const base::Diagnostic& d : model.run->diagnostics)
    if (d.severity == base::Severity::error)
      errors += fmt::format("<p class=\"limits error\"><b>Do not use these figures.</b> {} {}</p>",
                            escaped(as_sentence(d.message)), escaped(d.evidence));
  const std::string sentence = model.verdict.sentence.empty()
                                   ? fmt::format("{} took {}.", escaped(model.run->workload),
                                                 seconds_figure(model.summary.time_s).text())
                                   : prose(model.verdict.sentence);
  return fmt::format(
      "<section id=\"verdict\" class=\"part\"><p class=\"eyebrow\">Verdict</p>{}<h1{}>{}</h1>{}{}{}"
      "</section>",
      errors, model.verdict.trusted ? "" : " class=\"untrusted\"", sentence, limits_markup(model),
      figures_markup(model), findings_markup(model));
}

}  // namespace diffram::report
