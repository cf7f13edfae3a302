#include "report/page_markup.h"

#include <fmt/format.h>

#include "report/banks.h"
#include "report/number_format.h"

namespace diffram::report {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string prose(const std::string& sentence) {
  std::string out;
  bool is_code = false;
  for (const char c : escaped(sentence)) {
    if (c != '`') {
      out += c;
      continue;
    }
    out += is_code ? "</code>" : "<code>";
    is_code = !is_code;
  }
  return is_code ? out + "</code>" : out;
}

std::string code(const std::string& text) { return "<code>" + escaped(text) + "</code>"; }

std::string cause_bar(const PerCause& causes, const std::string& kind) {
  std::int64_t all = 0;
  for (const std::int64_t cycles : causes) all += cycles;
  if (all <= 0) return "";
  std::string label, parts;
  for (const CauseFamily& family : cause_families()) {
    std::int64_t sum = 0;
    for (const base::Cause cause : family.causes) sum += causes[static_cast<std::size_t>(cause)];
    if (sum > 0)
      label += fmt::format("{}{} {}", label.empty() ? "" : ", ", family.title,
                           share_figure(static_cast<double>(sum), static_cast<double>(all)).text());
  }
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (causes[i] <= 0) continue;
    const double percent = static_cast<double>(causes[i]) / static_cast<double>(all) * 100;
    parts += fmt::format("<i class=\"c-{}\" style=\"flex-grow:{:.4g}\"></i>",
                         css_token(base::kCauseNames[i]), percent);
  }
  return fmt::format("<div class=\"bar {}\" role=\"img\" aria-label=\"{}\">{}</div>", kind,
                     escaped(label), parts);
}

std::string class_bar(const PerClass<double>& parts, const std::string& kind) {
  double all = 0;
  for (const double part : parts) all += part;
  if (!(all > 0)) return "";
  std::string label, cells;
  for (std::size_t i = 0; i < kClassSlots; ++i) {
    if (!(parts[i] > 0)) continue;
    label += fmt::format("{}{} {}", label.empty() ? "" : ", ", class_name(i),
                         share_figure(parts[i], all).text());
    cells += fmt::format("<i class=\"k-{}\" style=\"flex-grow:{:.4g}\"></i>",
                         css_token(kClassTokens[i]), parts[i] / all * 100);
  }
  return fmt::format("<div class=\"bar {}\" role=\"img\" aria-label=\"{}\">{}</div>", kind,
                     escaped(label), cells);
}

namespace {

struct RailEntry {
  const char* id;
  const char* title;
  std::string figure;
  const char* missing;  ///< why the part is not there; nullptr = it is
};

}  // namespace

std::string rail_markup(const Model& model) {
  const std::int64_t all = model.total.channel_cycles();
  const std::string conflicts =
      share_figure(static_cast<double>(model.evictions.total), static_cast<double>(all)).text();
  const bool has_pairs = !model.evictions.pairs.empty() && !model.run->ops.empty();
  const bool has_energy = model.summary.energy_total_j >= 0;
  const bool has_heat = model.run->hottest.is_known();
  const BankMap map = map_banks(*model.run);
  const RailEntry entries[] = {
      {"verdict", "Verdict", "", nullptr},
      {"time", "Where the time goes", seconds_figure(model.summary.time_s).text(), nullptr},
      {"evict", "Who evicts whom", conflicts,
       has_pairs ? nullptr : "no row conflicts between tensors"},
      {"timeline", "Timeline", "", "this run file holds no epochs"},
      {"banks", "Banks",
       fmt::format("{} of {}", map.busy_banks, map.total > 0 ? map.conflicts[0].size() : 0),
       map.total > 0 ? nullptr : "no row conflicts"},
      {"energy", "Energy", has_energy ? energy_figure(model.summary.energy_total_j).text() : "",
       has_energy ? nullptr : "energy is not known for this memory"},
      {"heat", "Heat", has_heat ? celsius_figure(model.run->hottest.celsius).text() : "",
       has_heat     ? nullptr
       : has_energy ? "no package was given (--package)"
                    : "energy is not known for this memory"},
      {"advice", "Advice", "", "advise has not been run"},
      {"run", "This run", "", nullptr},
  };
  std::string html;
  for (const RailEntry& entry : entries) {
    if (entry.missing != nullptr)
      html += fmt::format("<li class=\"off\"><span>{}</span><b>{}</b><small>{}</small></li>",
                          entry.title, kDoesNotApply, entry.missing);
    else
      html += fmt::format("<li><a href=\"#{}\"><span>{}</span><b>{}</b></a></li>", entry.id,
                          entry.title, entry.figure);
  }
  const attrib::Summary& figures = model.summary;
  html = "<ul>" + html + "</ul>";
  html += fmt::format(
      "<p>Every cycle and every joule is billed once. Sums were checked: {} cycles, {} bytes, {} "
      "commands off.</p>",
      grouped(figures.cycles_residual), grouped(figures.bytes_residual),
      grouped(figures.commands_residual));
  return html;
}

}  // namespace diffram::report
