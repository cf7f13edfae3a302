// Part 8 of the page: what was simulated, the sums that must agree, the spec, how to run it again.

#include <fmt/format.h>

#include "report/number_format.h"
#include "report/page_markup.h"
#include "report/words.h"

namespace diffram::report {
namespace {

std::string sum_row(const std::string& name, const std::string& counted_total,
                    const std::string& residual) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>", name,
                     counted_total, residual);
}

std::string sums_table(const Model& model) {
  const attrib::Summary& figures = model.summary;
  std::string rows = sum_row("Channel cycles", grouped(model.total.channel_cycles()),
                             grouped(figures.cycles_residual));
  rows += sum_row("Bytes", grouped(figures.bytes_read + figures.bytes_written),
                  grouped(figures.bytes_residual));
  rows += sum_row("Column commands", grouped(figures.column_commands),
                  grouped(figures.commands_residual));
  if (figures.energy_total_j >= 0)
    rows += sum_row("Energy", energy_figure(figures.energy_total_j).text(),
                    figures.energy_residual_relative == 0
                        ? "0"
                        : fmt::format("{:.0e}", figures.energy_residual_relative));
  return "<div><h3>Sums that must agree</h3><table><thead><tr><th scope=\"col\">Total</th><th "
         "scope=\"col\">Counted</th><th scope=\"col\">Off by</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

std::string fact(const std::string& name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
}

std::string facts_list(const Model& model) {
  const ledger::RunRecord& run = *model.run;
  const attrib::Summary& figures = model.summary;
  std::string facts = fact("Memory", code(run.memory));
  if (!run.machine.empty()) facts += fact("Machine", code(run.machine));
  facts += fact(
      "Organisation",
      fmt::format("{} channel{} × {} rank{} × {} banks", run.channels, run.channels == 1 ? "" : "s",
                  run.ranks, run.ranks == 1 ? "" : "s", run.bank_groups * run.banks_per_group));
  facts += fact("Peak", rate_figure(figures.peak_bytes_per_s).text());
  if (run.capacity_bytes > 0)
    facts += fact("Capacity", capacity_figure(static_cast<double>(run.capacity_bytes)).text());
  if (run.peak_live_bytes > 0)
    facts +=
        fact("Peak live, reserved",
             fmt::format("{}, {}", capacity_figure(static_cast<double>(run.peak_live_bytes)).text(),
                         capacity_figure(static_cast<double>(run.reserved_bytes)).text()));
  facts += fact("Read latency",
                fmt::format("mean {}\u00a0ns, p50 {:.0f}, p95 {:.0f}, p99 {:.0f}",
                            three_digits(figures.latency_mean_ns), figures.latency_p50_ns,
                            figures.latency_p95_ns, figures.latency_p99_ns));
  facts += fact("Row hits, misses, conflicts",
                fmt::format("{}, {}, {}",
                            share_figure(static_cast<double>(figures.row_hits),
                                         static_cast<double>(figures.column_commands))
                                .text(),
                            share_figure(static_cast<double>(figures.row_misses),
                                         static_cast<double>(figures.column_commands))
                                .text(),
                            share_figure(static_cast<double>(figures.row_conflicts),
                                         static_cast<double>(figures.column_commands))
                                .text()));
  facts += fact("Version, seed", fmt::format("{}, {}", escaped(run.version), run.seed));
  for (const auto& [file, hash] : run.inputs)
    facts += fact("Input", code(file) + " xxh64 " + code(hash));
  return "<div><h3>Memory and machine</h3><dl class=\"facts\">" + facts + "</dl></div>";
}

std::string notes_tables(const Model& model) {
  const ledger::RunRecord& run = *model.run;
  std::string html;
  if (!run.diagnostics.empty()) {
    std::string rows;
    for (const base::Diagnostic& d : run.diagnostics)
      rows += fmt::format(
          "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
          base::name_of(d.severity), escaped(as_sentence(d.message)), escaped(d.evidence));
    html +=
        "<h3>Diagnostics</h3><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
        "aria-label=\"Diagnostics\"><table class=\"notes\"><thead><tr><th "
        "scope=\"col\">Severity</th><th "
        "scope=\"col\" class=\"text\">What</th><th scope=\"col\" class=\"text\">Evidence</th>"
        "</tr></thead><tbody>" +
        rows + "</tbody></table></div>";
  }
  if (!run.assumptions.empty()) {
    std::string rows;
    for (const base::Assumption& a : run.assumptions)
      rows += fmt::format(
          "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td><td class=\"text\">{}</td></tr>",
          code(a.field), escaped(a.value), escaped(a.source));
    html += fmt::format(
        "<details><summary>Assumptions ({})</summary><div class=\"scroll\" tabindex=\"0\" "
        "role=\"region\" "
        "aria-label=\"Assumptions\"><table class=\"notes\"><thead><tr><th "
        "scope=\"col\">Field</th><th "
        "scope=\"col\" class=\"text\">Value</th><th scope=\"col\" "
        "class=\"text\">Source</th></tr></thead>"
        "<tbody>{}</tbody></table></div></details>",
        run.assumptions.size(), rows);
  }
  if (!run.spec_text.empty())
    html += "<details><summary>Spec as run</summary><pre tabindex=\"0\">" + escaped(run.spec_text) +
            "</pre></details>";
  return html;
}

/// What was live at the peak, by class: capacity is the other limit of a memory.
std::string peak_markup(const ledger::RunRecord& run) {
  const ledger::LivePoint* peak = nullptr;
  std::int64_t most = 0;
  for (const ledger::LivePoint& point : run.live) {
    std::int64_t sum = 0;
    for (const std::int64_t bytes : point.by_class) sum += bytes;
    if (sum <= most) continue;
    most = sum;
    peak = &point;
  }
  if (peak == nullptr) return "";
  PerClass<double> parts{};
  std::string words;
  for (std::size_t slot = 0; slot < kClasses && slot < peak->by_class.size(); ++slot) {
    parts[slot] = static_cast<double>(peak->by_class[slot]);
    if (parts[slot] > 0)
      words += fmt::format("<span><i class=\"swatch k-{}\"></i>{} {}</span> ",
                           css_token(kClassTokens[slot]), class_name(slot),
                           capacity_figure(parts[slot]).text());
  }
  const std::string where = peak->op < run.ops.size() && !run.ops[peak->op].layer.empty()
                                ? fmt::format(", in {} {}", escaped(run.ops[peak->op].phase),
                                              code(run.ops[peak->op].layer))
                                : "";
  return fmt::format("<h3>Live at the peak: {}{}</h3>{}<p class=\"keys\">{}</p>",
                     capacity_figure(static_cast<double>(most)).text(), where,
                     class_bar(parts, "thick"), words);
}

}  // namespace

