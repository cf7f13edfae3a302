#include "session/data_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "physics/data_rates.h"
#include "trace/tensor_trace.h"

namespace diffram::session {

namespace {

constexpr const char* kUnnamed = "unnamed";

std::vector<std::string> known_classes() {
  std::vector<std::string> names(trace::kTensorClassNames.begin(), trace::kTensorClassNames.end());
  names.emplace_back(kUnnamed);
  return names;
}

std::optional<double> share(const std::string& text) {
  double value = 0;
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool is_whole = error == std::errc() && stop == end;
  if (is_whole && value >= 0 && value <= 1) return value;
  return std::nullopt;
}

base::Error refused(const std::string& word, std::string code, std::string message,
                    std::string expected) {
  return {.code = std::move(code),
          .message = std::move(message),
          .file = "",
          .line = 0,
          .field = "--set data." + word,
          .expected = std::move(expected)};
}

/// A pin that is high for a share of the beats changes at most twice as often as it is in the rarer
/// of its states.
double most_toggle(double ones) { return 2 * std::min(ones, 1 - ones); }

ledger::DataRates changed(ledger::DataRates rates, const DataSetting& setting) {
  if (setting.ones) rates = {*setting.ones, 2 * *setting.ones * (1 - *setting.ones)};
  if (setting.toggle) rates.toggle = std::min(*setting.toggle, most_toggle(rates.ones));
  return rates;
}

}  // namespace

base::Result<DataSettings> parse_data_settings(
    const std::vector<std::pair<std::string, std::string>>& words) {
  DataSettings settings;
  base::Errors errors;
  const std::vector<std::string> classes = known_classes();
  for (const auto& [word, text] : words) {
    const auto dot = word.find('.');
    const std::string name = word.substr(0, dot);
    const std::string key = dot == std::string::npos ? "" : word.substr(dot + 1);
    if (std::ranges::find(classes, name) == classes.end()) {
      const auto near = base::nearest(name, classes);
      errors.push_back(refused(word, "unknown_key", fmt::format("there is no class \"{}\"", name),
                               near.empty() ? classes.front() : near));
      continue;
    }
    if (key != "ones" && key != "toggle") {
      errors.push_back(
          refused(word, "unknown_key", fmt::format("data has no \"{}\"", key), "ones or toggle"));
      continue;
    }
    const auto value = share(text);
    if (!value) {
      errors.push_back(refused(word, "bad_value", fmt::format("\"{}\" is no share of beats", text),
                               "a number from 0 to 1"));
      continue;
    }
    (key == "ones" ? settings[name].ones : settings[name].toggle) = value;
  }
  for (const auto& [name, setting] : settings) {
    if (!setting.ones || !setting.toggle || *setting.toggle <= most_toggle(*setting.ones)) continue;
    errors.push_back(
        refused(name + ".toggle", "inconsistent",
                fmt::format("a pin that is high in {:g} of the beats cannot change in {:g} of them",
                            *setting.ones, *setting.toggle),
                fmt::format("at most {:g}", most_toggle(*setting.ones))));
  }
  if (!errors.empty()) return base::failure(std::move(errors));
  return settings;
}

void set_data_rates(const DataSettings& settings, ledger::RunRecord& run) {
  std::set<std::string> dtypes;
  for (ledger::TensorRow& tensor : run.tensors) {
    tensor.data = physics::rates_of(tensor.dtype);
    const auto setting = settings.find(tensor.tensor_class);
    if (setting != settings.end())
      tensor.data = changed(tensor.data, setting->second);
    else if (!tensor.dtype.empty())
      dtypes.insert(tensor.dtype);
  }
  if (const auto setting = settings.find(kUnnamed); setting != settings.end())
    run.unnamed_read = run.unnamed_write = changed(run.unnamed_read, setting->second);

  for (const std::string& dtype : dtypes) {
    const ledger::DataRates rates = physics::rates_of(dtype);
    run.assumptions.push_back({"data." + dtype,
                               fmt::format("ones {:g}, toggle {:g}", rates.ones, rates.toggle),
                               "assumed: values of its type (docs/interface-energy.md)"});
  }
  for (const auto& [name, setting] : settings) {
    if (setting.ones)
      run.assumptions.push_back(
          {"data." + name + ".ones", fmt::format("{:g}", *setting.ones), "--set"});
    if (setting.toggle)
      run.assumptions.push_back(
          {"data." + name + ".toggle", fmt::format("{:g}", *setting.toggle), "--set"});
  }
}

}  // namespace diffram::session
