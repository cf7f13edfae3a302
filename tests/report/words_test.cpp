// One test a sentence: what it says with all its figures, and that it is not printed without one.

#include "report/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace diffram::report::words {
namespace {

std::string plain(const Sentence& sentence) {
  if (!sentence) return "(not printed)";
  std::string text = *sentence;
  for (const char* space : {"\u00a0", "\u202f"})
    for (std::size_t at = text.find(space); at != std::string::npos; at = text.find(space))
      text.replace(at, std::string(space).size(), " ");
  return text;
}

constexpr const char* kNotPrinted = "(not printed)";

TEST(Words, memory_is_the_limit_names_who_waits) {
  EXPECT_EQ(plain(memory_is_the_limit(0.85, std::nullopt,
                                      WhoWaits{"five self-attention layers", 0.66, true})),
            "Memory is the limit: 85 % of the run is spent waiting for DRAM, and five "
            "self-attention layers cause 66 % of that wait.");
  EXPECT_EQ(plain(memory_is_the_limit(0.85, 28.2, std::nullopt)),
            "Memory is the limit: 85 % of 28.2 s is spent waiting for DRAM.");
  EXPECT_EQ(plain(memory_is_the_limit(0, 28.2, std::nullopt)), kNotPrinted);
}

TEST(Words, memory_is_not_the_limit_bounds_what_a_faster_one_saves) {
  EXPECT_EQ(plain(memory_is_not_the_limit(0.04, 28.4)),
            "Memory is not the limit: the machine waits for DRAM 4.0 % of the time. A faster "
            "memory would save at most 1.14 s of 28.4 s.");
  EXPECT_EQ(plain(memory_is_not_the_limit(0.04, std::nullopt)), kNotPrinted);
}

TEST(Words, a_trace_ran_at_a_rate_of_its_peak) {
  EXPECT_EQ(plain(trace_ran_at(30.7e9, 51.2e9, "row openings")),
            "The trace ran at 30.7 GB/s of 51.2 GB/s; row openings take most of the rest.");
  EXPECT_EQ(plain(trace_ran_at(30.7e9, 51.2e9, "refresh")),
            "The trace ran at 30.7 GB/s of 51.2 GB/s; refresh takes most of the rest.");
  EXPECT_EQ(plain(trace_ran_at(30.7e9, 0, "refresh")), kNotPrinted);
}

TEST(Words, what_does_not_fit_says_by_how_much) {
  EXPECT_EQ(plain(does_not_fit(26736179610, 17179869184)),
            "This run does not fit: it needs 24.9 GiB, the memory holds 16.0 GiB.");
  EXPECT_EQ(plain(does_not_fit(1, 17179869184)), kNotPrinted);
}

TEST(Words, who_takes_the_time) {
  EXPECT_EQ(plain(who_takes_the_time("attn1.softmax", "down 0, up 3", 5, 8.9, 0.32, 0.97)),
            "`attn1.softmax` in five places (down 0, up 3) takes 32 % of the run and waits for "
            "DRAM 97 % of that time.");
  EXPECT_EQ(plain(who_takes_the_time("", "", 1, 8.9, 0.32, 0.97)), kNotPrinted);
}

TEST(Words, who_evicts_whom) {
  EXPECT_EQ(plain(who_evicts_whom("softmax output", "softmax input", 1.71, 0.061)),
            "`softmax output` closes the rows that `softmax input` still needs. That costs "
            "1.71 s, 6.1 % of the run.");
  EXPECT_EQ(plain(who_evicts_whom("conv weight", "conv weight", 1.71, 0.061)),
            "`conv weight` closes rows that it needs again itself. That costs 1.71 s, 6.1 % of "
            "the run.");
  EXPECT_EQ(plain(who_evicts_whom("a", "b", 0, 0)), kNotPrinted);
}

TEST(Words, repeated_loads) {
  EXPECT_EQ(plain(repeated_loads("conv1.weight", 4, 8850000000, 0.014)),
            "`conv1.weight` is read 4.00 times without a write in between: 8.85 GB again, 1.4 % "
            "of all reads.");
  EXPECT_EQ(plain(repeated_loads("conv1.weight", 1, 8850000000, 0.014)), kNotPrinted);
}

TEST(Words, the_optimizer_step) {
  EXPECT_EQ(plain(optimizer_step(0.28, 0.99, 24100000000)),
            "The optimizer step takes 28 % of the time and waits for DRAM 99 % of it: it moves "
            "24.1 GB.");
  EXPECT_EQ(plain(optimizer_step(0, 0.99, 24100000000)), kNotPrinted);
}

TEST(Words, refresh_and_idle_background) {
  EXPECT_EQ(plain(refresh_and_idle(11.8, 47.1)),
            "Refresh and idle background take 11.8 J of 47.1 J; no tensor can save them, a "
            "shorter run can.");
  EXPECT_EQ(plain(refresh_and_idle(0, 47.1)), kNotPrinted);
}

TEST(Words, banks_that_take_the_conflicts) {
  EXPECT_EQ(plain(bank_spread(11, 16, 0.93)), "Eleven of 16 banks take 93 % of the conflicts.");
  EXPECT_EQ(plain(bank_spread(15, 16, 0.94)),
            "Row conflicts are spread over the banks: 15 of 16 take 94 % of them.");
  EXPECT_EQ(plain(bank_spread(0, 16, 0.93)), kNotPrinted);
}

TEST(Words, where_the_time_goes) {
  EXPECT_EQ(plain(where_the_time_goes(0.63, "row openings", "bus turnarounds")),
            "The channels move data for 63 % of the time. Row openings and bus turnarounds take "
            "most of the rest.");
  EXPECT_EQ(plain(where_the_time_goes(0.63, "", "")), kNotPrinted);
}

TEST(Words, where_the_energy_goes) {
  EXPECT_EQ(plain(where_the_energy_goes("activation", 31.9, 47.1, 11.8)),
            "Activation tensors take 31.9 J of 47.1 J. Refresh and idle background take 11.8 J.");
  EXPECT_EQ(plain(where_the_energy_goes("", 31.9, 47.1, 11.8)), kNotPrinted);
}

TEST(Words, what_was_simulated) {
  EXPECT_EQ(plain(what_was_simulated(1, 0)), "Every byte was simulated, request by request.");
  EXPECT_EQ(plain(what_was_simulated(0.045, 0.004)),
            "4.5 % of the bytes were simulated request by request; the rest repeats them, within "
            "0.4 %.");
  EXPECT_EQ(plain(what_was_simulated(0, 0)), kNotPrinted);
}

TEST(Words, the_longest_verdict_has_at_most_thirty_words) {
  const Sentence longest[] = {
      memory_is_the_limit(0.85, 28.2, WhoWaits{"twelve cross-attention layers", 0.66, true}),
      memory_is_not_the_limit(0.04, 28.4), does_not_fit(26736179610, 17179869184),
      trace_ran_at(30.7e9, 51.2e9, "bus turnarounds")};
  for (const Sentence& sentence : longest) {
    ASSERT_TRUE(sentence);
    EXPECT_LE(word_count(*sentence), 30u) << *sentence;
  }
}

TEST(Words, how_hot_the_hottest_die_gets_and_how_far_from_its_limit) {
  EXPECT_EQ(plain(hottest_die(71.2, "case", 95, 16.3)),
            "The hottest die reaches 71.2 °C if this load lasts; its case is 16.3 K below the "
            "95.0 °C that the standard allows.");
  EXPECT_EQ(plain(hottest_die(107, "die", 105, -2)),
            "The hottest die reaches 107.0 °C if this load lasts; that is 2.0 K above the 105.0 °C "
            "that the standard allows.");
  EXPECT_EQ(plain(hottest_die(71.2, "case", 0, std::nullopt)),
            "The hottest die reaches 71.2 °C if this load lasts.");
  EXPECT_EQ(plain(hottest_die(std::nan(""), "case", 0, std::nullopt)), kNotPrinted);
}

TEST(Words, too_hot_is_said_above_the_limit_only) {
  EXPECT_EQ(plain(too_hot(97, "case", 95)),
            "If this load lasts, the case is 2.0 K hotter than the 95.0 °C that the standard "
            "allows.");
  EXPECT_EQ(plain(too_hot(95, "case", 95)), kNotPrinted);
  EXPECT_EQ(plain(too_hot(97, "case", 0)), kNotPrinted);
}

}  // namespace
}  // namespace diffram::report::words
