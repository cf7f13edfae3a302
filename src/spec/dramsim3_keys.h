#pragma once
// The keys of a DRAMsim3 configuration: each is asked for with its default; what nobody asked for
// is a diagnostic. Internal to spec.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "spec/dramsim3_ini.h"

namespace diffram::spec {

class Dramsim3Keys {
 public:
  Dramsim3Keys(std::string_view text, std::string file) : ini_(text), file_(std::move(file)) {}

  std::int32_t integer(std::string_view section, std::string_view key, std::int32_t usual);
  double real(std::string_view section, std::string_view key, double usual);
  bool boolean(std::string_view section, std::string_view key, bool usual);
  std::string word(std::string_view section, std::string_view key, std::string_view usual);
  /// DRAMsim3 reads it and nothing depends on it.
  void without_effect(std::string_view section, std::string_view key);

  int line_of(std::string_view section, std::string_view key) const;
  const std::string& file() const { return file_; }
  /// Every key asked for is in `known_` by then.
  std::vector<base::Diagnostic> diagnostics();

 private:
  const IniEntry* look_up(std::string_view section, std::string_view key);
  /// `read` gives an optional Value; `lacks` is what a text is that it cannot read.
  template <class Value, class Read>
  Value value(std::string_view section, std::string_view key, Value usual, Read read,
              std::string_view lacks);
  void warn(std::string code, std::string message, int line);
  void judge_unknown(const IniEntry& entry, std::vector<std::string>& never_read);
  bool has(const std::string& spelled) const;

  IniText ini_;
  std::string file_;
  struct KnownKey {
    std::string section, spelled;
  };
  std::vector<KnownKey> known_;
  std::vector<base::Diagnostic> diagnostics_;
};

}  // namespace diffram::spec
