// The page's part on heat: how hot the hottest die gets, whose power makes it so, a map of each
// die, and what heat did over time.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/curve.h"
#include "report/die_map.h"
#include "report/number_format.h"
#include "report/page_markup.h"
#include "report/words.h"

namespace diffram::report {
namespace {

constexpr double kThousandths = 1000;
constexpr std::size_t kLayersShown = 12, kLayersWritten = 96, kDiesShown = 16;

std::string fact(const std::string& name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", name, value);
}

std::string facts_list(const ledger::RunRecord& run) {
  const ledger::HottestPlace& place = run.hottest;
  std::string facts =
      fact("Hottest die", fmt::format("{} of {}", escaped(place.layer), escaped(place.package)));
  facts += fact("If this load lasts", celsius_figure(place.celsius).text());
  if (const ledger::LayerHeat* layer = hottest_layer(run))
    facts += fact("When the run ends", celsius_figure(layer->end_peak).text());
  facts += fact("Air, rise above it", fmt::format("{}, {}", celsius_figure(place.air).text(),
                                                  kelvin_figure(place.rise()).text()));
  facts += fact("At the " + escaped(place.measured_at), celsius_figure(place.measured).text());
  if (const auto margin = margin_of(place)) {
    facts += fact("Limit there", celsius_figure(place.limit).text());
    facts += fact("Margin", kelvin_figure(*margin).text());
  }
  return "<div><h3>The hottest place</h3><dl class=\"facts\">" + facts + "</dl></div>";
}

std::string swatch(const HeatRow& row) {
  return row.token.empty() ? "<i class=\"swatch shared\"></i>"
                           : fmt::format("<i class=\"swatch k-{}\"></i>", css_token(row.token));
}

/// Shown digits add up to the rise.
std::string sources_table(const Model& model) {
  const double rise = model.run->hottest.rise();
  double longest = 0;
  std::vector<double> values;
  for (const HeatRow& row : model.heated_by) {
    values.push_back(kThousandths * row.kelvin);
    longest = std::max(longest, row.kelvin);
  }
  const std::int64_t sum = std::llround(kThousandths * rise);
  const auto kelvin = rounded_to_sum(values, sum);
  std::string rows;
  for (std::size_t i = 0; i < model.heated_by.size(); ++i) {
    const HeatRow& row = model.heated_by[i];
    rows += fmt::format(
        "<tr><th scope=\"row\">{}{}</th><td>{}\u00a0K</td><td>{}</td><td class=\"stack\"><span "
        "class=\"meter\" aria-hidden=\"true\"><i style=\"width:{:.4g}%\"></i></span></td></tr>",
        swatch(row), escaped(row.name), thousandths(kelvin[i]),
        share_figure(row.kelvin, rise).text(),
        longest > 0 ? std::max(0.0, row.kelvin) / longest * 100 : 0);
  }
  return fmt::format(
      "<div><h3>Whose power heats it</h3><table id=\"heat-sources\"><thead><tr><th "
      "scope=\"col\">Class or account</th><th scope=\"col\">Rise</th><th "
      "scope=\"col\">Share</th><th scope=\"col\" class=\"stack\">Of the "
      "largest</th></tr></thead><tbody>{}"
      "</tbody><tfoot><tr><th scope=\"row\">Above the air</th><td>{}\u00a0K</td><td>{}</td><td "
      "class=\"stack\"></td></tr></tfoot></table></div>",
      rows, thousandths(sum), share_figure(rise, rise).text());
}

/// The hottest package's first, then the others in the order of the run.
std::vector<const ledger::LayerHeat*> layers_in_order(const ledger::RunRecord& run) {
  std::vector<const ledger::LayerHeat*> layers;
  layers.reserve(run.heat.size());
  for (const ledger::LayerHeat& layer : run.heat) layers.push_back(&layer);
  std::ranges::stable_partition(layers, [&](const ledger::LayerHeat* layer) {
    return layer->package == run.hottest.package;
  });
  return layers;
}

std::string dies_markup(const ledger::RunRecord& run) {
  std::vector<const ledger::LayerHeat*> dies;
  for (const ledger::LayerHeat* layer : layers_in_order(run))
    if (layer->columns > 0 && !layer->map.empty() && layer->role != "passive")
      dies.push_back(layer);
  if (dies.empty()) return "";
  const std::size_t shown = std::min(dies.size(), kDiesShown);
  HeatScale scale{1e9, -1e9};
  for (std::size_t i = 0; i < shown; ++i) {
    const auto [least, most] = std::ranges::minmax(dies[i]->map);
    scale.least = std::min(scale.least, static_cast<double>(least) / kThousandths);
    scale.most = std::max(scale.most, static_cast<double>(most) / kThousandths);
  }
  std::string figures;
  const ledger::LayerHeat* hottest = hottest_layer(run);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i == 0 || dies[i]->package != dies[i - 1]->package)
      figures += fmt::format("{}<h4>{}</h4><div class=\"dies\">", i == 0 ? "" : "</div>",
                             escaped(dies[i]->package));
    std::optional<std::pair<std::int64_t, std::int64_t>> framed;
    if (dies[i] == hottest) framed = {run.hottest.column, run.hottest.row};
    figures += die_map_markup(*dies[i], scale, framed);
  }
  const std::string more =
      dies.size() > shown ? fmt::format("<p>{} more dies are in the run file.</p>",
                                        counted(static_cast<std::int64_t>(dies.size() - shown)))
                          : "";
  return fmt::format("<h3>Each die if this load lasts</h3>{}</div>{}{}", figures,
                     heat_scale_markup(scale), more);
}

