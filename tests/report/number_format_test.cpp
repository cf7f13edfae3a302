#include "report/number_format.h"

#include <gtest/gtest.h>

#include <numeric>

namespace diffram::report {
namespace {

std::string plain(const Figure& figure) { return figure.text(" "); }

TEST(NumberFormat, three_significant_digits_and_a_unit_between_1_and_1000) {
  const std::pair<double, const char*> cases[] = {
      {28.17, "28.2 s"},  {0.56, "560 ms"}, {4.32e-6, "4.32 µs"},
      {0.9996, "1.00 s"}, {0, "0"},         {9.996e-3, "10.0 ms"}};
  for (const auto& [seconds, text] : cases) EXPECT_EQ(plain(seconds_figure(seconds)), text);
}

TEST(NumberFormat, bytes_are_SI_and_capacity_is_binary) {
  EXPECT_EQ(plain(bytes_figure(907e9)), "907 GB");
  EXPECT_EQ(plain(bytes_figure(512)), "512 B");
  EXPECT_EQ(plain(bytes_figure(0)), "0");
  EXPECT_EQ(plain(capacity_figure(16.0 * (1LL << 30))), "16.0 GiB");
}

TEST(NumberFormat, energy_power_and_rate_have_their_units) {
  EXPECT_EQ(plain(energy_figure(47.1)), "47.1 J");
  EXPECT_EQ(plain(energy_figure(0.488)), "488 mJ");
  EXPECT_EQ(plain(power_figure(1.667)), "1.67 W");
  EXPECT_EQ(plain(rate_figure(51.2e9)), "51.2 GB/s");
}

TEST(NumberFormat, shares_say_zero_trifle_and_does_not_apply) {
  EXPECT_EQ(plain(share_figure(0.0)), "0");
  EXPECT_EQ(plain(share_figure(0.0005)), "<0.1 %");
  EXPECT_EQ(plain(share_figure(0.093)), "9.3 %");
  EXPECT_EQ(plain(share_figure(0.0996)), "10 %");
  EXPECT_EQ(plain(share_figure(0.63)), "63 %");
  EXPECT_EQ(plain(share_figure(1, 0)), "–");
}

TEST(NumberFormat, a_negative_figure_has_the_minus_sign_of_typography) {
  EXPECT_EQ(plain(seconds_figure(-0.41)), "−410 ms");
}

TEST(NumberFormat, whole_numbers_have_thin_no_break_spaces) {
  EXPECT_EQ(grouped(82304118016), "82\u202f304\u202f118\u202f016");
  EXPECT_EQ(grouped(-1204, " "), "−1 204");
}

TEST(NumberFormat, counts_in_sentences_are_words_up_to_twelve) {
  EXPECT_EQ(counted(5), "five");
  EXPECT_EQ(counted(13), "13");
}

TEST(NumberFormat, a_message_becomes_a_sentence_and_keeps_identifiers) {
  EXPECT_EQ(as_sentence("energy is the core's alone"), "Energy is the core's alone.");
  EXPECT_EQ(as_sentence("tRFC is assumed."), "tRFC is assumed.");
  EXPECT_EQ(as_sentence("aten.add has no model"), "aten.add has no model.");
  EXPECT_EQ(as_sentence(""), "");
}

TEST(NumberFormat, largest_remainder_sums_to_the_units_it_gives_out) {
  EXPECT_EQ(largest_remainder({1, 1, 1}, 100), (std::vector<std::int64_t>{34, 33, 33}));
  EXPECT_EQ(largest_remainder({0, 0}, 100), (std::vector<std::int64_t>{0, 0}));
  for (int n = 1; n < 40; ++n) {
    std::vector<double> values;
    for (int i = 0; i < n; ++i) values.push_back((i * 7919) % 101 + 0.3);
    const auto parts = largest_remainder(values, 1000);
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), 1000) << n;
  }
}

TEST(NumberFormat, temperatures_have_a_degree_sign_and_differences_of_them_do_not) {
  EXPECT_EQ(plain(celsius_figure(71.24)), "71.2 °C");
  EXPECT_EQ(plain(celsius_figure(-5)), "−5.0 °C");
  EXPECT_EQ(plain(kelvin_figure(-0.26)), "−0.3 K");
  EXPECT_EQ(thousandths(-512), "−0.512");
  EXPECT_EQ(thousandths(31007), "31.007");
}

TEST(NumberFormat, values_of_any_sign_are_rounded_to_their_sum) {
  EXPECT_EQ(rounded_to_sum({1.4, 1.4, 1.2}, 4), (std::vector<std::int64_t>{2, 1, 1}));
  EXPECT_EQ(rounded_to_sum({2.5, -0.7, -0.7}, 1), (std::vector<std::int64_t>{3, -1, -1}));
  EXPECT_EQ(rounded_to_sum({-1.5, -1.5}, -3), (std::vector<std::int64_t>{-1, -2}));
  EXPECT_EQ(rounded_to_sum({}, 0), (std::vector<std::int64_t>{}));
}

}  // namespace
}  // namespace diffram::report
