#include "spec/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "spec/rounding.h"

namespace diffram::spec {

namespace {

// memory-values.md 6, checks "range", "rate_tck", "refresh_window", "duty", "ipp_small".
constexpr double kClockTolerance = 0.002;
constexpr double kRefreshWindowLeast = 0.96, kRefreshWindowMost = 1.0001;
constexpr double kRefreshDutyMost = 0.15;
constexpr double kPumpShareMost = 0.2;
constexpr double kLeastAmpere = 0.0001, kMostAmpere = 2.0;

class Laws {
 public:
  Laws(const Standard& standard, MemorySpec& memory, Reading& reading)
      : standard_(standard), memory_(memory), reading_(reading) {}

  void clock(double stated_ns) {
    const double true_ns =
        memory_.clock.period_s() * 1e9 * static_cast<double>(standard_.ticks_per_clock);
    require(
        stated_ns == 0 || std::abs(stated_ns / true_ns - 1) <= kClockTolerance, "rate_tck",
        {"clock_ns", "megatransfers"},
        fmt::format("a clock of {} ns does not go with {} MT/s", stated_ns, memory_.megatransfers),
        fmt::format("{:.6g} ns", true_ns));
    require(true_ns >= 0.2 && true_ns <= 2.5, "range", {"megatransfers"},
            fmt::format("a clock period of {:.4g} ns is none of a DRAM", true_ns), "0.2 to 2.5 ns");
  }

  void organisation() {
    const auto& o = memory_.organisation;
    const std::uint64_t bits = std::uint64_t{o.banks()} * o.rows * o.row_bytes() * 8 / o.devices();
    require(bits == o.device_bits, "density",
            {"organisation.device_gigabits", "organisation.rows", "organisation.columns",
             "organisation.device_width", "organisation.bank_groups"},
            fmt::format("the organisation makes a device of {:.4g} Gb, not {:.4g} Gb",
                        static_cast<double>(bits) / 0x1p30,
                        static_cast<double>(o.device_bits) / 0x1p30),
            "banks x rows x columns x width = density");
    family_count("organisation.bank_groups", standard_.bank_groups, o.groups_per_stack());
    family_count("organisation.banks_per_group", standard_.banks_per_group, o.banks_per_group);
  }

  void timings() {
    at_least("rc_sum", "nRC", n("nRAS") + n("nRP"), {"timings.tRC", "timings.tRAS", "timings.tRP"},
             "tRC is shorter than tRAS + tRP");
    at_least("burst_gap", "nCCD_S", n("nBL"), {"timings.tCCD_S"}, "tCCD_S is shorter than a burst");
    at_least("burst_gap", "nCCD", n("nBL"), {"timings.tCCD"}, "tCCD is shorter than a burst");
    for (const std::string pair : {"CCD", "RRD", "WTR"}) {
      at_least("s_le_l", "n" + pair + "_L", n("n" + pair + "_S"),
               {"timings.t" + pair + "_L", "timings.t" + pair + "_S"},
               fmt::format("t{0}_L is shorter than t{0}_S", pair));
    }
    at_least("faw_rrd", "nFAW", known("nRRD_S") ? n("nRRD_S") : n("nRRD"),
             {"timings.tFAW", "timings.tRRD_S", "timings.tRRD"}, "tFAW is shorter than tRRD");
    for (const auto& law : standard_.laws.fixed_cycles) {
      const auto fixed = law.second * standard_.ticks_per_clock;
      require(!known(law.first) || n(law.first) == fixed, "fixed_in_nck",
              {"timings." + standard_.timing_name(law.first)},
              fmt::format("{} of {} cycles, which does not grow with the rate",
                          standard_.timing_name(law.first), n(law.first)),
              fmt::format("{}", fixed));
    }
    at_least("xs", "nXS", n("nRFC"), {"timings.tXS", "timings.tRFC"}, "tXS is shorter than tRFC");
    const auto rrd = known("nRRD_S") ? n("nRRD_S") : n("nRRD");
    if (known("nFAW") && n("nFAW") <= 4 * rrd)
      note("faw_inert", fmt::format("tFAW of {} cycles never acts: four tRRD{} last {}", n("nFAW"),
                                    known("nRRD_S") ? "_S" : "", 4 * rrd));
    in_nanoseconds("nRCD", known("nRCDRD") ? "timings.tRCDRD" : "timings.tRCD", 9, 22);
    in_nanoseconds("nRFC", "timings.tRFC", 90, 600);
  }

