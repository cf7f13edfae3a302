// The loop between heat and a memory that is read as fast as it can: refresh doubles above 85 °C,
// throttling holds the threshold, and the table of docs/heat.md is what comes out.

#include "physics/heat/heat_loop.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <stdexcept>

#include "ctrl/channel.h"

namespace diffram::physics::heat {
namespace {

constexpr std::int64_t kEpoch = 50'000;
constexpr double kStretch = 30'000;  // about a second an epoch

spec::MemorySpec memory() {
  auto loaded = spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, "ddr4-3200-4g-1ch");
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return std::move(*loaded);
}

/// A module in hot, still air.
spec::PackageSpec package() {
  auto loaded = spec::load_package({DIFFRAM_SOURCE_DIR "/specs"}, "ddr4-module",
                                   {{"theta.case_to_air", "200"},
                                    {"theta.board_to_air", "200"},
                                    {"surroundings.air_c", "60"},
                                    {"surroundings.board_c", "60"}});
  if (!loaded) throw std::runtime_error(loaded.error().front().text());
  return std::move(*loaded);
}

struct Figures {
  double gigabytes_a_second = 0, celsius = 0, hottest = 0;  ///< of the last third
  double refresh_share = 0, throttle_share = 0;             ///< of the time of the last third
  double refreshes_an_interval = 0;
  std::vector<ledger::HeatEpoch> epochs;
  std::vector<base::Diagnostic> diagnostics;
};

/// Random blocks of 1 KiB, always more than the channel can serve.
Figures loaded(const LoopOptions& options, int epochs) {
  const auto chips = memory();
  auto loop = HeatLoop::make(package(), chips, options);
  if (!loop) throw std::runtime_error(loop.error().front().text());
  ctrl::ChannelOptions channel_options;
  channel_options.throttles = options.throttle.threshold.has_value();
  const auto channel = ctrl::make_channel(chips, base::ChannelId(0), channel_options);
  std::mt19937_64 random(7);
  constexpr std::uint64_t kBlock = 1024;
  std::uint64_t ticket = 0, done = 0;
  std::map<base::Cause, std::int64_t> bill;
  std::int64_t bursts = 0, refreshes = 0, cycles = 0;
  const int from = epochs * 2 / 3;
  for (int i = 0; i < epochs; ++i) {
    while (ticket - done < 1024) {
      const auto block = random() % (chips.organisation.capacity_bytes() / kBlock);
      channel->submit({block * kBlock, kBlock, base::kNoOrigin, base::Direction::read},
                      channel->now(), ticket++);
    }
    channel->advance(base::Cycles(channel->now().value + kEpoch));
    done += channel->completions().size();
    channel->clear_completions();
    auto counters = channel->take_counters();
    if (i >= from) {
      cycles += kEpoch;
      refreshes += counters.ranks[0].refreshes;
      for (const auto& bank : counters.banks) bursts += bank.rd + bank.rda;
      for (const auto& [key, lost] : counters.bill) bill[key.cause] += lost;
    }
    channel->set_operating_point(loop->close({i * kEpoch, kEpoch, {std::move(counters)}}));
  }
  Figures out;
  ledger::RunRecord run;
  loop->report(run);
  out.epochs = run.heat_epochs;
  out.diagnostics = run.diagnostics;
  const auto time = static_cast<double>(cycles);
  out.gigabytes_a_second = static_cast<double>(bursts) * chips.organisation.burst_bytes() /
                           (time * chips.clock.period_s()) / 1e9;
  out.refresh_share = static_cast<double>(bill[base::Cause::refresh]) / time;
  out.throttle_share = static_cast<double>(bill[base::Cause::idle_throttle]) / time;
  out.refreshes_an_interval = static_cast<double>(refreshes) * chips.timing("nREFI") / time;
  for (int i = from; i < epochs; ++i) {
    const double sensed = out.epochs[static_cast<std::size_t>(i)].sensed;
    out.celsius += sensed / (epochs - from);
    out.hottest = std::max(out.hottest, sensed);
  }
  return out;
}

bool tells(const Figures& figures, const std::string& code) {
  return std::ranges::any_of(figures.diagnostics,
                             [&](const base::Diagnostic& each) { return each.code == code; });
}

TEST(HeatLoop, refresh_doubles_from_the_epoch_after_85_degrees_on) {
  const auto hot = loaded({.throttle = {}, .initial = 84.5, .stretch = kStretch}, 60);
  const auto first = std::ranges::find_if(
      hot.epochs, [](const ledger::HeatEpoch& epoch) { return epoch.sensed > 85; });
  ASSERT_NE(first, hot.epochs.end());
  for (auto epoch = hot.epochs.begin(); epoch != hot.epochs.end(); ++epoch)
    EXPECT_EQ(epoch->refresh_rate, epoch > first ? 2 : 1);
  EXPECT_TRUE(tells(hot, "refresh_rate_raised"));
  EXPECT_FALSE(tells(hot, "throttled"));
  EXPECT_NEAR(hot.refreshes_an_interval, 2, 0.05);
  const auto cool = loaded({.throttle = {}, .initial = 60, .stretch = 1}, 60);
  EXPECT_NEAR(cool.refreshes_an_interval, 1, 0.05);
  EXPECT_GT(hot.refresh_share, 1.6 * cool.refresh_share) << "the time is billed to refresh";
  EXPECT_LT(hot.gigabytes_a_second, cool.gigabytes_a_second);
}

// docs/heat.md shows these rows.
TEST(HeatLoop, thresholds_give_the_table_of_the_document) {
  std::ifstream file(DIFFRAM_SOURCE_DIR "/docs/heat.md");
  const std::string document{std::istreambuf_iterator<char>(file), {}};
  double last_bandwidth = 0;
  for (const double threshold : {75.0, 80.0, 85.0, 90.0}) {
    const auto figures = loaded(
        {.throttle = {.threshold = threshold}, .initial = threshold, .stretch = kStretch}, 240);
    EXPECT_TRUE(tells(figures, "throttled")) << threshold;
    EXPECT_NEAR(figures.celsius, threshold - 1, 2) << "held at the threshold";
    EXPECT_LT(figures.hottest, threshold + 2);
    EXPECT_GT(figures.gigabytes_a_second, last_bandwidth);
    last_bandwidth = figures.gigabytes_a_second;
    const auto row = fmt::format("| {:g} | {:.1f} | {:.0f} | {:.1f} | {:.1f} |", threshold,
                                 figures.gigabytes_a_second, figures.celsius,
                                 100 * figures.refresh_share, 100 * figures.throttle_share);
    EXPECT_NE(document.find(row), std::string::npos) << row;
  }
}

TEST(HeatLoop, a_memory_without_energy_is_refused) {
  auto chips = memory();
  chips.currents.reset();
  const auto loop = HeatLoop::make(package(), chips, {});
  ASSERT_FALSE(loop);
  EXPECT_EQ(loop.error().front().code, "energy_unknown");
}

TEST(HeatLoop, the_shutdown_limit_is_told) {
  auto chips = memory();
  chips.temperature.shutdown = 70;
  auto loop = HeatLoop::make(package(), chips, {.throttle = {}, .initial = 95.5, .stretch = 1});
  ASSERT_TRUE(loop);
  base::ChannelCounters idle;
  idle.cycles = kEpoch;
  idle.banks.resize(chips.organisation.banks());
  idle.ranks = {{.closed_cycles = kEpoch}};
  EXPECT_TRUE(loop->close({0, kEpoch, {idle}}).must_stop);
  ledger::RunRecord run;
  loop->report(run);
  std::vector<std::string> codes;
  for (const auto& each : run.diagnostics) codes.push_back(each.code);
  EXPECT_EQ(codes, (std::vector<std::string>{"temperature_out_of_range", "shutdown_limit"}));
}

}  // namespace
}  // namespace diffram::physics::heat
