#pragma once
// Every sentence that states a result (report-design 6), one function each. A sentence with a
// missing figure is not printed: the function then gives nothing.

#include <cstdint>
#include <optional>
#include <string>

namespace diffram::report::words {

using Sentence = std::optional<std::string>;

/// Who causes most of the wait: "five self-attention layers", 0.66.
struct WhoWaits {
  std::string who;
  double share = 0;
  bool is_plural = false;
};

Sentence memory_is_the_limit(double wait_share, std::optional<double> run_seconds,
                             const std::optional<WhoWaits>& who);
Sentence memory_is_not_the_limit(double wait_share, std::optional<double> run_seconds);
/// A run without a machine model: a trace of requests, or a single op.
Sentence trace_ran_at(double bytes_per_second, double peak_bytes_per_s, const std::string& lost_to);
Sentence does_not_fit(std::int64_t needed_bytes, std::int64_t capacity_bytes);

Sentence who_takes_the_time(const std::string& label, const std::string& where, std::int64_t places,
                            double seconds, double share, double wait_share);
Sentence who_evicts_whom(const std::string& culprit, const std::string& victim, double seconds,
                         double share);
Sentence evicts_itself(const std::string& operand, double seconds, double share);
Sentence repeated_loads(const std::string& tensor, double loads, std::int64_t bytes_again,
                        double share_of_reads);
Sentence optimizer_step(double share, double wait_share, std::int64_t bytes_read_and_written);
/// How hot the hottest die gets if the load lasts, and how far from the limit it is where that is
/// measured ("case", "die", "stack"); no `margin`: the standard states no limit.
Sentence hottest_die(double celsius, const std::string& measured_at, double limit,
                     std::optional<double> margin);
/// Only above the limit.
Sentence too_hot(double measured, const std::string& measured_at, double limit);
Sentence refresh_and_idle(double joules, double total_joules);
Sentence bank_spread(std::int64_t busy_banks, std::int64_t banks, double share);

/// Headlines of the parts.
Sentence where_the_time_goes(double moving_share, const std::string& first,
                             const std::string& second);
Sentence where_the_energy_goes(const std::string& tensor_class, double class_joules,
                               double total_joules, double shared_joules);
Sentence what_was_simulated(double simulated_share, double bound);

/// Words of a sentence, counted as a reader counts them ("85 %" is one).
std::size_t word_count(const std::string& sentence);

}  // namespace diffram::report::words
