#include "spec/toml_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "spec/toml_text.h"

namespace diffram::spec {

namespace {

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

int line_number(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

std::string number_text(double value) { return fmt::format("{:g}", value); }

std::string value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return number_text(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  return "";
}

}  // namespace

void Reading::refuse(std::string code, std::string field, int line, std::string message,
                     std::string expected) {
  base::Error error;
  error.code = std::move(code);
  error.field = std::move(field);
  if (const auto known = lines.find(error.field); line == 0 && known != lines.end())
    line = known->second;
  const bool from_command_line = overridden.contains(error.field);
  error.file = from_command_line ? "--set" : file;
  error.line = from_command_line ? 0 : line;
  error.message = std::move(message);
  error.expected = std::move(expected);
  errors.push_back(std::move(error));
}

Section::Section(const toml::table* table, std::string path, Reading& reading,
                 std::string default_source)
    : table_(table),
      path_(std::move(path)),
      reading_(&reading),
      default_source_(std::move(default_source)) {}

bool Section::has(const std::string& key) const {
  return table_ != nullptr && table_->contains(key);
}

int Section::line_of(const std::string& key) const {
  if (table_ == nullptr) return 0;
  const auto* node = table_->get(key);
  return line_number(node != nullptr ? *node : static_cast<const toml::node&>(*table_));
}

std::string Section::path_of(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> out;
  if (table_ == nullptr) return out;
  for (const auto& [key, node] : *table_) out.emplace_back(key.str());
  return out;
}

const toml::node* Section::find(const std::string& key, Need need) {
  known_.push_back(key);
  if (table_ == nullptr) return nullptr;  // the missing section has been reported
  const auto* node = table_->get(key);
  if (node == nullptr && need == Need::required) {
    reading_->refuse("missing_key", path_of(key), std::max(1, line_number(*table_)),
                     "this value is missing");
  }
  if (node != nullptr) reading_->lines[path_of(key)] = line_number(*node);
  return node;
}

const toml::node* Section::stated(const std::string& key, Need need, Quantity& about) {
  const auto* node = find(key, need);
  if (node == nullptr) return nullptr;
  about.line = line_number(*node);
  std::string source = default_source_;
  if (const auto* table = node->as_table()) {
    Section inner(table, path_of(key), *reading_, "");
    const auto stated_source = inner.text("source", Need::optional);
    inner.text("class", Need::optional);
    about.unit = inner.text("unit", Need::optional).value_or("");
    about.minimum_cycles =
        inner.whole("min_nck", 0, 1'000'000, Need::optional).value_or(about.minimum_cycles);
    node = inner.find("value", Need::required);
    inner.refuse_unknown_keys();
    if (stated_source) {
      const auto found = reading_->sources.find(*stated_source);
      source = found == reading_->sources.end() ? *stated_source : found->second;
    }
    if (node == nullptr) return nullptr;
    if (about.line == 0) about.line = line_number(*node);
  } else if (reading_->overridden.contains(path_of(key))) {
    source = default_source_.empty() ? "" : "--set";
  }
  if (!default_source_.empty()) {
    auto text = value_text(*node);
    if (!about.unit.empty()) text += " " + about.unit;
    reading_->provenance.push_back({path_of(key), std::move(text), std::move(source)});
  }
  return node;
}

void Section::wrong_kind(const std::string& key, const toml::node& node,
                         const std::string& expected) {
  reading_->refuse("wrong_kind", path_of(key), line_number(node), "this is no such value",
                   expected);
}

std::optional<std::int64_t> Section::whole(const std::string& key, std::int64_t least,
                                           std::int64_t most, Need need) {
  Quantity about;
  const auto* node = stated(key, need, about);
  if (node == nullptr) return std::nullopt;
  std::optional<std::int64_t> value;
  if (const auto* number = node->as_integer()) value = number->get();
  if (const auto* number = node->as_floating_point()) {
    const double real_value = number->get();
    if (std::abs(real_value) < kLargestExactInteger && real_value == std::floor(real_value))
      value = static_cast<std::int64_t>(real_value);
  }
  const auto expected = fmt::format("a whole number from {} to {}", least, most);
  if (!value) {
    wrong_kind(key, *node, expected);
    return std::nullopt;
  }
  if (*value < least || *value > most) {
    reading_->refuse("out_of_range", path_of(key), about.line,
                     fmt::format("{} is out of range", *value), expected);
    return std::nullopt;
  }
  return value;
}

std::optional<Quantity> Section::quantity(const std::string& key, Need need) {
  Quantity out;
  const auto* node = stated(key, need, out);
  if (node == nullptr) return std::nullopt;
  if (const auto* number = node->as_integer()) {
    out.value = static_cast<double>(number->get());
    out.is_whole = true;
  } else if (const auto* real_number = node->as_floating_point()) {
    out.value = real_number->get();
    out.is_whole = out.value == std::floor(out.value);
  } else {
    wrong_kind(key, *node, "a number");
    return std::nullopt;
  }
  if (!std::isfinite(out.value)) {
    reading_->refuse("out_of_range", path_of(key), out.line, "this is not a finite number",
                     "a number; leave the key out if the value is unknown");
    return std::nullopt;
  }
  return out;
}

std::optional<double> Section::real(const std::string& key, double least, double most, Need need) {
  const auto value = quantity(key, need);
  if (!value) return std::nullopt;
  if (value->value < least || value->value > most) {
    reading_->refuse("out_of_range", path_of(key), value->line,
                     number_text(value->value) + " is out of range",
                     "a number from " + number_text(least) + " to " + number_text(most));
    return std::nullopt;
  }
  return value->value;
}

std::optional<std::string> Section::text(const std::string& key, Need need) {
  Quantity about;
  const auto* node = stated(key, need, about);
  if (node == nullptr) return std::nullopt;
  const auto* text = node->as_string();
  if (text == nullptr) {
    wrong_kind(key, *node, "a text in quotes");
    return std::nullopt;
  }
  return text->get();
}

std::optional<bool> Section::flag(const std::string& key, Need need) {
  Quantity about;
  const auto* node = stated(key, need, about);
  if (node == nullptr) return std::nullopt;
  const auto* flag = node->as_boolean();
  if (flag == nullptr) {
    wrong_kind(key, *node, "true or false");
    return std::nullopt;
  }
  return flag->get();
}

std::vector<std::string> Section::texts(const std::string& key, Need need) {
  std::vector<std::string> out;
  const auto* node = find(key, need);
  if (node == nullptr) return out;
  const auto* array = node->as_array();
  if (array == nullptr) {
    wrong_kind(key, *node, "a list of texts");
    return out;
  }
  for (const auto& entry : *array) {
    if (const auto* text = entry.as_string()) {
      out.push_back(text->get());
    } else {
      wrong_kind(key, entry, "a text in quotes");
    }
  }
  return out;
}

std::vector<std::int64_t> Section::wholes(const std::string& key, std::int64_t least,
                                          std::int64_t most) {
  std::vector<std::int64_t> out;
  const auto* node = find(key, Need::required);
  if (node == nullptr) return out;
  const auto* array = node->as_array();
  if (array == nullptr) {
    wrong_kind(key, *node, "a list of whole numbers");
    return out;
  }
  for (const auto& entry : *array) {
    const auto* number = entry.as_integer();
    if (number != nullptr && number->get() >= least && number->get() <= most) {
      out.push_back(number->get());
    } else {
      wrong_kind(key, entry, fmt::format("a whole number from {} to {}", least, most));
    }
  }
  return out;
}

Section Section::section(const std::string& key, Need need, std::string default_source) {
  const auto* node = find(key, need);
  const toml::table* table = nullptr;
  if (node != nullptr) {
    table = node->as_table();
    if (table == nullptr) wrong_kind(key, *node, "a section of keys");
  }
  return Section(table, path_of(key), *reading_, std::move(default_source));
}

std::vector<Section> Section::sections(const std::string& key) {
  std::vector<Section> out;
  const auto* node = find(key, Need::optional);
  if (node == nullptr) return out;
  const auto* array = node->as_array();
  if (array == nullptr) {
    wrong_kind(key, *node, "a list of sections [[" + path_of(key) + "]]");
    return out;
  }
  std::size_t index = 0;
  for (const auto& entry : *array) {
    if (const auto* table = entry.as_table()) {
      out.emplace_back(table, fmt::format("{}[{}]", path_of(key), index), *reading_, "");
    } else {
      wrong_kind(key, entry, "a section of keys");
    }
    ++index;
  }
  return out;
}

void Section::refuse_unknown_keys() {
  if (table_ == nullptr) return;
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const auto near = base::nearest(name, known_);
    reading_->refuse("unknown_key", path_of(name), line_number(node), "unknown key",
                     near.empty() ? "" : "'" + near + "'");
  }
}

void read_sources(Section& root, Reading& reading) {
  Section sources = root.section("sources", Need::optional, "");
  for (const auto& key : sources.keys()) {
    if (auto text = sources.text(key, Need::optional)) reading.sources[key] = *text;
  }
}

std::optional<toml::table> parse_toml(const std::string& text, Reading& reading) {
  auto tree = parse_text(text, reading.file);
  if (tree) return std::move(*tree);
  reading.refuse("toml_syntax", "", tree.error().line, tree.error().message);
  return std::nullopt;
}

}  // namespace diffram::spec
