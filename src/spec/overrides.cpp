#include <charconv>

#include "spec/toml_section.h"
#include "spec/toml_text.h"

namespace diffram::spec {

namespace {

/// The text as TOML would read it; what is no TOML value is a word.
void insert_value(toml::table& table, const std::string& key, const std::string& text) {
  const auto parsed = parse_text("value = " + text + "\n", "--set");
  if (parsed && parsed->size() == 1 && parsed->contains("value")) {
    const auto* node = parsed->get("value");
    if (const auto* whole = node->as_integer())
      return void(table.insert_or_assign(key, whole->get()));
    if (const auto* real = node->as_floating_point())
      return void(table.insert_or_assign(key, real->get()));
    if (const auto* flag = node->as_boolean())
      return void(table.insert_or_assign(key, flag->get()));
    if (const auto* word = node->as_string()) return void(table.insert_or_assign(key, word->get()));
  }
  // a bare word such as frfcfs
  table.insert_or_assign(key, text);
}

void replace_stated_value(toml::table& stated, const std::string& text) {
  std::string number = text;
  const auto unit_at = text.find_first_of("nmpGM%", text.find_first_of("0123456789"));
  double ignored = 0;
  if (unit_at != std::string::npos) {
    auto end = text.find_last_not_of(' ', unit_at - 1) + 1;
    const auto result = std::from_chars(text.data(), text.data() + end, ignored);
    if (result.ec == std::errc() && result.ptr == text.data() + end) {
      number = text.substr(0, end);
      stated.insert_or_assign("unit", text.substr(unit_at));
    }
  }
  insert_value(stated, "value", number);
  stated.insert_or_assign("source", "--set");
  stated.erase("min_nck");  // the user's number is what is used
}

}  // namespace

void apply_overrides(toml::table& root, const std::string& prefix,
                     const std::vector<std::pair<std::string, std::string>>& overrides,
                     Reading& reading) {
  for (const auto& [full_key, text] : overrides) {
    const std::string key =
        full_key.rfind(prefix + ".", 0) == 0 ? full_key.substr(prefix.size() + 1) : full_key;
    reading.overridden.insert(key);
    toml::table* table = &root;
    std::size_t start = 0;
    for (auto dot = key.find('.'); dot != std::string::npos && table != nullptr;
         dot = key.find('.', start)) {
      const auto part = key.substr(start, dot - start);
      auto* node = table->get(part);
      if (node == nullptr) {
        table->insert_or_assign(part, toml::table{});
        reading.overridden.insert(key.substr(0, dot));
        node = table->get(part);
      }
      table = node->as_table();
      start = dot + 1;
    }
    const auto last = key.substr(start);
    if (table == nullptr || last.empty()) {
      reading.refuse("unknown_key", key, 0, "there is no such key");
      continue;
    }
    auto* node = table->get(last);
    toml::table* stated = node != nullptr ? node->as_table() : nullptr;
    if (stated != nullptr && stated->contains("value")) {
      replace_stated_value(*stated, text);
    } else if (stated != nullptr) {
      reading.refuse("unknown_key", key, 0, "this names a section, not a value");
    } else {
      insert_value(*table, last, text);
    }
  }
}

}  // namespace diffram::spec
