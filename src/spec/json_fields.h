#pragma once
// Fields of a JSON file with the errors that a reader owes its user: every field that is missing,
// unknown, of the wrong kind or out of range is named. Internal to spec.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace diffram::spec {

/// Errors of one file, and where its keys stand.
struct JsonErrors {
  std::string file;
  std::string_view text;
  base::Errors errors;

  /// `key` is looked up in the text to give a line; it may be empty.
  void refuse(std::string code, const std::string& field, std::string_view key, std::string message,
              std::string expected);
  /// Line of the first `"key"`; 0 = there is none.
  int line_of(std::string_view key) const;
};

/// nothing: the text is no JSON; the error says in which line.
std::optional<nlohmann::json> parse_json(JsonErrors& errors);

/// One object of the file. What was asked for is known; the rest is refused at the end.
class JsonFields {
 public:
  /// `parent` may lack the object: an error if `is_needed`.
  JsonFields(const nlohmann::json& parent, const std::string& name, bool is_needed,
             JsonErrors& errors);

  bool is_present() const { return object_ != nullptr; }
  double number(const std::string& key, double least, double most);
  double number_or(const std::string& key, double least, double most, double otherwise);
  std::int64_t whole(const std::string& key, std::int64_t least, std::int64_t most);
  std::int64_t whole_or(const std::string& key, std::int64_t least, std::int64_t most,
                        std::int64_t otherwise);
  bool flag_or(const std::string& key, bool otherwise);
  std::string text(const std::string& key);
  /// Known and of no use here.
  void pass_over(const std::string& key) { known_.push_back(key); }
  void refuse_unknown();

 private:
  const nlohmann::json* find(const std::string& key, bool is_needed, const char* kind);
  std::string path_of(const std::string& key) const {
    return path_.empty() ? key : path_ + "." + key;
  }

  const nlohmann::json* object_ = nullptr;
  std::string path_;
  JsonErrors* errors_;
  std::vector<std::string> known_;
};

}  // namespace diffram::spec
