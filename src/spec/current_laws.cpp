#include "spec/current_laws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace diffram::spec {

namespace {

// memory-values.md 6, checks "zero_current" and "ipp_small".
constexpr double kLeastAmpere = 0.0001, kMostAmpere = 2.0;
constexpr double kPumpShareMost = 0.2;
// Self refresh of LPDDR4 draws a 54th of its standby; a slip of units makes it a thousandth.
constexpr double kRestShareLeast = 200;
// Relative: what is lost of a sum of doubles.
constexpr double kRoundOff = 1e-9;

using Current = double RailCurrents::*;
struct Named {
  const char* name;
  Current current;
};
constexpr Named kI0{"I0", &RailCurrents::i0}, kI2N{"I2N", &RailCurrents::i2n},
    kI2P{"I2P", &RailCurrents::i2p}, kI3N{"I3N", &RailCurrents::i3n},
    kI3P{"I3P", &RailCurrents::i3p}, kI4R{"I4R", &RailCurrents::i4r},
    kI4W{"I4W", &RailCurrents::i4w}, kI5{"I5", &RailCurrents::i5}, kI6{"I6", &RailCurrents::i6};

class CurrentLaws {
 public:
  CurrentLaws(const Standard& standard, const MemorySpec& memory, LawBook& book)
      : standard_(standard), memory_(memory), currents_(*memory.currents), book_(book) {}

  void rails() {
    for (const std::string& name : standard_.current_loops.rails) {
      const bool is_stated =
          std::any_of(currents_.rails.begin(), currents_.rails.end(),
                      [&](const RailCurrents& rail) { return rail.name == name; });
      const auto& unknown = currents_.unknown_rails;
      book_.require(
          is_stated || std::find(unknown.begin(), unknown.end(), name) != unknown.end(),
          "missing_rail", {"currents." + name},
          fmt::format("the core of {} draws from {} too", standard_.name, name),
          fmt::format("[currents.{0}], or unknown_rails = [\"{0}\"] and an energy without it",
                      name));
    }
    if (!currents_.unknown_rails.empty())
      book_.warn("rails_unknown",
                 fmt::format("energy is that of {} alone: of {} too few currents are public",
                             fmt::join(rail_names(), " and "),
                             fmt::join(currents_.unknown_rails, " and ")));
  }

  void ranges() {
    for (const RailCurrents& rail : currents_.rails) {
      const auto plausible = [&](const char* name, double current) {
        book_.require(std::isnan(current) || (current >= kLeastAmpere && current <= kMostAmpere),
                      "zero_current", {field(rail, name)},
                      fmt::format("{:g} mA is no current of a device", 1000 * current),
                      "0.1 to 2000 mA; leave an unknown one out");
      };
      for (const Named& each : {kI0, kI2N, kI2P, kI3N, kI3P, kI4R, kI4W, kI5, kI6})
        plausible(each.name, rail.*each.current);
      plausible("IBeta", rail.i_beta);
      plausible("I5F2", rail.i5_2x);
      plausible("I5F4", rail.i5_4x);
      plausible("I6DS", rail.i6_deep);
      plausible(standard_.current_loops.part_refresh.c_str(), rail.i5_part);
      for (const auto& [asleep, awake] : {std::pair{kI2P, kI2N}, {kI3P, kI3N}, {kI6, kI2N}})
        not_far_below(rail, asleep, awake);
    }
  }

  void order() {
    ordered(kI2P, kI2N);
    ordered(kI2N, kI3N);
    ordered(kI3P, kI3N);
    ordered(kI3N, kI4R);
    ordered(kI3N, kI4W);
    ordered(kI2N, kI5);
    self_refresh();
  }

