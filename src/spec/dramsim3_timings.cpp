// The times of a DRAMsim3 configuration under the names of a standard's file. What DRAMsim3 derives
// before it uses a time (dramsim3-behaviour.md 2, 10) is derived here too, so that a row means the
// same: AL is folded in, a gap is no shorter than a burst, one bank group has the short times.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "spec/dramsim3_values.h"

namespace diffram::spec {

namespace {

constexpr const char* kSection = "timing";

/// A time that DRAMsim3 reads: its value there, and the key that an error points at.
struct Known {
  const char* timing;
  const char* key;
  std::string remark;
  std::int64_t cycles;
};

/// Times that DRAMsim3 does not need, or not for every protocol: carried only where the file states
/// one above 0.
struct IfStated {
  const char* timing;
  const char* key;
  bool used_here = false;  ///< and not by DRAMsim3
};
constexpr std::array kIfStated = {
    IfStated{"tPPD", "tPPD"},         IfStated{"tXP", "tXP", true},
    IfStated{"tCKE", "tCKE", true},   IfStated{"tXS", "tXS"},
    IfStated{"tWPRE", "tWPRE", true}, IfStated{"tRREFD", "tRREFD", true},
    IfStated{"tRFCpb", "tRFCb"},      IfStated{"tREFIpb", "tREFIb"},
};

/// What a memory gets that does not say it: as the shipped memories of the standard have it, of
/// which none is verified.
struct Assumed {
  const char* standard;
  const char* timing;
  const char* value;
  const char* unit;
  int minimum_cycles;
};
constexpr std::array kAssumed = {
    Assumed{"DDR3", "tXP", "6", "ns", 3},       Assumed{"DDR3", "tXSDLL", "512", "nCK", 0},
    Assumed{"DDR4", "tXP", "6", "ns", 4},       Assumed{"DDR4", "tCKE", "5", "ns", 3},
    Assumed{"DDR4", "tXSDLL", "768", "nCK", 0}, Assumed{"LPDDR4", "tXP", "7.5", "ns", 5},
    Assumed{"LPDDR4", "tPPD", "4", "nCK", 0},   Assumed{"LPDDR4", "tDQSCK", "3.5", "ns", 0},
    Assumed{"LPDDR4", "tWPRE", "2", "nCK", 0},  Assumed{"GDDR6", "tXP", "10", "nCK", 0},
    Assumed{"GDDR6", "tPPD", "1", "nCK", 0},    Assumed{"GDDR6", "tRREFD", "8.571", "ns", 0},
    Assumed{"HBM1", "tXP", "8", "nCK", 0},      Assumed{"HBM1", "tRREFD", "8", "ns", 0},
    Assumed{"HBM2", "tXP", "8", "nCK", 0},      Assumed{"HBM2", "tRREFD", "8", "ns", 0},
};

/// Why a key stays behind that no time above takes.
struct Reason {
  const char* key;
  const char* why;
  base::Severity severity = base::Severity::note;
};
constexpr std::array kReasons = {
    Reason{"tCKESR", "a rank stays in self-refresh for tCKE and a cycle at least",
           base::Severity::warning},
    Reason{"t32AW", "the table has no window of 32 activations", base::Severity::warning},
    Reason{"tRTRS", "the standard has no ranks"},
    Reason{"tPPD", "neither DRAMsim3 nor the table has it for this standard"},
    Reason{"tRCD", "the standard has tRCDRD and tRCDWR"},
    Reason{"tRCDRD", "the standard has tRCD"},
    Reason{"tRCDWR", "the standard has tRCD"},
    Reason{"tRFCb", "the standard's table has no refresh of single banks"},
    Reason{"tREFIb", "the standard's table has no refresh of single banks"},
    Reason{"tCCD_L", "the banks are one group, for which DRAMsim3 takes tCCD_S"},
    Reason{"tRRD_L", "the banks are one group, for which DRAMsim3 takes tRRD_S"},
    Reason{"tWTR_L", "the banks are one group, for which DRAMsim3 takes tWTR_S"},
    Reason{"tCCD_S", "the standard has no bank groups, and tCCD_L is longer"},
    Reason{"tRRD_S", "the standard has no bank groups, and tRRD_L is longer"},
    Reason{"tWTR_S", "the standard has no bank groups, and tWTR_L is longer"},
    Reason{"tRPRE", "DRAMsim3 does not use it, and the table has no row for it"},
    Reason{"tWPRE", "DRAMsim3 does not use it, and the table has no row for it"},
    Reason{"tXS", "a time of 0 is none: it was assumed", base::Severity::warning},
    Reason{"tXP", "a time of 0 is none: it was assumed"},
    Reason{"tCKE", "a time of 0 is none: it was assumed"},
    Reason{"ideal_memory_latency", "it is of DRAMsim3's ideal memory"},
};

class TimingWriter {
 public:
  explicit TimingWriter(Dramsim3Source& source)
      : source_(source), config_(source.config()), grouped_(config_.bank_groups > 1) {
    burst_ = config_.burst_length / source.standard().transfers_per_clock;
    list_known();
  }

