// Every shipped memory at work: streams reach the bus's rate but for refresh, what its channels do
// passes the checker, and the latency and throughput of Ramulator's presets are met by ours.

#include <gtest/gtest.h>

#include "check/protocol.h"
#include "oracle/dice.h"
#include "oracle/difference.h"
#include "oracle/ramulator_standards.h"
#include "oracle/random_standard.h"
#include "spec/address_map.h"

namespace diffram::oracle {
namespace {

/// Share of the time that all-bank refresh leaves: closing the rows, tRFC, opening one.
double share_beside_refresh(const spec::MemorySpec& m) {
  const auto n = [&](const char* name) { return static_cast<double>(m.timing(name)); };
  return 1 - (n("nRTP") + n("nRP") + n("nRFC") + n("nRCD")) / n("nREFI");
}

/// Share of the bus that reads of one long run take in channel 0.
double streamed_share(const spec::MemorySpec& m, std::int64_t intervals) {
  ctrl::ChannelOptions options;
  options.attribution = false;
  const auto channel = ctrl::make_channel(m, base::ChannelId(0), options);
  const auto bursts = static_cast<std::uint64_t>(intervals * m.timing("nREFI") / m.timing("nBL"));
  const auto bytes = std::min(bursts * m.organisation.channels * m.organisation.burst_bytes(),
                              m.organisation.capacity_bytes());
  channel->submit({0, bytes, base::kNoOrigin, base::Direction::read}, base::Cycles(0), 0);
  const auto end = channel->drain().value;
  const auto read = channel->take_counters().unnamed.reads;
  return static_cast<double>(read * m.timing("nBL")) / static_cast<double>(end);
}

class Shipped : public testing::TestWithParam<std::size_t> {
 protected:
  const spec::MemorySpec& memory = shipped_memories()[GetParam()];
};

TEST_P(Shipped, sequential_reads_reach_the_rate_that_refresh_leaves) {
  EXPECT_GE(streamed_share(memory, 8), 0.97 * share_beside_refresh(memory)) << memory.name;
}

// By the standard's table and by the rules of state; half of the runs are refreshed by parts.
TEST_P(Shipped, random_traffic_passes_the_checker) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    auto spec = memory;
    spec.controller.refresh_by_parts = spec.protocol.part_refresh && seed % 2 == 0;
    Dice dice(seed);
    Traffic traffic(dice, seed % 2 == 0 ? 1 << 20 : spec.organisation.capacity_bytes());
    std::vector<TimedRequest> requests;
    for (int i = 0; i < 2000; ++i) {
      auto next = traffic.next();
      if (i % 500 == 499) next.arrival += spec.timing("nREFI");
      if (!requests.empty()) next.arrival = std::max(next.arrival, requests.back().arrival);
      requests.push_back(next);
    }
    const auto out = run_engine(spec, 0, requests, {false, 2 * spec.timing("nREFI"), 0, true});
    EXPECT_EQ(breach_of(spec, out), "") << spec.name << ", seed " << seed;
    EXPECT_EQ(out.completions.size(), requests.size());
  }
}

// The fast channel and the one of all policies are one controller on every table that both serve.
TEST_P(Shipped, both_channels_issue_the_same) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Dice dice(seed);
    Traffic traffic(dice, seed % 2 == 0 ? 1 << 20 : memory.organisation.capacity_bytes());
    const auto channel = [&](bool fast, std::vector<ctrl::IssuedCommand>& log) {
      ctrl::ChannelOptions options;
      options.fast = fast;
      options.on_command = [&log](const ctrl::IssuedCommand& c) { log.push_back(meaningful(c)); };
      return ctrl::make_channel(memory, base::ChannelId(0), options);
    };
    std::vector<ctrl::IssuedCommand> fast_log, full_log;
    const auto fast = channel(true, fast_log);
    const auto full = channel(false, full_log);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const auto next = traffic.next();
      fast->submit(next.request, base::Cycles(next.arrival), i);
      full->submit(next.request, base::Cycles(next.arrival), i);
    }
    EXPECT_EQ(fast->drain().value, full->drain().value) << memory.name;
    EXPECT_EQ(fast_log, full_log) << memory.name << ", seed " << seed;
    EXPECT_EQ(fast->take_counters().bill, full->take_counters().bill) << memory.name;
  }
}