  /// No event may give energy back: a loop contains the standby of its own states.
  void events() {
    const double ras = n("nRAS"), rp = n("nRP");
    const double open_row = watts([&](const RailCurrents& r) { return standby(r).with(1); });
    const double row =
        watts([&](const RailCurrents& r) { return (r.i0 * (ras + rp) - r.i_beta * rp) / ras; }) -
        open_row;
    const double precharge = power({"IBeta", &RailCurrents::i_beta}) - power(kI2N);
    const double standby_of_loop = (open_row * ras + power(kI2N) * rp) / (ras + rp);
    const bool is_negative = row < -kRoundOff * open_row;
    if (standard_.current_loops.splits_activation) {
      negative(!is_negative, "negative_activation", kI0,
               "makes the energy of an activation negative", open_row - precharge_excess(rp, ras),
               "the standby of its open row");
    } else {
      if (is_negative)
        book_.warn("activation_alone",
                   "the energy of an activation without its precharge is negative: how the two "
                   "share theirs is not known");
      negative(!(row * ras + precharge * rp < -kRoundOff * open_row * ras), "negative_activation",
               kI0, "makes the energy of an activation and its precharge negative", standby_of_loop,
               "the standby of its loop");
    }
    negative(!(precharge < -kRoundOff * open_row), "negative_energy", kI0,
             "makes the energy of a precharge negative", power(kI2N), "I2N");
    const double columns = watts([&](const RailCurrents& r) {
      return standby(r).with(open_banks(standard_.current_loops.columns, banks()));
    });
    for (const Named& each : {kI4R, kI4W})
      negative(!(power(each) < columns * (1 - kRoundOff)), "negative_energy", each,
               "makes the energy of a burst negative", columns, "the standby of its loop");
    const double all_open = watts([&](const RailCurrents& r) { return standby(r).with(banks()); });
    negative(!(power(kI5) < all_open * (1 - kRoundOff)), "negative_energy", kI5,
             "makes the energy of a refresh negative", all_open, "the standby of all banks open");
    part_refresh();
  }

  void pump() {
    const auto& core = currents_.rails.front();
    for (const RailCurrents& rail : currents_.rails) {
      if (rail.name != "VPP") continue;
      for (const Named& each : {kI0, kI3N, kI5}) {
        const double low = rail.*each.current, high = core.*each.current;
        book_.require(
            !(low >= kPumpShareMost * high), "ipp_small", {field(rail, each.name)},
            fmt::format("{:g} mA of a second rail is too much beside {:g} mA", 1000 * low,
                        1000 * high),
            fmt::format("less than a fifth: 0.1 to {:.4g} mA", 1000 * kPumpShareMost * high));
      }
    }
  }

 private:
  double n(const char* timing) const {
    const auto found = memory_.timings.find(timing);
    return found == memory_.timings.end() ? 0 : found->second;
  }
  double banks() const { return memory_.organisation.banks(); }
  static std::string field(const RailCurrents& rail, const std::string& name) {
    return "currents." + rail.name + "." + name;
  }
  std::vector<std::string> rail_names() const {
    std::vector<std::string> names;
    names.reserve(currents_.rails.size());
    for (const RailCurrents& rail : currents_.rails) names.push_back(rail.name);
    return names;
  }
  StandbyCurrents standby(const RailCurrents& rail) const {
    return standby_currents(rail, currents_.rho, standard_.current_loops.standby, banks());
  }
  /// Of a device, all rails; NaN = not known.
  template <class Of>
  double watts(Of&& of) const {
    double sum = 0;
    for (const RailCurrents& rail : currents_.rails) sum += rail.volts * of(rail);
    return sum;
  }
  double power(const Named& of) const {
    return watts([&](const RailCurrents& rail) { return rail.*of.current; });
  }
  /// What a precharge longer or shorter than the loop's own moves between ACT and PRE.
  double precharge_excess(double rp, double ras) const {
    return (power(kI0) - power({"IBeta", &RailCurrents::i_beta})) * rp / ras;
  }

  /// A state of rest may draw little, and not next to nothing: an ampere taken for a milliampere.
  void not_far_below(const RailCurrents& rail, const Named& asleep, const Named& awake) {
    const double low = rail.*asleep.current, high = rail.*awake.current;
    book_.require(!(low < high / kRestShareLeast), "zero_current",
                  {field(rail, asleep.name), field(rail, awake.name)},
                  fmt::format("{} of {:g} mA is next to nothing beside {} of {:g} mA", asleep.name,
                              1000 * low, awake.name, 1000 * high),
                  fmt::format("{:.3g} to {:g} mA", std::max(0.1, 1000 * high / kRestShareLeast),
                              1000 * high));
  }

  void ordered(const Named& low, const Named& high) {
    not_above(low, power(low), high.name, power(high), high.current);
  }