  void refresh() {
    if (!known("nREFI") || !known("nRFC") || n("nREFI") == 0) return;
    const double period_ns = memory_.clock.period_s() * 1e9;
    const double interval_ns = static_cast<double>(n("nREFI")) * period_ns;
    const double due = standard_.laws.refresh_interval_ns;
    if (due > 0) {
      require(interval_ns >= kRefreshWindowLeast * due && interval_ns <= kRefreshWindowMost * due,
              "refresh_window", {"timings.tREFI"},
              fmt::format("a refresh interval of {:.5g} ns is not the standard's", interval_ns),
              fmt::format("{} ns up to 85 degrees", due));
    }
    const auto gigabits = static_cast<std::int64_t>(memory_.organisation.device_bits >> 30);
    by_density("nRFC", "rfc_by_density", standard_.laws.refresh_ns_by_gigabits, gigabits);
    by_density("nRFCpb", "rfcpb_by_density", standard_.laws.part_refresh_ns, gigabits);
    const double duty = static_cast<double>(n("nRFC")) / static_cast<double>(n("nREFI"));
    if (duty >= kRefreshDutyMost)
      warn("refresh_duty", fmt::format("refresh takes {:.1f} % of the time", 100 * duty));
  }

  void currents() {
    if (!memory_.currents) {
      warn("no_currents", "no currents of this memory are public: it has no energy");
      return;
    }
    const auto& rails = memory_.currents->rails;
    for (const auto& rail : rails) {
      for (const double current : {rail.i0, rail.i2n, rail.i3n, rail.i4r, rail.i4w, rail.i5,
                                   rail.i6, rail.i2p, rail.i3p}) {
        require(std::isnan(current) || (current >= kLeastAmpere && current <= kMostAmpere),
                "zero_current", {"currents"},
                fmt::format("{:g} mA is no current of a device", 1000 * current),
                "0.1 to 2000 mA; leave an unknown one out");
      }
    }
    const auto& core = rails.front();
    core_rail_ = core.name;
    ordered(core.i2p, core.i2n, "I2P", "I2N");
    ordered(core.i2n, core.i3n, "I2N", "I3N");
    ordered(core.i3p, core.i3n, "I3P", "I3N");
    ordered(core.i3n, core.i4r, "I3N", "I4R");
    ordered(core.i3n, core.i4w, "I3N", "I4W");
    ordered(core.i2n, core.i5, "I2N", "I5");
    activation(core);
    if (known("nREFI") && known("nRFC") && n("nREFI") > 0) {
      // Self refresh contains the average refresh, so I6 < I2N is no law (memory-values.md 3).
      const double most = core.i2n + (core.i5 - core.i2n) * static_cast<double>(n("nRFC")) /
                                         static_cast<double>(n("nREFI"));
      ordered(core.i6, most, "I6", "I2N plus the average refresh");
    }
    for (std::size_t r = 1; r < rails.size(); ++r) {
      const auto& pump = rails[r];
      if (pump.name != "VPP") continue;
      for (const auto& [low, high] :
           {std::pair{pump.i0, core.i0}, {pump.i3n, core.i3n}, {pump.i5, core.i5}}) {
        require(!(low >= kPumpShareMost * high), "ipp_small", {"currents"},
                fmt::format("{:g} mA of a second rail is too much beside {:g} mA", 1000 * low,
                            1000 * high),
                "less than a fifth");
      }
    }
    if (memory_.currents->estimated)
      warn("currents_estimated", "no current table of this part is public: those of " +
                                     memory_.currents->part +
                                     " are used, and every energy from them is an estimate");
  }

  /// A law that the file calls broken and that holds: its entry can go.
  void holding() {
    for (const auto& law : reading_.broken_laws) {
      if (!broken_.contains(law))
        warn("law_holds", fmt::format("broken_laws names {}, which this memory keeps", law));
    }
  }

 private:
  bool known(const std::string& timing) const { return memory_.timings.contains(timing); }
  std::int64_t n(const std::string& timing) const {
    const auto found = memory_.timings.find(timing);
    return found == memory_.timings.end() ? 0 : found->second;
  }

  void require(bool holds, const char* code, const std::vector<std::string>& fields,
               std::string message, std::string expected) {
    if (holds) return;
    const bool is_what_if = std::any_of(fields.begin(), fields.end(), [&](const auto& field) {
      return reading_.overridden.contains(field);
    });
    broken_.insert(code);
    if (is_what_if || reading_.broken_laws.contains(code)) {
      warn(code, message + " (expected " + expected + ")");
      return;
    }
    reading_.refuse(code, fields.front(), 0, std::move(message), std::move(expected));
  }

  void at_least(const char* code, const std::string& timing, std::int64_t least,
                const std::vector<std::string>& fields, const std::string& message) {
    if (!known(timing)) return;
    require(n(timing) >= least, code, fields, fmt::format("{}: {} cycles", message, n(timing)),
            fmt::format("at least {}", least));
  }

