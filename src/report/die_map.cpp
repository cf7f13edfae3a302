#include "report/die_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/number_format.h"
#include "report/page_markup.h"

namespace diffram::report {
namespace {

constexpr std::size_t kShades = 7;
constexpr double kThousandths = 1000;  // of a degree in a layer's map

std::size_t shade_of(double celsius, const HeatScale& scale) {
  if (!(scale.most > scale.least)) return 0;
  const double part = (celsius - scale.least) / (scale.most - scale.least);
  return static_cast<std::size_t>(std::clamp(std::floor(part * kShades), 0.0, kShades - 1.0));
}

/// One rectangle for neighbours of a row that have the same shade.
std::array<std::string, kShades> rectangles(const ledger::LayerHeat& layer,
                                            const HeatScale& scale) {
  std::array<std::string, kShades> paths;
  const auto columns = static_cast<std::size_t>(layer.columns);
  const std::size_t rows = layer.map.size() / columns;
  const auto shade = [&](std::size_t row, std::size_t column) {
    return shade_of(static_cast<double>(layer.map[row * columns + column]) / kThousandths, scale);
  };
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t from = 0, to = 0; from < columns; from = to) {
      const std::size_t here = shade(row, from);
      for (to = from + 1; to < columns && shade(row, to) == here;) ++to;
      // The pads lie along the lower edge.
      paths[here] += fmt::format("M{} {}h{}v1h-{}z", from, rows - 1 - row, to - from, to - from);
    }
  return paths;
}

}  // namespace

std::string die_map_markup(const ledger::LayerHeat& layer, const HeatScale& scale,
                           std::optional<std::pair<std::int64_t, std::int64_t>> hottest) {
  if (layer.columns <= 0 || layer.map.empty()) return "";
  const auto rows = static_cast<std::int64_t>(layer.map.size()) / layer.columns;
  const auto [least, most] = std::ranges::minmax(layer.map);
  const std::string range =
      fmt::format("{} to {}", celsius_figure(static_cast<double>(least) / kThousandths).number,
                  celsius_figure(static_cast<double>(most) / kThousandths).text());
  std::string paths;
  const auto shades = rectangles(layer, scale);
  for (std::size_t i = 0; i < kShades; ++i)
    if (!shades[i].empty()) paths += fmt::format("<path class=\"s{}\" d=\"{}\"/>", i, shades[i]);
  if (hottest)
    paths += fmt::format("<path class=\"hot\" d=\"M{} {}h1v1h-1z\"/>", hottest->first,
                         rows - 1 - hottest->second);
  return fmt::format(
      "<figure class=\"die\"><figcaption>{}, <span>{}</span></figcaption><svg viewBox=\"0 0 {} "
      "{}\" preserveAspectRatio=\"none\" shape-rendering=\"crispEdges\" role=\"img\" "
      "aria-label=\"{}: {}\">{}</svg></figure>",
      escaped(layer.layer), range, layer.columns, rows, escaped(layer.layer), range, paths);
}

std::string heat_scale_markup(const HeatScale& scale) {
  std::string colours;
  for (std::size_t i = 0; i < kShades; ++i) colours += fmt::format("<i class=\"s{}\"></i>", i);
  return fmt::format("<p class=\"scale\">{}{}{}</p>", celsius_figure(scale.least).text(), colours,
                     celsius_figure(scale.most).text());
}

}  // namespace diffram::report
