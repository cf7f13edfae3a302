// The rates of each dtype, computed again from its format: every code of a floating point number
// with the probability that a value of a standard normal distribution is rounded to it.

#include "physics/data_rates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "trace/tensor_trace.h"

namespace diffram::physics {
namespace {

constexpr double kTolerance = 6e-4;  // the table has three digits

struct Format {
  int exponent_bits = 0, mantissa_bits = 0;
  int low_bits = 0;               ///< further bits of the mantissa, as often high as low
  bool has_infinity = true;       ///< the highest exponent holds no numbers
  bool rounds_to_nearest = true;  ///< false: cut off, because `low_bits` follow
};

double magnitude(const Format& f, int code) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const int exponent = code >> f.mantissa_bits;
  const double fraction = std::ldexp(code & ((1 << f.mantissa_bits) - 1), -f.mantissa_bits);
  return exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
}

/// Share of |x| > limit.
double above(double limit) { return std::erfc(limit / std::sqrt(2.0)); }

ledger::DataRates mean_of(const std::vector<double>& high) {
  ledger::DataRates rates{0, 0};
  for (const double p : high) {
    rates.ones += p / static_cast<double>(high.size());
    rates.toggle += 2 * p * (1 - p) / static_cast<double>(high.size());
  }
  return rates;
}

ledger::DataRates normal(const Format& f) {
  int codes = 1 << (f.exponent_bits + f.mantissa_bits);
  // Without infinity the highest code alone is not a number.
  codes -= f.has_infinity ? 1 << f.mantissa_bits : 1;
  std::vector<double> high(static_cast<std::size_t>(f.exponent_bits + f.mantissa_bits), 0);
  for (int code = 0; code < codes; ++code) {
    const double value = magnitude(f, code);
    double from = value, to = std::numeric_limits<double>::infinity();
    if (code + 1 < codes) to = magnitude(f, code + 1);
    if (f.rounds_to_nearest) {
      from = code == 0 ? 0 : (magnitude(f, code - 1) + value) / 2;
      to = (value + to) / 2;
    }
    for (std::size_t bit = 0; bit < high.size(); ++bit)
      if ((code >> bit & 1) != 0) high[bit] += above(from) - above(to);
  }
  high.insert(high.end(), static_cast<std::size_t>(1 + f.low_bits), 0.5);  // and the sign
  return mean_of(high);
}

void expect_rates(const char* dtype, const ledger::DataRates& expected) {
  EXPECT_NEAR(rates_of(dtype).ones, expected.ones, kTolerance) << dtype;
  EXPECT_NEAR(rates_of(dtype).toggle, expected.toggle, kTolerance) << dtype;
}

TEST(DataRates, of_floating_point_numbers_are_those_of_normal_values) {
  expect_rates("fp16", normal({5, 10}));
  expect_rates("bf16", normal({8, 7}));
  expect_rates("fp32", normal({8, 7, 16, true, false}));
  expect_rates("fp64", normal({11, 4, 48, true, false}));
  expect_rates("fp8_e4m3fn", normal({4, 3, 0, false}));
  expect_rates("fp8_e5m2", normal({5, 2}));
}

TEST(DataRates, of_integers_are_those_of_indices_and_of_bits) {
  const auto low_bits = [](std::size_t bits, std::size_t used) {
    std::vector<double> high(bits, 0);
    std::fill_n(high.begin(), used, 0.5);
    return mean_of(high);
  };
  expect_rates("int64", low_bits(64, 16));
  expect_rates("int32", low_bits(32, 16));
  expect_rates("bool", low_bits(8, 1));
  expect_rates("uint8", low_bits(8, 8));
}

TEST(DataRates, every_dtype_of_a_trace_can_be_true_of_a_pin) {
  for (std::size_t i = 0; i < trace::kDTypeCount; ++i) {
    const auto rates = rates_of(trace::name_of(static_cast<trace::DType>(i)));
    EXPECT_GE(rates.ones, 0) << i;
    EXPECT_LE(rates.toggle, 2 * std::min(rates.ones, 1 - rates.ones) + kTolerance) << i;
  }
}

}  // namespace
}  // namespace diffram::physics
