// Power over time: the energy of epochs, and what is said about epochs that show what is not there.

#include "physics/power_over_time.h"

#include <gtest/gtest.h>

#include "physics/core_energy.h"

namespace diffram::physics {
namespace {

spec::MemorySpec memory() {
  auto loaded = spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, "ddr4-3200-8g-2ch");
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return std::move(*loaded);
}

/// One bank of one rank that was busy with so many bursts in so many cycles.
ledger::Epoch epoch(std::int64_t begin, std::int64_t cycles, std::int64_t bursts) {
  base::ChannelCounters channel;
  channel.cycles = cycles;
  channel.banks = {{.act = bursts, .pre = bursts, .rd = bursts, .refresh = 1}};
  channel.banks[0].open_cycles = cycles / 2;
  channel.ranks = {{.any_open_cycles = cycles / 2, .closed_cycles = cycles - cycles / 2}};
  return {begin, cycles, {channel}};
}

ledger::RunRecord run_of(const std::vector<ledger::Epoch>& epochs, std::int64_t weight = 1) {
  ledger::RunRecord run;
  for (const ledger::Epoch& each : epochs) {
    ledger::StepRecord& record = run.records.emplace_back();
    record.weight = weight;
    record.cycles = each.cycles;
    record.channels = each.channels;
  }
  add_energy(memory(), run);
  run.diagnostics.clear();
  return run;
}

std::vector<std::string> codes(const ledger::RunRecord& run) {
  std::vector<std::string> all;
  for (const auto& diagnostic : run.diagnostics) all.push_back(diagnostic.code);
  return all;
}

using Codes = std::vector<std::string>;

TEST(PowerOverTime, samples_add_up_to_the_energy) {
  const std::int64_t interval = memory().timing("nREFI");
  const std::vector<ledger::Epoch> epochs = {
      epoch(0, 20 * interval, 5000), epoch(20 * interval, 20 * interval, 0),
      epoch(40 * interval, 3 * interval, 70)};  // the run ends in the last
  ledger::RunRecord run = run_of(epochs);
  for (auto& record : run.records)
    record.step = static_cast<std::uint32_t>(&record - run.records.data());
  add_power(memory(), epochs, 20 * interval, run);
  ASSERT_EQ(run.power.size(), 3u);
  double total = 0, sampled = 0;
  for (const auto& component : run.energy) total += component.joules;
  for (const auto& sample : run.power) sampled += sample.joules;
  EXPECT_NEAR(sampled, total, 1e-12 * total);
  EXPECT_EQ(run.power[2].begin, 40 * interval);
  EXPECT_GT(run.power[0].joules, run.power[1].joules);
  EXPECT_EQ(codes(run), Codes{});
}

TEST(PowerOverTime, an_epoch_that_beats_with_refresh_is_told_of) {
  const std::int64_t interval = memory().timing("nREFI");
  const auto codes_of = [&](std::int64_t cycles) {
    const std::vector<ledger::Epoch> one = {epoch(0, cycles, 1)};
    ledger::RunRecord run = run_of(one);
    add_power(memory(), one, cycles, run);
    return codes(run);
  };
  EXPECT_EQ(codes_of(interval / 2), Codes{});  // shows each refresh
  EXPECT_EQ(codes_of(interval / 2 + 1), Codes{"power_epoch_beats"});
  EXPECT_EQ(codes_of(interval), Codes{});
  EXPECT_EQ(codes_of(interval + 1), Codes{"power_epoch_beats"});
  EXPECT_EQ(codes_of(10 * interval - 1), Codes{"power_epoch_beats"});
  EXPECT_EQ(codes_of(10 * interval + 1), Codes{});
}

TEST(PowerOverTime, an_epoch_longer_than_half_a_repeated_step_is_told_of) {
  const std::int64_t step = 100 * memory().timing("nREFI");
  const std::vector<ledger::Epoch> epochs = {epoch(0, step, 1)};
  for (const std::int64_t weight : {1, 50}) {
    ledger::RunRecord run = run_of(epochs, weight);
    add_power(memory(), epochs, step, run);
    EXPECT_EQ(codes(run), weight == 1 ? Codes{} : Codes{"power_epoch_hides_steps"});
    ledger::RunRecord half = run_of(epochs, weight);
    add_power(memory(), {epoch(0, step / 2, 1)}, step / 2, half);
    EXPECT_EQ(codes(half), Codes{});
  }
}

TEST(PowerOverTime, epochs_that_were_joined_are_told_of) {
  const std::int64_t length = 40 * memory().timing("nREFI");
  ledger::RunRecord run = run_of({epoch(0, length, 1)});
  add_power(memory(), {epoch(0, length, 1)}, length / 2, run);
  EXPECT_EQ(codes(run), Codes{"power_epoch_lengthened"});
}

TEST(PowerOverTime, is_not_known_without_energy) {
  ledger::RunRecord run;
  add_power(memory(), {epoch(0, 1000, 1)}, 1000, run);
  EXPECT_TRUE(run.power.empty());
}

}  // namespace
}  // namespace diffram::physics