std::string run_part(const Model& model) {
  const double exact = model.summary.simulated_byte_share;
  const std::string headline =
      words::what_was_simulated(exact, model.summary.steady_bound).value_or("What was simulated.");
  std::string bar;
  if (exact < 1)
    bar = fmt::format(
        "<div class=\"exact\"><span>Simulated, every request: {}</span><span>Accounted from "
        "simulated "
        "steps: {}</span></div><div class=\"bar thick\" aria-hidden=\"true\"><i class=\"strong\" "
        "style=\"flex-grow:{:.4g}\"></i><i class=\"strong hatch\" "
        "style=\"flex-grow:{:.4g}\"></i></div>",
        share_figure(exact).text(), share_figure(1 - exact).text(), exact * 100, (1 - exact) * 100);
  return fmt::format(
      "<section id=\"run\" class=\"part\"><p class=\"eyebrow\">This run</p><h2>{}</h2>{}<div "
      "class=\"two\">{}{}</div>{}<h3>Run it again</h3><pre tabindex=\"0\" id=\"command\">{}</pre>"
      "<div class=\"tools\" data-table=\"run\"></div></section>",
      escaped(headline), bar, sums_table(model), facts_list(model),
      peak_markup(*model.run) + notes_tables(model), escaped(model.run->command_line));
}

}  // namespace diffram::report
