#include "trace/tensor_reader/json_line.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace diffram::trace {

bool read_integer(const Json& value, std::int64_t& out) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return false;
    out = static_cast<std::int64_t>(number);
    return true;
  }
  if (!value.is_number_integer()) return false;
  out = value.get<std::int64_t>();
  return true;
}

const Json* JsonLine::find(const char* field) const {
  const auto found = object_.find(field);
  return found == object_.end() ? nullptr : &*found;
}

std::int64_t JsonLine::checked(const Json& value, const char* field, std::int64_t lowest,
                               std::int64_t highest) {
  std::int64_t number = 0;
  const bool is_whole = read_integer(value, number);
  if (is_whole && number >= lowest && number <= highest) return number;
  complain("out_of_range",
           is_whole ? fmt::format("{} is out of range", number) : "not a whole number", field,
           highest < lowest ? "none exists"
                            : fmt::format("a whole number from {} to {}", lowest, highest));
  return lowest;
}

std::int64_t JsonLine::integer(const char* field, std::int64_t lowest, std::int64_t highest) {
  if (const Json* value = find(field)) return checked(*value, field, lowest, highest);
  complain("missing_field", "is missing", field, "a whole number");
  return lowest;
}

std::int64_t JsonLine::integer_or(const char* field, std::int64_t fallback, std::int64_t lowest,
                                  std::int64_t highest) {
  const Json* value = find(field);
  return value ? checked(*value, field, lowest, highest) : fallback;
}

std::string JsonLine::text(const char* field) {
  const Json* value = find(field);
  if (value && value->is_string()) return value->get<std::string>();
  complain(value ? "wrong_type" : "missing_field", value ? "is no string" : "is missing", field,
           "a string");
  return {};
}

std::string JsonLine::text_or(const char* field, const std::string& fallback) {
  return find(field) ? text(field) : fallback;
}

const Json* JsonLine::list(const char* field) {
  const Json* value = find(field);
  if (!value || value->is_array()) return value;
  complain("wrong_type", "is no list", field, "a list");
  return nullptr;
}

void JsonLine::complain(const char* code, std::string message, std::string field,
                        std::string expected) {
  errors_.push_back({.code = code,
                     .message = std::move(message),
                     .file = place_.file,
                     .line = place_.line,
                     .field = std::move(field),
                     .expected = std::move(expected)});
}

}  // namespace diffram::trace
