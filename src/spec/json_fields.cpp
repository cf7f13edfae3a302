#include "spec/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace diffram::spec {

using nlohmann::json;

namespace {

int line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  return 1 + static_cast<int>(std::ranges::count(before, '\n'));
}

/// Where the parser stops; nothing is built.
class SyntaxCheck : public nlohmann::json_sax<json> {
 public:
  std::size_t position = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t at, const std::string&, const json::exception&) override {
    position = at;
    return false;
  }
};

}  // namespace

int JsonErrors::line_of(std::string_view key) const {
  const auto at = text.find(fmt::format("\"{}\"", key));
  return key.empty() || at == std::string_view::npos ? 0 : line_at(text, at);
}

void JsonErrors::refuse(std::string code, const std::string& field, std::string_view key,
                        std::string message, std::string expected) {
  errors.push_back(
      {std::move(code), std::move(message), file, line_of(key), field, std::move(expected)});
}

std::optional<json> parse_json(JsonErrors& errors) {
  SyntaxCheck check;
  if (!json::sax_parse(errors.text, &check)) {
    errors.errors.push_back({"bad_syntax", "the file is not JSON", errors.file,
                             line_at(errors.text, check.position == 0 ? 0 : check.position - 1), "",
                             "a JSON object"});
    return std::nullopt;
  }
  json root = json::parse(errors.text, nullptr, false);
  if (!root.is_object()) {
    errors.errors.push_back(
        {"bad_syntax", "the file holds no JSON object", errors.file, 1, "", "a JSON object"});
    return std::nullopt;
  }
  return root;
}

JsonFields::JsonFields(const json& parent, const std::string& name, bool is_needed,
                       JsonErrors& errors)
    : path_(name), errors_(&errors) {
  const auto found = parent.find(name);
  if (name.empty()) {
    object_ = &parent;
  } else if (found == parent.end()) {
    if (is_needed)
      errors.refuse("missing_key", name, "", "the file has no such section", "an object");
  } else if (!found->is_object()) {
    errors.refuse("wrong_type", name, name, "it is no object", "an object");
  } else {
    object_ = &*found;
  }
}

const json* JsonFields::find(const std::string& key, bool is_needed, const char* kind) {
  known_.push_back(key);
  if (object_ == nullptr) return nullptr;
  const auto found = object_->find(key);
  if (found != object_->end()) return &*found;
  if (is_needed) errors_->refuse("missing_key", path_of(key), "", "the field is not there", kind);
  return nullptr;
}

double JsonFields::number(const std::string& key, double least, double most) {
  const bool is_known = find(key, true, "a number") != nullptr;
  return is_known ? number_or(key, least, most, least) : least;
}

double JsonFields::number_or(const std::string& key, double least, double most, double otherwise) {
  const json* value = find(key, false, "a number");
  if (value == nullptr) return otherwise;
  const std::string expected = fmt::format("a number from {:g} to {:g}", least, most);
  if (!value->is_number()) {
    errors_->refuse("wrong_type", path_of(key), key, "it is no number", expected);
    return otherwise;
  }
  const auto number = value->get<double>();
  if (number >= least && number <= most) return number;
  errors_->refuse("out_of_range", path_of(key), key,
                  number < 0 ? fmt::format("{:g} is negative", number)
                             : fmt::format("{:g} is out of range", number),
                  expected);
  return otherwise;
}

std::int64_t JsonFields::whole(const std::string& key, std::int64_t least, std::int64_t most) {
  const bool is_known = find(key, true, "a whole number") != nullptr;
  return is_known ? whole_or(key, least, most, least) : least;
}

std::int64_t JsonFields::whole_or(const std::string& key, std::int64_t least, std::int64_t most,
                                  std::int64_t otherwise) {
  const json* value = find(key, false, "a whole number");
  if (value == nullptr) return otherwise;
  const double number =
      number_or(key, static_cast<double>(least), static_cast<double>(most), std::nan(""));
  if (std::isnan(number)) return otherwise;
  if (number == std::floor(number)) return static_cast<std::int64_t>(number);
  errors_->refuse("wrong_type", path_of(key), key, fmt::format("{:g} is no whole number", number),
                  fmt::format("a whole number from {} to {}", least, most));
  return otherwise;
}

bool JsonFields::flag_or(const std::string& key, bool otherwise) {
  const json* value = find(key, false, "true or false");
  if (value == nullptr) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  errors_->refuse("wrong_type", path_of(key), key, "it is neither true nor false", "true or false");
  return otherwise;
}

std::string JsonFields::text(const std::string& key) {
  const json* value = find(key, true, "a text");
  if (value == nullptr) return "";
  if (value->is_string()) return value->get<std::string>();
  errors_->refuse("wrong_type", path_of(key), key, "it is no text", "a text");
  return "";
}

void JsonFields::refuse_unknown() {
  if (object_ == nullptr) return;
  for (const auto& [key, value] : object_->items()) {
    if (std::ranges::find(known_, key) != known_.end()) continue;
    const std::string near = base::nearest(key, known_);
    errors_->refuse("unknown_key", path_of(key), key, "there is no such field",
                    near.empty() ? "a field of DRAMPower 6.2's memspec" : near);
  }
}

}  // namespace diffram::spec
