// Part 6 of the page: energy component × tensor class, and what was loaded again.

#include <fmt/format.h>

#include <algorithm>

#include "report/curve.h"
#include "report/number_format.h"
#include "report/page_markup.h"
#include "report/words.h"

namespace diffram::report {
namespace {

constexpr std::size_t kRepeatedWritten = 20, kRepeatedShown = 6;

std::string amount(double joules) {
  return joules > 0 ? energy_figure(joules).text() : std::string(kDoesNotApply);
}

struct Columns {
  PerClass<double> sums{};
  double shared = 0, total = 0;
  bool has(std::size_t slot) const { return sums[slot] > 0; }
};

Columns columns_of(const Model& model) {
  Columns columns;
  for (const EnergyRow& row : model.energy) {
    for (std::size_t slot = 0; slot < kClassSlots; ++slot) columns.sums[slot] += row.joules[slot];
    columns.shared += row.shared;
    columns.total += row.total;
  }
  return columns;
}

std::string in_row_bar(const EnergyRow& row, double longest) {
  std::string cells;
  for (std::size_t slot = 0; slot < kClassSlots; ++slot)
    if (row.joules[slot] > 0)
      cells += fmt::format("<i class=\"k-{}\" style=\"flex-grow:{:.4g}\"></i>",
                           css_token(kClassTokens[slot]), row.joules[slot] / row.total * 100);
  if (row.shared > 0)
    cells += fmt::format("<i class=\"shared\" style=\"flex-grow:{:.4g}\"></i>",
                         row.shared / row.total * 100);
  return fmt::format(
      "<div class=\"bar small\" aria-hidden=\"true\" style=\"width:{:.4g}%\">{}</div>",
      longest > 0 ? row.total / longest * 100 : 0, cells);
}

std::string component_table(const Model& model, const Columns& columns) {
  std::string head, rows, totals;
  double longest = 0;
  for (const EnergyRow& row : model.energy) longest = std::max(longest, row.total);
  for (std::size_t slot = 0; slot < kClassSlots; ++slot) {
    if (!columns.has(slot)) continue;
    head += fmt::format("<th scope=\"col\" data-class=\"{}\"><i class=\"swatch k-{}\"></i>{}</th>",
                        kClassTokens[slot], css_token(kClassTokens[slot]), class_name(slot));
    totals += fmt::format("<td>{}</td>", amount(columns.sums[slot]));
  }
  bool is_estimated = false;
  for (const EnergyRow& row : model.energy) {
    std::string cells;
    for (std::size_t slot = 0; slot < kClassSlots; ++slot)
      if (columns.has(slot))
        cells += fmt::format("<td data-class=\"{}\" data-value=\"{:.9g}\">{}</td>",
                             kClassTokens[slot], row.joules[slot], amount(row.joules[slot]));
    is_estimated = is_estimated || row.estimated;
    rows += fmt::format(
        "<tr><th scope=\"row\">{}{}</th>{}<td data-value=\"{:.9g}\">{}</td><td class=\"total\" "
        "data-value=\"{:.9g}\">{}</td><td>{}</td><td class=\"stack\">{}</td></tr>",
        escaped(row.component), row.estimated ? " <small>estimated</small>" : "", cells, row.shared,
        amount(row.shared), row.total, amount(row.total),
        share_figure(row.total, columns.total).text(), in_row_bar(row, longest));
  }
  return fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Energy by component and "
      "tensor class\"><table class=\"energy\" id=\"components\"><thead><tr><th "
      "scope=\"col\">Component</th>{}<th scope=\"col\">Shared</th><th scope=\"col\">Total</th><th "
      "scope=\"col\">Share</th><th scope=\"col\" class=\"stack\">By class</th></tr></thead>"
      "<tbody>{}</tbody><tfoot><tr><th scope=\"row\">Total</th>{}<td>{}</td><td "
      "class=\"total\">{}</td><td>100\u00a0%</td><td "
      "class=\"stack\"></td></tr></tfoot></table></div>",
      head, rows, totals, amount(columns.shared), amount(columns.total));
}

std::string repeated_table(const Model& model) {
  if (model.repeated.empty()) return "";
  std::string rows;
  for (std::size_t i = 0; i < model.repeated.size() && i < kRepeatedWritten; ++i) {
    const RepeatedTensor& row = model.repeated[i];
    rows += fmt::format(
        "<tr{}><th scope=\"row\">{}</th><td class=\"text\"><i class=\"swatch k-{}\"></i>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        i >= kRepeatedShown ? " class=\"more\"" : "", code(row.tensor), css_token(row.tensor_class),
        class_name(class_slot(row.tensor_class)),
        bytes_figure(static_cast<double>(row.size)).text(),
        row.loads_per_write > 0 ? three_digits(row.loads_per_write) : kDoesNotApply,
        bytes_figure(static_cast<double>(row.read_again)).text(),
        share_figure(static_cast<double>(row.read_again),
                     static_cast<double>(model.summary.bytes_read))
            .text());
  }
  return fmt::format(
      "<h3>Loaded again without a write in between</h3><div class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Tensors loaded again\"><table class=\"repeated\" "
      "id=\"repeated\"><thead><tr><th scope=\"col\">Tensor</th><th scope=\"col\" "
      "class=\"text\">Class</th><th scope=\"col\">Size</th><th scope=\"col\">Loads a write</th><th "
      "scope=\"col\">Repeated bytes</th><th scope=\"col\">Of all reads</th></tr></thead>"
      "<tbody>{}</tbody></table></div>",
      rows);
}

/// Of the simulated time.
std::string power_curve(const ledger::RunRecord& run) {
  if (run.power.empty()) return "";
  const double period_s = run.clock.period_s();
  Curve curve{.title = "Power over time",
              .remark = fmt::format(
                  "epochs of {}, simulated steps only",
                  seconds_figure(static_cast<double>(run.power.front().cycles) * period_s).text()),
              .samples = {},
              .floor = 0,
              .figure = power_figure};
  for (const ledger::PowerSample& sample : run.power) {
    const double begin = static_cast<double>(sample.begin) * period_s;
    const double length = static_cast<double>(sample.cycles) * period_s;
    curve.samples.push_back({begin, begin + length, sample.watts(run.clock)});
  }
  return curve_markup(curve);
}

}  // namespace

std::string energy_part(const Model& model) {
  const std::string repeated = repeated_table(model);
  if (model.energy.empty() && repeated.empty()) return "";
  std::string body, headline = "Energy is not known for this memory.";
  if (!model.energy.empty()) {
    const Columns columns = columns_of(model);
    const auto* most = std::max_element(columns.sums.begin(), columns.sums.begin() + kClasses);
    double shared = 0;
    for (const EnergyRow& row : model.energy)
      if (row.account == "refresh" || row.account == "idle background") shared += row.shared;
    headline = words::where_the_energy_goes(
                   class_name(static_cast<std::size_t>(most - columns.sums.begin())), *most,
                   columns.total, shared)
                   .value_or("DRAM takes " + amount(columns.total) + ".");
    body = component_table(model, columns) + power_curve(*model.run);
  }
  return fmt::format(
      "<section id=\"energy\" class=\"part\"><p class=\"eyebrow\">Energy</p><h2>{}</h2>{}{}<div "
      "class=\"tools\" data-table=\"energy\"></div></section>",
      escaped(headline), body, repeated);
}

}  // namespace diffram::report