  void in_nanoseconds(const std::string& timing, const std::string& field, double least,
                      double most) {
    if (!known(timing)) return;
    const double value = static_cast<double>(n(timing)) * memory_.clock.period_s() * 1e9;
    require(value >= least && value <= most, "range", {field},
            fmt::format("{:.4g} ns is out of the range of DRAM", value),
            fmt::format("{} to {} ns", least, most));
  }

  void by_density(const std::string& timing, const char* code,
                  const std::map<std::int64_t, double>& table, std::int64_t gigabits) {
    const auto row = table.find(gigabits);
    if (row == table.end() || !known(timing)) return;
    const auto ticks = standard_.ticks_per_clock;
    const auto cycles =
        ticks * shortest_time_in_cycles(row->second, memory_.clock.numerator_fs() * ticks,
                                        memory_.clock.denominator(), standard_.rounding);
    const auto name = standard_.timing_name(timing);
    require(n(timing) == cycles, code, {"timings." + name, "organisation.device_gigabits"},
            fmt::format("{} of {} cycles is not that of a {} Gb die", name, n(timing), gigabits),
            fmt::format("{} ns = {} cycles", row->second, cycles));
  }

  void family_count(const std::string& field, const std::vector<std::int64_t>& allowed,
                    std::uint32_t value) {
    require(std::find(allowed.begin(), allowed.end(), value) != allowed.end(), "family_org",
            {field}, fmt::format("{} has no device with {}", standard_.name, value),
            fmt::format("{}", fmt::join(allowed, " or ")));
  }

  void ordered(double low, double high, const std::string& low_name, const std::string& high_name) {
    if (low > high && memory_.currents && memory_.currents->measured) {
      // A mean over parts that were measured obeys no order of guaranteed maxima.
      return warn("current_order", fmt::format("{} of {:g} mA is above {} of {:g} mA, as measured",
                                               low_name, 1000 * low, high_name, 1000 * high));
    }
    require(!(low > high), "current_order",
            {"currents." + core_rail_ + "." + low_name, "currents." + core_rail_ + "." + high_name},
            fmt::format("{} of {:g} mA is above {} of {:g} mA", low_name, 1000 * low, high_name,
                        1000 * high),
            fmt::format("{} below {}", low_name, high_name));
  }

  /// An activation may not give energy back: the loop of I0 contains the standby of its own states.
  void activation(const RailCurrents& core) {
    if (!memory_.currents || !known("nRAS") || !known("nRP")) return;
    const auto ras = static_cast<double>(n("nRAS"));
    const auto rp = static_cast<double>(n("nRP"));
    // Of the standby of open banks one bank has its share (rho = 1: all of it).
    const double rho = memory_.currents->rho;
    const double share = rho + (1 - rho) / memory_.organisation.banks();
    const double open = core.i2n + (core.i3n - core.i2n) * share;
    const double least = (open * ras + core.i2n * rp) / (ras + rp);
    constexpr double kRoundOff = 1e-9;
    if (core.i0 < open - kRoundOff)
      warn("activation_alone",
           "the energy of an activation without its precharge is negative: how "
           "the two share theirs is not known");
    require(
        !(core.i0 < least - kRoundOff), "negative_activation",
        {"currents." + core_rail_ + ".I0", "currents." + core_rail_ + ".I2N",
         "currents." + core_rail_ + ".I3N"},
        fmt::format("I0 of {:g} mA makes the energy of an activation negative", 1000 * core.i0),
        fmt::format("at least {:.5g} mA = (I3N * tRAS + I2N * tRP) / (tRAS + tRP)", 1000 * least));
  }

  void note(std::string code, std::string message) {
    memory_.diagnostics.push_back(
        {std::move(code), base::Severity::note, std::move(message), memory_.name});
  }
  void warn(std::string code, std::string message) {
    memory_.diagnostics.push_back(
        {std::move(code), base::Severity::warning, std::move(message), memory_.name});
  }

  const Standard& standard_;
  MemorySpec& memory_;
  Reading& reading_;
  std::string core_rail_;         ///< the first rail's name
  std::set<std::string> broken_;  ///< laws, whether refused or not
};

}  // namespace

void check_laws(const Standard& standard, double stated_clock_ns, MemorySpec& memory,
                Reading& reading) {
  Laws laws(standard, memory, reading);
  laws.clock(stated_clock_ns);
  laws.organisation();
  laws.timings();
  laws.refresh();
  laws.currents();
  laws.holding();
}

}  // namespace diffram::spec
