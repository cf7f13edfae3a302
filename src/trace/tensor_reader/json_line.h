#pragma once
// One line of a tensor trace: typed fields, every complaint kept with its file, line and field.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/result.h"

namespace diffram::trace {

/// Objects keep the order of their keys: slopes of an affine trace count numbers in that order.
using Json = nlohmann::ordered_json;

struct Place {
  std::string file;
  int line = 0;
};

class JsonLine {
 public:
  JsonLine(const Json& object, Place place) : object_(object), place_(std::move(place)) {}

  /// A whole number in [lowest, highest]; `lowest` after a complaint.
  std::int64_t integer(const char* field, std::int64_t lowest, std::int64_t highest);
  std::int64_t integer_or(const char* field, std::int64_t fallback, std::int64_t lowest,
                          std::int64_t highest);
  std::string text(const char* field);
  std::string text_or(const char* field, const std::string& fallback);
  /// The array of that name; null when absent, or after a complaint.
  const Json* list(const char* field);
  const Json* find(const char* field) const;

  /// Keeps a complaint about `field` of this line.
  void complain(const char* code, std::string message, std::string field,
                std::string expected = {});
  bool is_sound() const { return errors_.empty(); }
  base::Errors& errors() { return errors_; }
  const Place& place() const { return place_; }

 private:
  std::int64_t checked(const Json& value, const char* field, std::int64_t lowest,
                       std::int64_t highest);

  const Json& object_;
  Place place_;
  base::Errors errors_;
};

/// Reads a whole number that fits 64 bits; false for anything else (2.0, 1e3, true, 2^64).
bool read_integer(const Json& value, std::int64_t& out);

}  // namespace diffram::trace
