#include "report/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/page_markup.h"

namespace diffram::report {
namespace {

constexpr std::size_t kColumns = 600, kRows = 100;  // of the picture, before it is stretched

struct Stroke {
  double least = std::numeric_limits<double>::infinity(), most = -least;
  double area = 0, time = 0;  ///< value × time, for the mean
};

/// What falls into each column of the picture.
std::vector<Stroke> strokes_of(const Curve& curve) {
  const double begin = curve.samples.front().begin_s;
  const double each = (curve.samples.back().end_s - begin) / kColumns;
  std::vector<Stroke> strokes(kColumns);
  for (const CurveSample& sample : curve.samples) {
    const auto column = [&](double time) {
      return std::min(kColumns - 1, static_cast<std::size_t>((time - begin) / each));
    };
    for (std::size_t c = column(sample.begin_s); c <= column(sample.end_s); ++c) {
      const double left = begin + each * static_cast<double>(c);
      const double time = std::min(sample.end_s, left + each) - std::max(sample.begin_s, left);
      if (time <= 0) continue;
      strokes[c].least = std::min(strokes[c].least, sample.value);
      strokes[c].most = std::max(strokes[c].most, sample.value);
      strokes[c].area += sample.value * time;
      strokes[c].time += time;
    }
  }
  return strokes;
}

}  // namespace

std::string curve_markup(const Curve& curve) {
  if (curve.samples.empty()) return "";
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (const CurveSample& sample : curve.samples) {
    least = std::min(least, sample.value);
    most = std::max(most, sample.value);
  }
  const double span = most > curve.floor ? most - curve.floor : 1;
  const auto row = [&](double value) {
    return kRows - (value - curve.floor) / span * static_cast<double>(kRows);
  };
  std::string upper, lower, mean;
  const std::vector<Stroke> strokes = strokes_of(curve);
  for (std::size_t c = 0; c < kColumns; ++c) {
    const Stroke& stroke = strokes[c];
    if (stroke.time <= 0) continue;
    upper += fmt::format("{}{} {:.1f}H{}", upper.empty() ? "M" : "L", c, row(stroke.most), c + 1);
    mean += fmt::format("{}{} {:.1f}H{}", mean.empty() ? "M" : "L", c,
                        row(stroke.area / stroke.time), c + 1);
  }
  for (std::size_t c = kColumns; c-- > 0;) {
    if (strokes[c].time > 0) lower += fmt::format("L{} {:.1f}H{}", c + 1, row(strokes[c].least), c);
  }
  const std::string top = curve.figure(most).text();
  return fmt::format(
      "<figure class=\"curve\"><figcaption>{}, <span>{}</span></figcaption><div "
      "class=\"plot\"><span>{}</span><svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" "
      "role=\"img\" aria-label=\"{}: {} at least, {} at most\"><path class=\"band\" "
      "d=\"{}{}Z\"/><path class=\"mean\" d=\"{}\"/></svg><span>{}</span></div><div "
      "class=\"ends\"><span>{}</span><span>{}</span></div></figure>",
      escaped(curve.title), escaped(curve.remark), top, kColumns, kRows, escaped(curve.title),
      curve.figure(least).text(), top, upper, lower, mean, curve.figure(curve.floor).text(),
      seconds_figure(curve.samples.front().begin_s).text(),
      seconds_figure(curve.samples.back().end_s).text());
}

}  // namespace diffram::report
