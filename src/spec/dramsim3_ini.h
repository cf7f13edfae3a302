#pragma once
// The grammar of DRAMsim3's configuration files (dramsim3-behaviour.md 1). It is forgiving: what it
// cannot read is left out, and a number ends where it stops looking like one. Internal to spec.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace diffram::spec {

/// A key of the file: names in lower case, the values of a repeated key joined by newlines.
struct IniEntry {
  std::string section, key;
  std::string value;
  int line = 0;           ///< of its first appearance
  std::string spelled;    ///< the key as it stands there
  bool repeated = false;  ///< more than one value
};

class IniText {
 public:
  explicit IniText(std::string_view text);

  /// Section and key in lower case; nullptr where the file has no such key.
  const IniEntry* find(std::string_view section, std::string_view key) const;
  const std::vector<IniEntry>& entries() const { return entries_; }
  /// Lines that are neither a section, a key nor a comment: DRAMsim3 passes over them.
  const std::vector<int>& lines_not_understood() const { return lines_not_understood_; }

 private:
  void read_line(std::string_view line, int number);
  void read_section(std::string_view line, int number);
  void add(std::string_view key, std::string_view value, int number);

  std::vector<IniEntry> entries_;
  std::vector<int> lines_not_understood_;
  std::string section_, last_key_;
};

std::string in_lower_case(std::string_view text);

/// C's strtol with base 0 (hexadecimal, a leading 0 is octal), cut to 32 bits; none where no digit
/// stands at the front.
std::optional<std::int32_t> ini_integer(const std::string& value);
std::optional<double> ini_real(const std::string& value);
/// true, yes, on, 1 and false, no, off, 0 in any case.
std::optional<bool> ini_boolean(const std::string& value);

}  // namespace diffram::spec
