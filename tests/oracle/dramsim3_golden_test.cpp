// A model gives every recorded run of DRAMsim3: commands, counters and energies to the last bit.
// `dramsim3_report` says the same from the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "oracle/dramsim3_compare.h"
#include "oracle/dramsim3_engine.h"

namespace diffram::oracle::dramsim3 {
namespace {

class recorded_dramsim3 : public testing::TestWithParam<CaseSet> {};

TEST_P(recorded_dramsim3, naive_model_is_equal) {
  const auto& set = GetParam();
  Traces traces(set);
  for (const auto& one : read_cases(set)) {
    const auto* trace = traces.find(one.trace_name);
    if (trace == nullptr) GTEST_SKIP() << "skipped: not distributed";
    EXPECT_EQ(difference(one, run_naive(one.ini, *trace, one.cycles)), "") << one.name;
    if (HasFailure()) return;
  }
}

TEST_P(recorded_dramsim3, engine_is_equal) {
  const auto& set = GetParam();
  Traces traces(set);
  for (const auto& one : read_cases(set)) {
    const auto* trace = traces.find(one.trace_name);
    if (trace == nullptr) GTEST_SKIP() << "skipped: not distributed";
    EXPECT_EQ(difference(one, run_engine(one.ini, *trace, one.cycles)), "") << one.name;
    if (HasFailure()) return;
  }
}

// A digest that were not computed, or a figure that were not compared, would let all of it pass.
TEST(recorded_dramsim3_harness, sees_another_command_figure_and_trace_end) {
  const auto& set = kCaseSets[1];
  const auto one = read_cases(set).front();
  Traces traces(set);
  const auto& trace = *traces.find(one.trace_name);
  const auto good = run_naive(one.ini, trace, one.cycles);
  ASSERT_EQ(difference(one, good), "");

  auto changed = good;
  changed.channels.back().log.back() = '7';
  EXPECT_THAT(difference(one, changed), testing::HasSubstr("another command log"));
  for (const auto& [name, value] : one.channels[0].figures) {
    changed = good;
    changed.channels[0].figures.erase(name);
    EXPECT_THAT(difference(one, changed), testing::HasSubstr(name + " is missing"));
  }
  changed = good;
  changed.channels[0].figures["refb_energy"] =
      -std::get<double>(good.channels[0].figures.at("refb_energy"));
  EXPECT_THAT(difference(one, changed), testing::HasSubstr("refb_energy"));
  EXPECT_NE(difference(one, run_naive(one.ini, trace + "\n", one.cycles)), "");
}

TEST(sha256, of_the_empty_text_and_of_abc_is_as_in_FIPS_180) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

INSTANTIATE_TEST_SUITE_P(runs, recorded_dramsim3, testing::ValuesIn(kCaseSets),
                         [](const auto& set) { return std::string(set.param.name); });

}  // namespace
}  // namespace diffram::oracle::dramsim3
