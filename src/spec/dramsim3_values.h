#pragma once
// The values of a memory file that a DRAMsim3 configuration gives. Internal to spec.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "spec/dramsim3_config.h"
#include "spec/dramsim3_ini.h"
#include "spec/standard.h"

namespace diffram::spec {

/// How a value came to be; its letter is the class that memory files write (docs/memories.md).
enum class Origin : char {
  carried = 'E',  ///< a preset that names no document
  derived = 'F',  ///< of carried ones
  assumed = 'U',  ///< the configuration does not say it
  policy = 0,     ///< a choice, which needs no source
};

/// One key of the memory file.
struct CarriedValue {
  std::string key;    ///< "tCL"
  std::string value;  ///< as TOML
  std::string unit;   ///< empty = none
  Origin origin = Origin::carried;
  std::string remark;                  ///< where it comes from
  std::string from_section, from_key;  ///< of the configuration
  int minimum_cycles = 0;              ///< `min_nck`

  /// It was worked out from what the configuration says; a value that it does not say stays one.
  void derive(const std::string& how) {
    remark += how;
    if (origin == Origin::carried) origin = Origin::derived;
  }
};

/// A table of the memory file.
struct CarriedTable {
  std::string name;  ///< "timings"; empty = the keys before any table
  std::vector<CarriedValue> values;
};

/// The configuration and what the conversion has to say of it.
class Dramsim3Source {
 public:
  /// The configuration and the standard outlive it; `file` is a name fit for a remark.
  Dramsim3Source(const Dramsim3Config& config, const IniText& ini, std::string file,
                 const Standard& standard)
      : config_(&config), ini_(&ini), standard_(&standard), file_(std::move(file)) {}

  const Dramsim3Config& config() const { return *config_; }
  const IniText& ini() const { return *ini_; }
  const Standard& standard() const { return *standard_; }
  const std::string& file() const { return file_; }
  const std::vector<base::Diagnostic>& diagnostics() const { return diagnostics_; }

  /// A key that is there and not empty.
  bool states(std::string_view section, std::string_view key) const;
  int line_of(std::string_view section, std::string_view key) const;

  /// A value from one key. DRAMsim3's default where the file does not state it: then it is named
  /// later, in one list.
  CarriedValue carried(const char* key, std::string value, const char* unit, const char* section,
                       const char* from);
  /// A value that the configuration does not state.
  CarriedValue assumed(const char* key, std::string value, const char* unit, std::string why);

  /// `not_carried`: a key with its line and the reason, if the file states it.
  void leave_out(const char* section, const char* key, std::string why,
                 base::Severity severity = base::Severity::warning);
  void note(const char* code, base::Severity severity, std::string message, std::string evidence);

  /// A key that DRAMsim3 does not read or use, and that a native controller does.
  void used_here(const std::string& from, const char* key) {
    used_here_.push_back(from + " as " + key);
  }

  /// The lists: defaults that were written, values that were assumed, keys used here alone.
  void tell_lists();

 private:
  const Dramsim3Config* config_;
  const IniText* ini_;
  const Standard* standard_;
  std::string file_;
  std::vector<std::string> defaults_, assumed_, used_here_;
  std::vector<base::Diagnostic> diagnostics_;
};

CarriedTable organisation_of(Dramsim3Source& source);
CarriedTable timings_of(Dramsim3Source& source);
/// [currents] and [currents.VDD]; none where the configuration states no current.
std::vector<CarriedTable> currents_of(Dramsim3Source& source);
CarriedTable map_of(Dramsim3Source& source);
CarriedTable controller_of(Dramsim3Source& source);

}  // namespace diffram::spec
