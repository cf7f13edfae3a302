#include "report/words.h"

#include <fmt/format.h>

#include <cmath>

#include "report/number_format.h"

namespace diffram::report::words {
namespace {

std::string percent(double share) { return share_figure(share).text(); }
std::string duration(double seconds) { return seconds_figure(seconds).text(); }

/// Identifiers stand in back quotes: code type on the page, nothing in the terminal.
std::string code(const std::string& name) { return "`" + name + "`"; }

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

Sentence memory_is_the_limit(double wait_share, std::optional<double> run_seconds,
                             const std::optional<WhoWaits>& who) {
  if (!(wait_share > 0)) return std::nullopt;
  const std::string of =
      run_seconds ? fmt::format("{} of {} is", percent(wait_share), duration(*run_seconds))
                  : fmt::format("{} of the run is", percent(wait_share));
  if (!who || who->who.empty())
    return fmt::format("Memory is the limit: {} spent waiting for DRAM.", of);
  return fmt::format("Memory is the limit: {} spent waiting for DRAM, and {} {} {} of that wait.",
                     of, who->who, who->is_plural ? "cause" : "causes", percent(who->share));
}

Sentence memory_is_not_the_limit(double wait_share, std::optional<double> run_seconds) {
  if (!run_seconds) return std::nullopt;
  return fmt::format(
      "Memory is not the limit: the machine waits for DRAM {} of the time. A faster memory would "
      "save at most {} of {}.",
      percent(wait_share), duration(wait_share * *run_seconds), duration(*run_seconds));
}

Sentence trace_ran_at(double bytes_per_second, double peak_bytes_per_s,
                      const std::string& lost_to) {
  if (!(bytes_per_second > 0) || !(peak_bytes_per_s > 0)) return std::nullopt;
  const std::string rate =
      fmt::format("The trace ran at {} of {}", rate_figure(bytes_per_second).text(),
                  rate_figure(peak_bytes_per_s).text());
  if (lost_to.empty()) return rate + ".";
  return fmt::format("{}; {} take{} most of the rest.", rate, lost_to,
                     lost_to.back() == 's' ? "" : "s");
}

Sentence does_not_fit(std::int64_t needed_bytes, std::int64_t capacity_bytes) {
  if (needed_bytes <= 0 || capacity_bytes <= 0 || needed_bytes <= capacity_bytes)
    return std::nullopt;
  return fmt::format("This run does not fit: it needs {}, the memory holds {}.",
                     capacity_figure(static_cast<double>(needed_bytes)).text(),
                     capacity_figure(static_cast<double>(capacity_bytes)).text());
}

Sentence who_takes_the_time(const std::string& label, const std::string& where, std::int64_t places,
                            double seconds, double share, double wait_share) {
  if (label.empty() || !(seconds > 0)) return std::nullopt;
  const std::string subject =
      places > 1 ? fmt::format("{} in {} places ({})", code(label), counted(places), where)
                 : fmt::format("{} ({})", code(label), where);
  return fmt::format("{} takes {} of the run and waits for DRAM {} of that time.", subject,
                     percent(share), percent(wait_share));
}

Sentence who_evicts_whom(const std::string& culprit, const std::string& victim, double seconds,
                         double share) {
  if (culprit.empty() || victim.empty() || !(seconds > 0)) return std::nullopt;
  if (culprit == victim) return evicts_itself(victim, seconds, share);
  return fmt::format("{} closes the rows that {} still needs. That costs {}, {} of the run.",
                     code(culprit), code(victim), duration(seconds), percent(share));
}

Sentence evicts_itself(const std::string& operand, double seconds, double share) {
  if (operand.empty() || !(seconds > 0)) return std::nullopt;
  return fmt::format("{} closes rows that it needs again itself. That costs {}, {} of the run.",
                     code(operand), duration(seconds), percent(share));
}

Sentence repeated_loads(const std::string& tensor, double loads, std::int64_t bytes_again,
                        double share_of_reads) {
  if (tensor.empty() || bytes_again <= 0 || !(loads > 1)) return std::nullopt;
  return fmt::format("{} is read {} times without a write in between: {} again, {} of all reads.",
                     code(tensor), three_digits(loads),
                     bytes_figure(static_cast<double>(bytes_again)).text(),
                     percent(share_of_reads));
}

Sentence optimizer_step(double share, double wait_share, std::int64_t bytes) {
  if (!(share > 0) || bytes <= 0) return std::nullopt;
  return fmt::format(
      "The optimizer step takes {} of the time and waits for DRAM {} of it: it moves {}.",
      percent(share), percent(wait_share), bytes_figure(static_cast<double>(bytes)).text());
}

Sentence hottest_die(double celsius, const std::string& measured_at, double limit,
                     std::optional<double> margin) {
  if (std::isnan(celsius)) return std::nullopt;
  const std::string first =
      fmt::format("The hottest die reaches {} if this load lasts", celsius_figure(celsius).text());
  if (!margin) return first + ".";
  return fmt::format("{}; {} is {} {} the {} that the standard allows.", first,
                     measured_at == "die" ? "that" : "its " + measured_at,
                     kelvin_figure(std::abs(*margin)).text(), *margin < 0 ? "above" : "below",
                     celsius_figure(limit).text());
}

Sentence too_hot(double measured, const std::string& measured_at, double limit) {
  if (measured_at.empty() || !(limit > 0) || !(measured > limit)) return std::nullopt;
  return fmt::format(
      "If this load lasts, the {} is {} hotter than the {} that the standard allows.", measured_at,
      kelvin_figure(measured - limit).text(), celsius_figure(limit).text());
}

Sentence refresh_and_idle(double joules, double total_joules) {
  if (!(joules > 0) || !(total_joules > 0)) return std::nullopt;
  return fmt::format(
      "Refresh and idle background take {} of {}; no tensor can save them, a shorter run can.",
      energy_figure(joules).text(), energy_figure(total_joules).text());
}

Sentence bank_spread(std::int64_t busy_banks, std::int64_t banks, double share) {
  if (busy_banks <= 0 || banks <= 0 || !(share > 0)) return std::nullopt;
  // Nine tenths in almost all of the banks is no finding: say so.
  if (busy_banks * 5 > banks * 4)
    return fmt::format("Row conflicts are spread over the banks: {} of {} take {} of them.",
                       counted(busy_banks), counted(banks), percent(share));
  return fmt::format("{} of {} banks take {} of the conflicts.", capitalised(counted(busy_banks)),
                     counted(banks), percent(share));
}

Sentence where_the_time_goes(double moving_share, const std::string& first,
                             const std::string& second) {
  if (!(moving_share > 0) || first.empty()) return std::nullopt;
  const std::string moving =
      fmt::format("The channels move data for {} of the time.", percent(moving_share));
  if (second.empty())
    return fmt::format("{} {} take{} the rest.", moving, capitalised(first),
                       first.back() == 's' ? "" : "s");
  return fmt::format("{} {} and {} take most of the rest.", moving, capitalised(first), second);
}

Sentence where_the_energy_goes(const std::string& tensor_class, double class_joules,
                               double total_joules, double shared_joules) {
  if (tensor_class.empty() || !(class_joules > 0) || !(total_joules > 0)) return std::nullopt;
  std::string first =
      fmt::format("{} tensors take {} of {}.", capitalised(tensor_class),
                  energy_figure(class_joules).text(), energy_figure(total_joules).text());
  if (!(shared_joules > 0)) return first;
  return fmt::format("{} Refresh and idle background take {}.", first,
                     energy_figure(shared_joules).text());
}

Sentence what_was_simulated(double simulated_share, double bound) {
  if (!(simulated_share > 0)) return std::nullopt;
  if (simulated_share >= 1) return "Every byte was simulated, request by request.";
  const std::string share = percent(simulated_share);
  if (!(bound > 0))
    return fmt::format("{} of the bytes were simulated request by request; the rest repeats them.",
                       share);
  return fmt::format(
      "{} of the bytes were simulated request by request; the rest repeats them, within {}.", share,
      percent(bound));
}

std::size_t word_count(const std::string& sentence) {
  std::size_t words = 0;
  bool is_inside = false;
  for (const char c : sentence) {
    if (c == ' ' || c == '\n') {
      is_inside = false;
    } else if (!is_inside) {
      is_inside = true;
      ++words;
    }
  }
  return words;
}

}  // namespace diffram::report::words
