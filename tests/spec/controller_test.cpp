// [controller]: what a user may ask for, and what is refused (docs/controller.md).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/describe.h"
#include "spec/shipped.h"

namespace diffram::spec {
namespace {

using testing::HasSubstr;

const std::string k8g = "ddr4-3200-8g-2ch";

base::Result<MemorySpec> with(const Overrides& overrides) {
  return load_memory(shipped_folders(), k8g, overrides);
}

/// The one error of these settings.
base::Error error_of(const Overrides& overrides) {
  const auto memory = with(overrides);
  EXPECT_FALSE(memory);
  if (memory) return {};
  EXPECT_EQ(memory.error().size(), 1u) << all_texts(memory.error());
  return memory.error().front();
}

TEST(ControllerSpec, takes_every_policy) {
  const auto m = with({{"memory.controller.scheduler", "frfcfs-strict"},
                       {"memory.controller.strict_bypass", "2"},
                       {"memory.controller.strict_age", "100"},
                       {"memory.controller.page_policy", "timeout"},
                       {"memory.controller.page_timeout", "70"},
                       {"memory.controller.queue_shape", "per_bank"},
                       {"memory.controller.bank_queue", "3"},
                       {"memory.controller.refresh_postpone", "3"},
                       {"memory.controller.refresh_pull_in", "4"},
                       {"memory.controller.power_down_after", "20"},
                       {"memory.controller.self_refresh_after", "9000"}});
  ASSERT_TRUE(m) << all_texts(m.error());
  const Controller& c = m->controller;
  EXPECT_EQ(c.scheduler, "frfcfs-strict");
  EXPECT_EQ(c.strict_bypass, 2u);
  EXPECT_EQ(c.strict_age, 100u);
  EXPECT_EQ(c.page_policy, PagePolicy::timeout);
  EXPECT_EQ(c.page_timeout, 70u);
  EXPECT_EQ(c.queue_shape, QueueShape::per_bank);
  EXPECT_EQ(c.bank_queue, 3u);
  EXPECT_EQ(c.refresh_postpone, 3u);
  EXPECT_EQ(c.refresh_pull_in, 4u);
  EXPECT_EQ(c.power_down_after, 20u);
  EXPECT_EQ(c.self_refresh_after, 9000u);
}

TEST(ControllerSpec, describe_tells_the_policy_in_words_and_json) {
  const auto m = with({{"controller.page_policy", "timeout"},
                       {"controller.refresh_postpone", "7"},
                       {"controller.self_refresh_after", "9000"}});
  ASSERT_TRUE(m);
  EXPECT_THAT(describe(*m), HasSubstr("timeout page (128 cycles)"));
  EXPECT_THAT(describe(*m), HasSubstr("7 postponed"));
  EXPECT_THAT(describe(*m), HasSubstr("after 9000 idle cycles"));
  EXPECT_THAT(describe_json(*m), HasSubstr("\"self_refresh_after_cycles\": 9000"));
}

TEST(ControllerSpec, names_the_nearest_choice) {
  const auto page = error_of({{"memory.controller.page_policy", "timout"}});
  EXPECT_EQ(page.code, "unknown_choice");
  EXPECT_EQ(page.field, "controller.page_policy");
  EXPECT_EQ(page.expected, "timeout");
  EXPECT_EQ(error_of({{"memory.controller.queue_shape", "perbank"}}).expected, "per_bank");
  const auto key = error_of({{"memory.controller.power_down_aftr", "9"}});
  EXPECT_EQ(key.code, "unknown_key");
  EXPECT_THAT(key.expected, HasSubstr("power_down_after"));
}

// One more is owed while the rank is on its way to the refresh.
TEST(ControllerSpec, refreshes_are_at_most_nine_intervals_apart) {
  EXPECT_EQ(error_of({{"controller.refresh_postpone", "8"}}).code, "out_of_range");
  EXPECT_EQ(error_of({{"controller.refresh_pull_in", "8"}}).code, "out_of_range");
  const auto both =
      error_of({{"controller.refresh_postpone", "4"}, {"controller.refresh_pull_in", "4"}});
  EXPECT_EQ(both.code, "out_of_range");
  EXPECT_EQ(both.expected, "at most 7 together");
  EXPECT_TRUE(with({{"controller.refresh_postpone", "4"}, {"controller.refresh_pull_in", "3"}}));
}

TEST(ControllerSpec, ddr4_has_no_refresh_of_single_banks) {
  const auto error = error_of({{"controller.refresh_scope", "per_bank"}});
  EXPECT_EQ(error.code, "no_such_command");
  EXPECT_THAT(error.message, HasSubstr("DDR4 has no per-bank refresh"));
  EXPECT_EQ(error.expected, "all_bank");
  EXPECT_EQ(error_of({{"controller.refresh_scope", "all_bnk"}}).expected, "all_bank");
  EXPECT_TRUE(with({{"controller.refresh_scope", "all_bank"}}));
}

TEST(ControllerSpec, fine_refresh_comes_more_often_and_ends_sooner) {
  // A 4 Gb die: 260, 160, 110 ns (memory-values.md 3); 7.8 us over the granularity.
  const auto twice = with({{"controller.refresh_granularity", "2"}});
  ASSERT_TRUE(twice) << all_texts(twice.error());
  EXPECT_EQ(twice->timing("nREFI"), 6240);
  EXPECT_EQ(twice->timing("nRFC"), 256);
  const auto four_times = with({{"controller.refresh_granularity", "4"}});
  ASSERT_TRUE(four_times);
  EXPECT_EQ(four_times->timing("nREFI"), 3120);
  EXPECT_EQ(four_times->timing("nRFC"), 176);
  for (const auto& row : four_times->constraints) {
    if (row.before == Command::REFab && row.after == Command::ACT) {
      EXPECT_EQ(row.cycles, 176);
    }
  }
  EXPECT_EQ(error_of({{"controller.refresh_granularity", "3"}}).code, "unknown_choice");
}

TEST(ControllerSpec, groups_fit_into_their_queues) {
  EXPECT_EQ(
      error_of({{"controller.scheduler", "frfcfs-grouped"}, {"controller.group_high", "65"}}).field,
      "controller.group_high");
  EXPECT_EQ(
      error_of({{"controller.scheduler", "frfcfs-grouped"}, {"controller.group_low", "32"}}).field,
      "controller.group_low");
  EXPECT_TRUE(with({{"controller.group_low", "40"}})) << "no scheduler reads it";
}

TEST(ControllerSpec, refresh_without_a_pause_is_refused_even_as_a_what_if) {
  // In ns, as the file states it; tRFC is 260 ns, a burst with its row 88 cycles of 0.625 ns.
  for (const char* interval : {"260", "250", "315"}) {
    const auto error = error_of({{"timings.tREFI", interval}});
    EXPECT_EQ(error.code, "no_time_between_refreshes") << interval;
    EXPECT_EQ(error.field, "timings.tREFI");
  }
  EXPECT_TRUE(with({{"timings.tREFI", "0"}}));
}

TEST(ControllerSpec, data_must_follow_their_command_within_the_reach_of_the_bill) {
  const auto error = error_of({{"timings.tCL", "251"}});
  EXPECT_EQ(error.code, "out_of_range");
  EXPECT_EQ(error.field, "timings.tCL");
  EXPECT_TRUE(with({{"timings.tCL", "250"}}));
}

// User case U08 (DRAMSpec#13): the message names the current and the least value that works.
TEST(CurrentLaw, an_activation_costs_energy) {
  const auto m = memory_with(k8g, "I0 = { value = 57", "I0 = { value = 45");
  ASSERT_FALSE(m);
  ASSERT_EQ(m.error().size(), 1u) << all_texts(m.error());
  EXPECT_EQ(m.error()[0].code, "negative_activation");
  EXPECT_EQ(m.error()[0].field, "currents.VDD.I0");
  // I3N of the open row (energy-and-heat.md 3)
  EXPECT_THAT(m.error()[0].expected, HasSubstr("52 to 2000 mA"));
  EXPECT_TRUE(memory_with(k8g, "I0 = { value = 57", "I0 = { value = 52"));
}

TEST(MapError, names_the_bits_that_depend_on_each_other) {
  const auto error = error_of({{"map.hash", "x"}});
  EXPECT_EQ(error.field, "map.hash");
  const auto map = memory_with(k8g, "\"bg0 ^ ro0\", \"bg1 ^ ro1\"",
                               "\"bg0 ^ ro0\", \"ro0 ^ bg0\", \"bg1 ^ ro1\"");
  ASSERT_FALSE(map);
  EXPECT_THAT(map.error().front().message, HasSubstr("bg0 ^ ro0 is 0 for every address"));
}

}  // namespace
}  // namespace diffram::spec