  // Self refresh contains the average refresh, so I6 < I2N is no law (memory-values.md 3).
  void self_refresh() {
    if (n("nREFI") == 0 || n("nRFC") == 0) return;
    const double most = power(kI2N) + (power(kI5) - power(kI2N)) * n("nRFC") / n("nREFI");
    not_above(kI6, power(kI6), "I2N plus the average refresh", most, kI2N.current);
  }

  void not_above(const Named& low, double low_power, const std::string& high_name,
                 double high_power, Current high) {
    if (!(low_power > high_power * (1 + kRoundOff))) return;
    // The rail to name: the one that exceeds by most.
    const auto excess = [&](const RailCurrents& r) { return r.volts * (r.*low.current - r.*high); };
    const RailCurrents& rail =
        *std::max_element(currents_.rails.begin(), currents_.rails.end(),
                          [&](const auto& a, const auto& b) { return excess(a) < excess(b); });
    const double most = rail.*low.current - (low_power - high_power) / rail.volts;
    const auto message =
        fmt::format("{} of {:g} mA is above {}: {:.4g} mW against {:.4g} mW", low.name,
                    1000 * rail.*low.current, high_name, 1000 * low_power, 1000 * high_power);
    // A mean over parts that were measured obeys no order of guaranteed maxima.
    if (currents_.measured) return book_.warn("current_order", message + ", as measured");
    book_.require(
        false, "current_order", {field(rail, low.name), field(rail, high_name)}, message,
        fmt::format("0.1 to {:.4g} mA, or a higher {}", std::max(0.1, 1000 * most), high_name));
  }

  void negative(bool holds, const char* code, const Named& what, const std::string& does,
                double least_power, const char* least_name) {
    const RailCurrents& core = currents_.rails.front();
    const double least = core.*what.current + (least_power - power(what)) / core.volts;
    book_.require(holds, code, {field(core, what.name), field(core, "I2N"), field(core, "I3N")},
                  fmt::format("{} of {:g} mA {}", what.name, 1000 * core.*what.current, does),
                  fmt::format("{:.5g} to 2000 mA: no less than {}", 1000 * least, least_name));
  }

  void part_refresh() {
    const CurrentLoops& loops = standard_.current_loops;
    const double lasts = n("nRFCpb");
    if (loops.part_refresh.empty() || lasts == 0) return;
    const auto& o = memory_.organisation;
    const double together = o.banks() / (groups_refreshed_apart(o, standard_.refresh_unit) *
                                         static_cast<double>(o.banks_per_group));
    const double above = watts([&](const RailCurrents& r) {
      const double burst =
          loops.part_refreshes == 0
              ? r.i5_part
              : burst_current(r.i5_part, r.i2n, n("nREFI") / loops.part_refreshes, lasts);
      return burst - standby(r).with(together);
    });
    const RailCurrents& core = currents_.rails.front();
    const double share =
        loops.part_refreshes == 0 ? 1 : lasts * loops.part_refreshes / std::max(1.0, n("nREFI"));
    const auto name = loops.part_refresh;
    book_.require(
        !(above < 0), "negative_energy", {field(core, name)},
        fmt::format("{} of {:g} mA makes the energy of a refresh of some banks negative", name,
                    1000 * core.i5_part),
        fmt::format("{:.5g} to 2000 mA", 1000 * (core.i5_part - above * share / core.volts)));
  }

  const Standard& standard_;
  const MemorySpec& memory_;
  const Currents& currents_;
  LawBook& book_;
};

}  // namespace

void check_current_laws(const Standard& standard, const MemorySpec& memory, LawBook& book) {
  if (!memory.currents) {
    book.warn("no_currents", memory.event_energies
                                 ? "no currents of this memory are public: its energy is a figure "
                                   "per bit, standby and refresh are not told apart"
                                 : "no currents of this memory are public: it has no energy");
    return;
  }
  CurrentLaws laws(standard, memory, book);
  laws.rails();
  laws.ranges();
  if (memory.currents->rails.empty()) return;
  laws.order();
  laws.events();
  laws.pump();
  if (memory.currents->estimated)
    book.warn("currents_estimated", "no current table of this part is public: those of " +
                                        memory.currents->part +
                                        " are used, and every energy from them is an estimate");
}

}  // namespace diffram::spec