std::string shipped_name(const testing::TestParamInfo<std::size_t>& info) {
  std::string out = shipped_memories()[info.param].name;
  for (char& c : out) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, Shipped, testing::Range(std::size_t{0}, shipped_memories().size()),
                         shipped_name);

/// The preset behind a figure, as one channel.
spec::MemorySpec preset_of(const nlohmann::json& figure) {
  const std::string standard = figure["standard"];
  auto m = memory_of(standard);
  const auto& org = figure["org_values"];
  auto& o = m.organisation;
  o.ranks = 1;
  o.bus_width = org["channel_width"];
  o.device_width = org["dq"];
  if (standard == "DDR3" || standard == "DDR4") o.bus_width = 64;
  if (standard == "DDR5") o.bus_width = 32;
  const std::uint32_t bits = figure["bytes_per_request"].get<std::uint32_t>() * 8;
  o.burst_length = standard == "LPDDR6" ? 24 : bits / o.bus_width;
  if (standard == "LPDDR6") o.payload_bits = bits;
  o.columns = o.burst_length * 64;
  const double period_ns = figure["tCK_ns"].get<double>() / m.protocol.ticks_per_clock;
  m.clock = base::Clock(std::llround(period_ns * 1e6), 1);
  m.megatransfers = std::llround(o.burst_length / (m.timing("nBL") * period_ns) * 1000);
  m.controller.dispatch = 0;
  m.map = *spec::build_address_map(o.bank_groups > 1 ? "ro ra ba co bg ch" : "ro ra ba co ba:1 ch",
                                   {}, o);
  if (o.stack_ids > 1)
    m.map = *spec::build_address_map(
        o.groups_per_stack() == 4 ? "ro ra bg ba co bg:2 ch" : "ro ra bg ba co bg:1 ch", {}, o);
  return m;
}

TEST(LatencyThroughput, of_a_row_conflict_peak_and_beside_refresh_are_within_2_percent) {
  const auto& figures = ramulator()["latency"];
  ASSERT_EQ(figures.size(), 11u);
  for (const auto& figure : figures) {
    SCOPED_TRACE(figure["standard"].get<std::string>());
    const auto m = preset_of(figure);
    const double period_ns = m.clock.period_s() * 1e9;
    // HBM's figures are of a channel of two pseudo-channels.
    const double channels = figure["org_values"].value("pseudochannel", 1);
    const double peak = m.peak_bytes_per_s() / 1e9 * channels;
    EXPECT_NEAR(peak / figure["peak_GBps"].get<double>(), 1, 0.02);
    EXPECT_NEAR(
        peak * share_beside_refresh(m) /
            figure["refresh_limited_GBps = peak*(1-(nRTP+nRP+nRFC+nRCD)/nREFI)"].get<double>(),
        1, 0.02);
    EXPECT_GE(streamed_share(m, 8), 0.97 * share_beside_refresh(m));

    // A read of another row of the bank, long after the first.
    const auto other_row = m.organisation.channel_bytes() / m.organisation.rows;
    const auto out = run_engine(m, 0,
                                {{{0, 32, base::kNoOrigin, base::Direction::read}, 0},
                                 {{other_row, 32, base::kNoOrigin, base::Direction::read}, 1000}},
                                {});
    const auto at = [&](spec::Command command) {
      for (auto c = out.commands.rbegin(); c != out.commands.rend(); ++c) {
        if (c->command == command) return c->cycle;
      }
      return std::int64_t{-1};
    };
    const double conflict_ns =
        static_cast<double>(at(spec::Command::RD) + m.timing("nCL") - at(spec::Command::PRE)) *
        period_ns;
    EXPECT_NEAR(conflict_ns / figure["unloaded_ns = (nRP+nRCD+nCL)*tCK"].get<double>(), 1, 0.02);
  }
}

}  // namespace
}  // namespace diffram::oracle