std::string cell(double value, Figure (*figure)(double)) {
  return fmt::format("<td data-value=\"{:.9g}\">{}</td>", value, figure(value).text());
}

std::string layers_table(const ledger::RunRecord& run) {
  const auto layers = layers_in_order(run);
  std::string rows;
  for (std::size_t i = 0; i < layers.size() && i < kLayersWritten; ++i) {
    const ledger::LayerHeat& layer = *layers[i];
    rows += fmt::format(
        "<tr{}><th scope=\"row\">{}</th><td class=\"text\">{}</td><td "
        "class=\"text\">{}</td>{}{}{}{}{}</tr>",
        i >= kLayersShown ? " class=\"more\"" : "", escaped(layer.package), escaped(layer.layer),
        escaped(layer.role), cell(layer.watts, power_figure),
        cell(layer.steady_mean, celsius_figure), cell(layer.steady_peak, celsius_figure),
        cell(layer.end_mean, celsius_figure), cell(layer.end_peak, celsius_figure));
  }
  return fmt::format(
      "<h3>Layers and what is around them</h3><div class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Temperatures by layer\"><table id=\"layers\"><thead><tr><th "
      "scope=\"col\">Package</th><th scope=\"col\" class=\"text\">Layer</th><th scope=\"col\" "
      "class=\"text\">Role</th><th scope=\"col\">Power</th><th scope=\"col\">Lasting, "
      "mean</th><th scope=\"col\">Lasting, peak</th><th scope=\"col\">At the end, mean</th><th "
      "scope=\"col\">At the end, peak</th></tr></thead><tbody>{}</tbody></table></div>",
      rows);
}

std::string over_time(const ledger::RunRecord& run) {
  const auto loop = loop_view(run);
  if (!loop) return "";
  const double period_s = run.clock.period_s();
  Curve curve{
      .title = "Temperature over time",
      .remark = fmt::format(
          "at the {}, epochs of {}",
          run.hottest.measured_at.empty() ? "sensor" : run.hottest.measured_at,
          seconds_figure(static_cast<double>(run.heat_epochs.front().cycles) * period_s).text()),
      .samples = {},
      .floor = std::floor(loop->least),
      .figure = celsius_figure};
  for (const ledger::HeatEpoch& epoch : run.heat_epochs) {
    const double begin = static_cast<double>(epoch.begin) * period_s;
    curve.samples.push_back(
        {begin, begin + static_cast<double>(epoch.cycles) * period_s, epoch.sensed});
  }
  std::string answer;
  if (loop->fastest > 1)
    answer += fmt::format(" Refreshed up to {:g} times as often, for {} of the time.",
                          loop->fastest, share_figure(loop->refreshed_faster).text());
  if (loop->throttled > 0)
    answer += fmt::format(" Throttled for {} of the time.", share_figure(loop->throttled).text());
  if (answer.empty()) answer = " It changed nothing of how the memory ran.";
  return curve_markup(curve) + "<p class=\"keys\">" + answer.substr(1) + "</p>";
}

}  // namespace

std::string heat_part(const Model& model) {
  const ledger::RunRecord& run = *model.run;
  const ledger::HottestPlace& place = run.hottest;
  if (!place.is_known()) return "";
  const std::string headline =
      words::hottest_die(place.celsius, place.measured_at, place.limit, margin_of(place))
          .value_or("Heat.");
  return fmt::format(
      "<section id=\"heat\" class=\"part\"><p class=\"eyebrow\">Heat</p><h2>{}</h2><div "
      "class=\"two\">{}{}</div>{}{}{}<div class=\"tools\" "
      "data-table=\"heat\"></div></section>",
      escaped(headline), facts_list(run), sources_table(model), over_time(run), dies_markup(run),
      layers_table(run));
}

}  // namespace diffram::report
