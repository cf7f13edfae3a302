#include "spec/laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spec/current_laws.h"
#include "spec/law_book.h"
#include "spec/rounding.h"

namespace diffram::spec {

namespace {

// memory-values.md 6, checks "range", "rate_tck", "refresh_window", "duty".
constexpr double kClockTolerance = 0.002;
constexpr double kRefreshWindowLeast = 0.96, kRefreshWindowMost = 1.0001;
constexpr double kRefreshDutyMost = 0.15;

class Laws {
 public:
  Laws(const Standard& standard, const MemorySpec& memory, LawBook& book)
      : standard_(standard), memory_(memory), book_(book) {}

  void clock(double stated_ns) {
    const double true_ns =
        memory_.clock.period_s() * 1e9 * static_cast<double>(standard_.ticks_per_clock);
    book_.require(
        stated_ns == 0 || std::abs(stated_ns / true_ns - 1) <= kClockTolerance, "rate_tck",
        {"clock_ns", "megatransfers"},
        fmt::format("a clock of {} ns does not go with {} MT/s", stated_ns, memory_.megatransfers),
        fmt::format("{:.6g} ns", true_ns));
    book_.require(true_ns >= 0.2 && true_ns <= 2.5, "range", {"megatransfers"},
                  fmt::format("a clock period of {:.4g} ns is none of a DRAM", true_ns),
                  "0.2 to 2.5 ns");
  }

  void organisation() {
    const auto& o = memory_.organisation;
    const std::uint64_t bits = std::uint64_t{o.banks()} * o.rows * o.row_bytes() * 8 / o.devices();
    book_.require(bits == o.device_bits, "density",
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
      book_.require(!known(law.first) || n(law.first) == fixed, "fixed_in_nck",
                    {"timings." + standard_.timing_name(law.first)},
                    fmt::format("{} of {} cycles, which does not grow with the rate",
                                standard_.timing_name(law.first), n(law.first)),
                    fmt::format("{}", fixed));
    }
    at_least("xs", "nXS", n("nRFC"), {"timings.tXS", "timings.tRFC"}, "tXS is shorter than tRFC");
    const auto rrd = known("nRRD_S") ? n("nRRD_S") : n("nRRD");
    if (known("nFAW") && n("nFAW") <= 4 * rrd)
      book_.note("faw_inert", fmt::format("tFAW of {} cycles never acts: four tRRD{} last {}",
                                          n("nFAW"), known("nRRD_S") ? "_S" : "", 4 * rrd));
    in_nanoseconds("nRCD", known("nRCDRD") ? "timings.tRCDRD" : "timings.tRCD", 9, 22);
    in_nanoseconds("nRFC", "timings.tRFC", 90, 600);
  }

  void refresh() {
    if (!known("nREFI") || !known("nRFC") || n("nREFI") == 0) return;
    const double period_ns = memory_.clock.period_s() * 1e9;
    const double interval_ns = static_cast<double>(n("nREFI")) * period_ns;
    const double due = standard_.laws.refresh_interval_ns;
    if (due > 0) {
      book_.require(
          interval_ns >= kRefreshWindowLeast * due && interval_ns <= kRefreshWindowMost * due,
          "refresh_window", {"timings.tREFI"},
          fmt::format("a refresh interval of {:.5g} ns is not the standard's", interval_ns),
          fmt::format("{} ns up to 85 degrees", due));
    }
    const auto gigabits = static_cast<std::int64_t>(memory_.organisation.device_bits >> 30);
    by_density("nRFC", "rfc_by_density", standard_.laws.refresh_ns_by_gigabits, gigabits);
    by_density("nRFCpb", "rfcpb_by_density", standard_.laws.part_refresh_ns, gigabits);
    const double duty = static_cast<double>(n("nRFC")) / static_cast<double>(n("nREFI"));
    if (duty >= kRefreshDutyMost)
      book_.warn("refresh_duty", fmt::format("refresh takes {:.1f} % of the time", 100 * duty));
  }

 private:
  bool known(const std::string& timing) const { return memory_.timings.contains(timing); }
  std::int64_t n(const std::string& timing) const {
    const auto found = memory_.timings.find(timing);
    return found == memory_.timings.end() ? 0 : found->second;
  }

  void at_least(const char* code, const std::string& timing, std::int64_t least,
                const std::vector<std::string>& fields, const std::string& message) {
    if (!known(timing)) return;
    book_.require(n(timing) >= least, code, fields,
                  fmt::format("{}: {} cycles", message, n(timing)),
                  fmt::format("at least {}", least));
  }

  void in_nanoseconds(const std::string& timing, const std::string& field, double least,
                      double most) {
    if (!known(timing)) return;
    const double value = static_cast<double>(n(timing)) * memory_.clock.period_s() * 1e9;
    book_.require(value >= least && value <= most, "range", {field},
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
    book_.require(
        n(timing) == cycles, code, {"timings." + name, "organisation.device_gigabits"},
        fmt::format("{} of {} cycles is not that of a {} Gb die", name, n(timing), gigabits),
        fmt::format("{} ns = {} cycles", row->second, cycles));
  }

  void family_count(const std::string& field, const std::vector<std::int64_t>& allowed,
                    std::uint32_t value) {
    book_.require(std::find(allowed.begin(), allowed.end(), value) != allowed.end(), "family_org",
                  {field}, fmt::format("{} has no device with {}", standard_.name, value),
                  fmt::format("{}", fmt::join(allowed, " or ")));
  }

  const Standard& standard_;
  const MemorySpec& memory_;
  LawBook& book_;
};

}  // namespace

void check_laws(const Standard& standard, double stated_clock_ns, MemorySpec& memory,
                Reading& reading) {
  LawBook book(memory, reading);
  Laws laws(standard, memory, book);
  laws.clock(stated_clock_ns);
  laws.organisation();
  laws.timings();
  laws.refresh();
  check_current_laws(standard, memory, book);
  book.close();
}

}  // namespace diffram::spec
