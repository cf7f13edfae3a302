// A curve in the picture is what the samples are: their highest at the top, the floor at the
// bottom.

#include "report/curve.h"

#include <gtest/gtest.h>

namespace diffram::report {
namespace {

Curve power(std::vector<CurveSample> samples) {
  return {.title = "Power",
          .remark = "by <hand>",
          .samples = std::move(samples),
          .floor = 0,
          .figure = power_figure};
}

std::string path(const std::string& markup, const std::string& kind) {
  const std::string start = "<path class=\"" + kind + "\" d=\"";
  const auto at = markup.find(start) + start.size();
  return markup.substr(at, markup.find('"', at) - at);
}

TEST(Curve, is_nothing_without_samples) { EXPECT_EQ(curve_markup(power({})), ""); }

TEST(Curve, one_sample_is_a_line_at_the_top) {
  const std::string markup = curve_markup(power({{0, 1, 2}}));
  const std::string mean = path(markup, "mean");
  EXPECT_TRUE(mean.starts_with("M0 0.0H1L1 0.0H2")) << mean.substr(0, 40);
  EXPECT_TRUE(mean.ends_with("L599 0.0H600"));
  EXPECT_NE(markup.find("by &lt;hand&gt;"), std::string::npos);
  EXPECT_NE(markup.find("2.00\u00a0W"), std::string::npos) << markup;
}

TEST(Curve, samples_denser_than_the_picture_are_a_band_around_their_mean) {
  std::vector<CurveSample> samples;
  for (int i = 0; i < 6000; ++i)
    samples.push_back({i * 1e-3, (i + 1) * 1e-3, i % 2 == 0 ? 4.0 : 2.0});
  const std::string markup = curve_markup(power(samples));
  EXPECT_TRUE(path(markup, "mean").starts_with("M0 25.0H1")) << path(markup, "mean").substr(0, 40);
  EXPECT_TRUE(path(markup, "band").starts_with("M0 0.0H1"));
  EXPECT_TRUE(path(markup, "band").ends_with("L1 50.0H0Z"));
}

TEST(Curve, the_floor_is_the_bottom) {
  Curve heat = power({{0, 1, 50}, {1, 2, 60}});
  heat.floor = 40;
  const std::string mean = path(curve_markup(heat), "mean");
  EXPECT_TRUE(mean.starts_with("M0 50.0")) << mean.substr(0, 20);
  EXPECT_TRUE(mean.ends_with(" 0.0H600"));
}

TEST(Curve, values_all_at_the_floor_stay_there) {
  const std::string mean = path(curve_markup(power({{0, 1, 0}, {1, 2, 0}})), "mean");
  EXPECT_TRUE(mean.starts_with("M0 100.0H1"));
}

}  // namespace
}  // namespace diffram::report
