#include "spec/dramsim3_keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/result.h"

namespace diffram::spec {

namespace {

/// Keys of DRAMsim3's own files that its code never reads, and the key that it reads in their
/// place; empty where there is none.
struct NeverRead {
  std::string_view key, real;
};
constexpr std::array kNeverRead = {
    NeverRead{"refi", "tREFI"},
    NeverRead{"refresh_period", "tREFI"},
    NeverRead{"trfcpb", "tRFCb"},
    NeverRead{"trtp_l", "tRTP"},
    NeverRead{"trtp_s", "tRTP"},
    NeverRead{"idd5", "IDD5AB"},
    NeverRead{"idd6", "IDD6x"},
    NeverRead{"trfc2", ""},
    NeverRead{"trfc4", ""},
    NeverRead{"twr2", ""},
    NeverRead{"tcksre", ""},
    NeverRead{"trrefd", ""},
    NeverRead{"tcmd", ""},
    NeverRead{"activation_window_depth", ""},
    NeverRead{"ipp0", ""},
    NeverRead{"idd1", ""},
    NeverRead{"idd2q", ""},
    NeverRead{"idd3p", ""},
    NeverRead{"idd3pf", ""},
    NeverRead{"idd3ps", ""},
    NeverRead{"idd6l", ""},
    NeverRead{"idd7", ""},
    NeverRead{"power_epoch_period", ""},
    NeverRead{"validation_output", ""},
};

/// Read by DRAMsim3's thermal build only, which `compat` does not follow.
constexpr std::string_view kThermalSection = "thermal";

}  // namespace

const IniEntry* Dramsim3Keys::look_up(std::string_view section, std::string_view key) {
  known_.push_back({std::string(section), std::string(key)});
  const IniEntry* entry = ini_.find(section, in_lower_case(key));
  if (entry != nullptr && entry->repeated) {
    warn("repeated_key",
         fmt::format("{} stands more than once; DRAMsim3 joins the values and reads the first "
                     "number of them",
                     entry->spelled),
         entry->line);
  }
  return entry;
}

template <class Value, class Read>
Value Dramsim3Keys::value(std::string_view section, std::string_view key, Value usual, Read read,
                          std::string_view lacks) {
  const IniEntry* entry = look_up(section, key);
  if (entry == nullptr) return usual;
  const std::optional<Value> value = read(entry->value);
  if (!value) {
    warn("default_taken",
         fmt::format("{} = \"{}\" is {}: DRAMsim3 takes its default {}", entry->spelled,
                     entry->value, lacks, usual),
         entry->line);
  }
  return value.value_or(usual);
}

std::int32_t Dramsim3Keys::integer(std::string_view section, std::string_view key,
                                   std::int32_t usual) {
  return value(section, key, usual, ini_integer, "no number");
}

double Dramsim3Keys::real(std::string_view section, std::string_view key, double usual) {
  return value(section, key, usual, ini_real, "no number");
}

bool Dramsim3Keys::boolean(std::string_view section, std::string_view key, bool usual) {
  return value(section, key, usual, ini_boolean, "neither true nor false");
}

std::string Dramsim3Keys::word(std::string_view section, std::string_view key,
                               std::string_view usual) {
  const IniEntry* entry = look_up(section, key);
  return entry == nullptr ? std::string(usual) : entry->value;
}

void Dramsim3Keys::without_effect(std::string_view section, std::string_view key) {
  known_.push_back({std::string(section), std::string(key)});
}

int Dramsim3Keys::line_of(std::string_view section, std::string_view key) const {
  const IniEntry* entry = ini_.find(section, in_lower_case(key));
  return entry == nullptr ? 0 : entry->line;
}

void Dramsim3Keys::warn(std::string code, std::string message, int line) {
  diagnostics_.push_back({std::move(code), base::Severity::warning, std::move(message),
                          fmt::format("{}:{}", file_, line)});
}

bool Dramsim3Keys::has(const std::string& spelled) const {
  return std::any_of(known_.begin(), known_.end(), [&](const KnownKey& known) {
    return known.spelled == spelled && ini_.find(known.section, in_lower_case(spelled)) != nullptr;
  });
}

void Dramsim3Keys::judge_unknown(const IniEntry& entry, std::vector<std::string>& never_read) {
  const auto listed = std::find_if(kNeverRead.begin(), kNeverRead.end(),
                                   [&](const NeverRead& each) { return each.key == entry.key; });
  const bool is_listed = listed != kNeverRead.end();
  const std::string real(is_listed ? listed->real : std::string_view());
  if (is_listed && (real.empty() || has(real))) {
    never_read.push_back(fmt::format("{} (line {})", entry.spelled, entry.line));
    return;
  }
  if (is_listed) {
    warn("ignored_key",
         fmt::format("DRAMsim3 does not read {}; it reads {}, which this file lacks, and takes its "
                     "default",
                     entry.spelled, real),
         entry.line);
    return;
  }
  std::vector<std::string> candidates;
  for (const KnownKey& known : known_) {
    if (known.section == entry.section) candidates.push_back(known.spelled);
  }
  if (candidates.empty()) {
    for (const KnownKey& known : known_) candidates.push_back(known.spelled);
  }
  const std::string near = base::nearest(entry.spelled, candidates);
  warn("unknown_key",
       fmt::format("DRAMsim3 has no key {} in [{}] and passes over it{}", entry.spelled,
                   entry.section, near.empty() ? "" : "; the nearest it reads is " + near),
       entry.line);
}

std::vector<base::Diagnostic> Dramsim3Keys::diagnostics() {
  std::vector<std::string> never_read;
  for (const IniEntry& entry : ini_.entries()) {
    if (entry.section == kThermalSection) {
      never_read.push_back(fmt::format("[thermal] {} (line {})", entry.spelled, entry.line));
      continue;
    }
    const bool is_known = std::any_of(known_.begin(), known_.end(), [&](const KnownKey& known) {
      return known.section == entry.section && in_lower_case(known.spelled) == entry.key;
    });
    if (!is_known) judge_unknown(entry, never_read);
  }
  if (!never_read.empty()) {
    diagnostics_.push_back({"never_read", base::Severity::note, "Keys that DRAMsim3 does not read",
                            fmt::format("{}: {}", file_, fmt::join(never_read, ", "))});
  }
  if (const auto& lines = ini_.lines_not_understood(); !lines.empty()) {
    diagnostics_.push_back({"ignored_lines", base::Severity::warning,
                            "Lines that are neither a section nor key = value; DRAMsim3 passes "
                            "over them",
                            fmt::format("{}: line {}", file_, fmt::join(lines, ", "))});
  }
  return std::move(diagnostics_);
}

}  // namespace diffram::spec
