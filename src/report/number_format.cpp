#include "report/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace diffram::report {
namespace {

struct Unit {
  double size;
  const char* name;
};

// Above this, three digits would round up to 1000 of the unit: take the next one.
constexpr double kRoundsToThousand = 999.5;

Figure in_unit(double value, std::span<const Unit> units) {
  if (value == 0) return {"0", ""};
  const double magnitude = std::abs(value);
  const Unit* chosen = &units.back();
  for (const Unit& unit : units) {
    chosen = &unit;
    if (magnitude < unit.size * kRoundsToThousand) break;
  }
  const std::string digits = three_digits(magnitude / chosen->size);
  return {value < 0 ? kMinus + digits : digits, chosen->name};
}

}  // namespace

std::string Figure::text(const std::string& gap) const {
  return unit.empty() ? number : number + gap + unit;
}

std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return grouped(std::llround(value));
}

Figure seconds_figure(double seconds) {
  static constexpr std::array units{Unit{1e-9, "ns"}, Unit{1e-6, "µs"}, Unit{1e-3, "ms"},
                                    Unit{1, "s"}};
  return in_unit(seconds, units);
}

Figure bytes_figure(double bytes) {
  if (std::abs(bytes) < 1000) return {grouped(std::llround(bytes)), bytes == 0 ? "" : "B"};
  static constexpr std::array units{Unit{1e3, "kB"}, Unit{1e6, "MB"}, Unit{1e9, "GB"},
                                    Unit{1e12, "TB"}, Unit{1e15, "PB"}};
  return in_unit(bytes, units);
}

Figure capacity_figure(double bytes) {
  static constexpr std::array units{Unit{1024.0, "KiB"}, Unit{1048576.0, "MiB"},
                                    Unit{1073741824.0, "GiB"}};
  return in_unit(bytes, units);
}

Figure energy_figure(double joules) {
  static constexpr std::array units{Unit{1e-12, "pJ"}, Unit{1e-9, "nJ"}, Unit{1e-6, "µJ"},
                                    Unit{1e-3, "mJ"},  Unit{1, "J"},     Unit{1e3, "kJ"}};
  return in_unit(joules, units);
}

Figure power_figure(double watts) {
  static constexpr std::array units{Unit{1e-6, "µW"}, Unit{1e-3, "mW"}, Unit{1, "W"},
                                    Unit{1e3, "kW"}};
  return in_unit(watts, units);
}

Figure rate_figure(double bytes_per_second) {
  static constexpr std::array units{Unit{1e6, "MB/s"}, Unit{1e9, "GB/s"}, Unit{1e12, "TB/s"}};
  return in_unit(bytes_per_second, units);
}

Figure celsius_figure(double celsius) {
  return {fmt::format("{}{:.1f}", celsius < 0 ? kMinus : "", std::abs(celsius)), "°C"};
}

Figure kelvin_figure(double kelvin) {
  return {fmt::format("{}{:.1f}", kelvin < 0 ? kMinus : "", std::abs(kelvin)), "K"};
}

Figure count_figure(double count) {
  if (std::abs(count) < 1e6) return {grouped(std::llround(count)), ""};
  static constexpr std::array units{Unit{1e6, "M"}, Unit{1e9, "G"}, Unit{1e12, "T"}};
  return in_unit(count, units);
}

Figure share_figure(double share) {
  if (share == 0) return {"0", ""};
  const double percent = std::abs(share) * 100;
  const char* sign = share < 0 ? kMinus : "";
  if (percent < 0.1) return {fmt::format("<{}0.1", sign), "%"};
  if (percent < 9.95) return {fmt::format("{}{:.1f}", sign, percent), "%"};
  return {fmt::format("{}{:.0f}", sign, percent), "%"};
}

Figure share_figure(double part, double whole) {
  if (!(whole > 0)) return {kDoesNotApply, ""};
  return share_figure(part / whole);
}

std::string grouped(std::int64_t value, const std::string& gap) {
  const std::string digits = std::to_string(value < 0 ? -value : value);
  std::string text = value < 0 ? kMinus : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += gap;
    text += digits[i];
  }
  return text;
}

std::string counted(std::int64_t n) {
  static constexpr std::array words{"zero",  "one",   "two",  "three", "four",   "five",  "six",
                                    "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  if (n >= 0 && n < static_cast<std::int64_t>(words.size()))
    return words[static_cast<std::size_t>(n)];
  return grouped(n);
}

std::string as_sentence(const std::string& message) {
  std::string sentence = message;
  if (sentence.empty()) return sentence;
  // An identifier keeps its spelling: "aten.add", "tRFC", "--steps".
  const std::string first = sentence.substr(0, sentence.find(' '));
  const bool is_word = std::all_of(first.begin(), first.end(),
                                   [](char c) { return (c >= 'a' && c <= 'z') || c == ','; });
  if (is_word) sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  if (std::string(".!?").find(sentence.back()) == std::string::npos) sentence += '.';
  return sentence;
}

std::vector<std::int64_t> largest_remainder(const std::vector<double>& values, std::int64_t units) {
  std::vector<std::int64_t> parts(values.size(), 0);
  const double total = std::accumulate(values.begin(), values.end(), 0.0);
  if (!(total > 0)) return parts;
  std::vector<double> exact(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    exact[i] = values[i] / total * static_cast<double>(units);
  return rounded_to_sum(exact, units);
}

std::vector<std::int64_t> rounded_to_sum(const std::vector<double>& values, std::int64_t sum) {
  std::vector<std::int64_t> parts(values.size(), 0);
  std::vector<double> rest(values.size());
  std::int64_t given = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    parts[i] = static_cast<std::int64_t>(std::floor(values[i]));
    rest[i] = values[i] - std::floor(values[i]);
    given += parts[i];
  }
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rest[a] > rest[b]; });
  for (std::size_t i = 0; i < order.size() && given < sum; ++i, ++given) ++parts[order[i]];
  return parts;
}

std::string thousandths(std::int64_t value) {
  const std::int64_t size = std::abs(value);
  return fmt::format("{}{}.{:03}", value < 0 ? kMinus : "", size / 1000, size % 1000);
}

}  // namespace diffram::report