  CarriedTable write() {
    for (const auto& definition : source_.standard().timings) write(definition);
    tell_differences();
    for (const Reason& reason : kReasons) {
      if (!used_.contains(reason.key))
        source_.leave_out(kSection, reason.key, reason.why, reason.severity);
    }
    return std::move(table_);
  }

 private:
  void list_known() {
    const Dramsim3Timing& t = config_.timing;
    const auto posted = [&](const char* with, const char* without) -> std::string {
      return t.AL == 0 ? without : with;
    };
    known_ = {{"tCL", "CL", posted("AL + CL", "CL"), t.read_latency()},
              {"tCWL", "CWL", posted("AL + CWL", "CWL"), t.write_latency()},
              {"tRCD", "tRCD", posted("tRCD - AL", "tRCD"), t.tRCD - t.AL},
              {"tRCDRD", "tRCDRD", "tRCDRD", t.tRCDRD},
              {"tRCDWR", "tRCDWR", "tRCDWR", t.tRCDWR},
              {"tRP", "tRP", "tRP", t.tRP},
              {"tRPab", "tRP", "tRP: DRAMsim3 closes bank by bank", t.tRP},
              {"tRAS", "tRAS", "tRAS", t.tRAS},
              {"tRC", "tRAS", "tRAS + tRP", t.tRC()},
              {"tRTP", "tRTP", posted("AL + tRTP", "tRTP"), t.AL + t.tRTP},
              {"tWR", "tWR", "tWR", t.tWR},
              {"tFAW", "tFAW", "tFAW", t.tFAW},
              {"tCS", "tRTRS", "tRTRS", t.tRTRS},
              {"tRFC", "tRFC", "tRFC", t.tRFC},
              {"tREFI", "tREFI", "tREFI", t.tREFI}};
    list_gap("tCCD", "tCCD_S", "tCCD_L", t.tCCD_S, t.tCCD_L, burst_);
    list_gap("tRRD", "tRRD_S", "tRRD_L", t.tRRD_S, t.tRRD_L, 0);
    list_gap("tWTR", "tWTR_S", "tWTR_L", t.tWTR_S, t.tWTR_L, 0);
  }

  /// A time between banks of other groups, of the same group, and of a standard without groups.
  void list_gap(const char* plain, const char* brief, const char* lengthy, std::int64_t brief_time,
                std::int64_t lengthy_time, std::int64_t least) {
    const auto add = [&](const char* timing, const char* key, std::int64_t cycles) {
      std::string remark = key;
      if (cycles < least) remark += fmt::format(" = {}, and a burst is longer", cycles);
      known_.push_back({timing, key, std::move(remark), std::max(cycles, least)});
    };
    add(brief, brief, brief_time);
    add(lengthy, grouped_ ? lengthy : brief, grouped_ ? lengthy_time : brief_time);
    const bool longer = grouped_ && lengthy_time > brief_time;
    add(plain, longer ? lengthy : brief, longer ? lengthy_time : brief_time);
  }

  void write(const TimingDefinition& definition) {
    for (const Known& known : known_) {
      // tRCD of a standard with tRCDRD is that, unless it is stated.
      if (known.timing != definition.name || !definition.fallback.empty()) continue;
      auto value =
          source_.carried(known.timing, std::to_string(known.cycles), "nCK", kSection, known.key);
      if (known.remark != known.key) value.derive(": " + known.remark);
      add(std::move(value));
      return;
    }
    for (const IfStated& each : kIfStated) {
      if (each.timing == definition.name && write_stated(each)) return;
    }
    if (definition.fallback.empty()) assume(definition.name);
  }

  bool write_stated(const IfStated& each) {
    const bool by_banks = each.timing == std::string_view("tREFIpb") &&
                          config_.refresh == Dramsim3Refresh::bank_staggered;
    const auto* entry = source_.ini().find(kSection, in_lower_case(each.key));
    std::int64_t cycles = entry == nullptr ? 0 : ini_integer(entry->value).value_or(0);
    if (by_banks) cycles = config_.timing.tREFIb;
    if (cycles <= 0) return false;
    if (each.used_here) source_.used_here(each.key, each.timing);
    const bool is_interval = each.timing == std::string_view("tREFIpb");
    if (is_interval) cycles *= config_.ranks;
    auto value = source_.carried(each.timing, std::to_string(cycles), "nCK", kSection, each.key);
    if (is_interval && config_.ranks > 1)
      value.derive(": of each rank, where that of DRAMsim3 is of all");
    add(std::move(value));
    return true;
  }

  void assume(const std::string& timing) {
    for (const Assumed& each : kAssumed) {
      if (each.standard != source_.standard().name || each.timing != timing) continue;
      auto value = source_.assumed(each.timing, each.value, each.unit,
                                   "as the shipped memories of the standard");
      value.minimum_cycles = each.minimum_cycles;
      return add(std::move(value));
    }
    if (timing == "tXS") {
      constexpr double kAfterRefresh_ns = 10;
      const auto cycles = config_.timing.tRFC +
                          static_cast<std::int64_t>(std::ceil(kAfterRefresh_ns / config_.tCK_ns));
      return add(source_.assumed("tXS", std::to_string(cycles), "nCK", "tRFC + 10 ns"));
    }
    if (timing == "tRFCpb") {
      return add(source_.assumed("tRFCpb", std::to_string(config_.timing.tRFC), "nCK",
                                 "tRFC, which is no shorter"));
    }
    // Nothing is known: the memory file lacks it, which its reader says.
  }

  void tell_differences() {
    const Dramsim3Timing& t = config_.timing;
    if (t.AL != 0) {
      source_.note(
          "posted_commands", base::Severity::note,
          "AL is in tCL, tCWL and tRTP, and tRCD is shorter by it: a column command leaves "
          "when the row is open",
          fmt::format("AL = {}", t.AL));
    }
    if (t.AL == 0) source_.leave_out(kSection, "AL", "at 0 it moves nothing", base::Severity::note);
    if (burst_ != config_.burst_cycles) {
      source_.note("burst_cycles", base::Severity::warning,
                   fmt::format("A burst takes {} cycles of the data bus; DRAMsim3 counts {}",
                               burst_, config_.burst_cycles),
                   fmt::format("BL = {}, {} of {} a clock", config_.burst_length,
                               source_.standard().name, source_.standard().transfers_per_clock));
    }
    if (grouped_ && !source_.standard().has_timing("tCCD_L")) {
      source_.note("bank_groups_joined", base::Severity::warning,
                   fmt::format("{} has no bank groups: the banks of {} are one, with the longer "
                               "times of either",
                               source_.standard().name, config_.bank_groups),
                   fmt::format("{} banks", config_.banks()));
    }
  }

  void add(CarriedValue value) {
    used_.insert(value.from_key);
    table_.values.push_back(std::move(value));
  }

  Dramsim3Source& source_;
  const Dramsim3Config& config_;
  const bool grouped_;
  std::int64_t burst_ = 0;  ///< cycles of a burst here
  std::vector<Known> known_;
  std::set<std::string, std::less<>> used_;  ///< keys of the configuration
  CarriedTable table_{"timings", {}};
};

}  // namespace

CarriedTable timings_of(Dramsim3Source& source) { return TimingWriter(source).write(); }

}  // namespace diffram::spec
