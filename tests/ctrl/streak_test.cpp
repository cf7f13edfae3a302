// A streak is a short cut, never another schedule: with and without, the same commands at the same
// cycles, completions, counters, bill and energy integers, however time is cut.

#include <gtest/gtest.h>

#include "ctrl/watched_channel.h"

namespace diffram::ctrl {
namespace {

using namespace testing;

/// What a user sees of a channel up to a moment.
struct Sight {
  std::int64_t now = 0;
  bool idle = false;
  std::vector<std::pair<std::uint64_t, std::int64_t>> completions;
  base::ChannelCounters counters;
};

struct Story {
  std::vector<IssuedCommand> commands;
  std::vector<Sight> sights;
};

class Teller {
 public:
  Teller(const spec::MemorySpec& memory, std::uint64_t seed, bool attribution, bool streaks)
      : random_(seed), memory_(memory, attribution, 8, streaks) {}

  Channel& channel() { return *memory_.channel; }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  void submit(const base::Request& run, std::int64_t arrival) { memory_.submit(run, arrival); }
  void advance(std::int64_t cycles) { channel().advance(base::Cycles(now() + cycles)); }
  void wait_for(std::uint64_t ticket) {
    channel().advance_until_complete(ticket, base::Cycles(now() + 3000));
  }
  void look(bool take) {
    Sight sight;
    sight.now = now();
    sight.idle = channel().idle();
    for (const auto& done : channel().completions()) {
      sight.completions.emplace_back(done.ticket, done.cycle);
    }
    channel().clear_completions();
    if (take) sight.counters = channel().take_counters();
    story_.sights.push_back(std::move(sight));
  }
  Story finish() {
    channel().drain();
    look(true);
    story_.commands = memory_.commands;
    return std::move(story_);
  }
  std::int64_t now() { return channel().now().value; }
  std::uint64_t submitted() const { return memory_.next_ticket; }

 private:
  std::mt19937_64 random_;
  WatchedChannel memory_;
  Story story_;
};

void expect_same(const Story& with, const Story& without, const std::string& what) {
  const std::size_t common = std::min(with.commands.size(), without.commands.size());
  for (std::size_t i = 0; i < common; ++i) {
    const auto& a = with.commands[i];
    const auto& b = without.commands[i];
    ASSERT_TRUE(a == b) << what << ", command " << i << ": cycle " << a.cycle << " and " << b.cycle;
  }
  ASSERT_EQ(with.commands.size(), without.commands.size()) << what;
  ASSERT_EQ(with.sights.size(), without.sights.size()) << what;
  for (std::size_t i = 0; i < with.sights.size(); ++i) {
    const Sight& a = with.sights[i];
    const Sight& b = without.sights[i];
    ASSERT_EQ(a.now, b.now) << what << ", sight " << i;
    ASSERT_EQ(a.idle, b.idle) << what << ", sight " << i;
    ASSERT_EQ(a.completions, b.completions) << what << ", sight " << i;
    ASSERT_TRUE(a.counters.origins == b.counters.origins) << what << ", sight " << i;
    ASSERT_TRUE(a.counters.banks == b.counters.banks) << what << ", sight " << i;
    ASSERT_TRUE(a.counters.bill == b.counters.bill) << what << ", sight " << i;
    ASSERT_TRUE(a.counters == b.counters) << what << ", sight " << i;
  }
}

/// A memory whose tables and policy let streaks come and end in many ways.
spec::MemorySpec streaming_memory(std::uint64_t seed) {
  std::mt19937_64 random(seed * 31 + 7);
  const auto one_of = [&random](std::initializer_list<std::uint32_t> values) {
    return values.begin()[random() % values.size()];
  };
  spec::MemorySpec memory = random_memory(2 * seed);
  spec::Controller& policy = memory.controller;
  policy.page_policy = random() % 8 == 0 ? spec::PagePolicy::closed : spec::PagePolicy::open;
  policy.read_queue = one_of({1, 2, 3, 4, 7, 16, 40, 64});
  policy.write_queue = one_of({1, 2, 3, 4, 7, 16, 40, 64});
  policy.write_high = 1 + static_cast<std::uint32_t>(random() % policy.write_queue);
  policy.write_low = static_cast<std::uint32_t>(random() % policy.write_high);
  if (random() % 3 != 0) policy.max_wait = 4096;
  if (random() % 4 == 0) policy.dispatch = one_of({9, 17, 40});
  // tCCD_L within reach of two bus slots, or not.
  const auto same_group = static_cast<std::int32_t>(one_of({4, 5, 8, 8, 9, 12, 13}));
  const auto other_rank = static_cast<std::int32_t>(one_of({3, 4, 4, 6}));
  const auto same_rank = static_cast<std::int32_t>(one_of({4, 4, 4, 5}));
  for (auto& c : memory.constraints) {
    if (c.scope == spec::Scope::rank && c.window == 1 && c.cycles == kCcdS &&
        c.before != spec::Command::ACT) {
      c.cycles = same_rank;
    }
    if (c.scope == spec::Scope::bank_group && c.cycles == kCcdL) c.cycles = same_group;
    if (c.scope == spec::Scope::other_rank && c.cycles == kBl + kCs) c.cycles = other_rank;
  }
  return memory;
}

/// Long runs mostly: streams of reads and writes, copies, several at once, short ones between.
class Streams {
 public:
  explicit Streams(std::uint64_t seed) : random_(seed * 13 + 5) {
    writes_ = below(3) == 0 ? 0 : below(101);
    overlap_ = below(2) == 0;
  }
  base::Request next() {
    base::Request run;
    const std::uint64_t kind = below(10);
    const std::uint64_t stream = below(3);
    run.bytes = kBurst * (kind == 0 ? 1 + below(4) : 1 + below(kind < 4 ? 40 : 500));
    run.address = (overlap_ ? at_[0] : at_[stream]) + (kind == 1 ? below(1 << 18) : 0);
    run.address %= 1 << 20;
    if (kind != 1) at_[overlap_ && below(2) == 0 ? 2 : stream] += run.bytes;
    run.origin =
        below(9) == 8 ? base::kNoOrigin : base::OriginId(static_cast<std::uint32_t>(below(8)));
    run.direction = below(100) < writes_ ? base::Direction::write : base::Direction::read;
    return run;
  }
  std::int64_t gap() {
    const std::uint64_t kind = below(6);
    return static_cast<std::int64_t>(kind < 4 ? 0 : kind == 4 ? below(60) : below(3000));
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::mt19937_64 random_;
  std::uint64_t writes_ = 0;
  bool overlap_ = false;
  std::uint64_t at_[3] = {0, 1 << 16, 5 << 15};
};

Story tell(std::uint64_t seed, bool attribution, bool streaks) {
  Teller teller(streaming_memory(seed), seed, attribution, streaks);
  Streams streams(seed);
  std::int64_t arrival = 0;
  for (int i = 0; i < 60; ++i) {
    for (std::uint64_t runs = 1 + teller.below(4); runs > 0; --runs) {
      arrival = std::max(arrival + streams.gap(), teller.now());
      teller.submit(streams.next(), arrival);
    }
    switch (teller.below(6)) {
      case 0:
        for (int k = 0; k < 30; ++k) teller.advance(1 + static_cast<std::int64_t>(teller.below(9)));
        break;
      case 1:
        teller.advance(1 + static_cast<std::int64_t>(teller.below(3000)));
        break;
      case 2:
        teller.wait_for(teller.below(teller.submitted()));
        break;
      case 3:
        teller.advance(1 + static_cast<std::int64_t>(teller.below(300)));
        teller.look(true);
        break;
      case 4:
        if (teller.below(4) == 0) teller.channel().drain();
        if (teller.channel().idle()) {
          teller.channel().set_idle_account(base::Cause::idle_end, base::OriginId(2));
        }
        break;
      default:
        break;
    }
    teller.look(false);
  }
  return teller.finish();
}

TEST(Streak, changes_nothing_that_can_be_seen) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    expect_same(tell(seed, true, true), tell(seed, true, false), "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

TEST(Streak, changes_nothing_without_attribution) {
  for (std::uint64_t seed = 1000; seed < 1200; ++seed) {
    expect_same(tell(seed, false, true), tell(seed, false, false), "seed " + std::to_string(seed));
    if (HasFatalFailure()) return;
  }
}

// No refresh and no other row: longer than the 16 bits in which times are kept.
TEST(Streak, a_row_read_over_and_over_is_one_streak) {
  const auto told = [](bool streaks) {
    Teller teller(ddr4_3200(), 0, true, streaks);
    for (int i = 0; i < 50; ++i) {
      teller.submit({0, 512 * kBurst, base::OriginId(1), base::Direction::read}, 0);
    }
    const Coordinates other_row{.row = 1};
    teller.submit({address(other_row), kBurst, base::OriginId(2), base::Direction::write}, 90'000);
    teller.submit({address(other_row), kBurst, base::OriginId(2), base::Direction::read}, 90'000);
    return teller.finish();
  };
  expect_same(told(true), told(false), "one row");
}

// Rank time before the arrival of a run is idle, though its bank has been streaming.
TEST(Streak, a_run_that_comes_while_the_other_rank_is_busy_pays_from_its_arrival) {
  spec::MemorySpec memory = ddr4_3200(1, 2);
  for (auto& c : memory.constraints) {
    if (c.scope == spec::Scope::other_rank && c.cycles == kBl + kCs) c.cycles = kBl;
  }
  const auto run = [](std::uint32_t rank, std::uint64_t bursts, std::uint32_t origin) {
    return base::Request{address({.rank = rank}, 2), bursts * kBurst, base::OriginId(origin),
                         base::Direction::read};
  };
  const auto told = [&](bool streaks, const std::vector<TimedRun>& runs) {
    Teller teller(memory, 0, true, streaks);
    for (const std::uint32_t rank : {0u, 1u}) teller.submit(run(rank, 4, 0), 0);
    for (const auto& [request, arrival] : runs) teller.submit(request, arrival);
    return teller.finish();
  };
  const std::vector<std::vector<TimedRun>> cases = {
      {{run(0, 100, 1), 200}, {run(1, 400, 1), 200}, {run(0, 200, 1), 1200}},
      {{run(0, 500, 2), 200}, {run(0, 500, 2), 200}, {run(1, 100, 1), 900}, {run(1, 200, 1), 950}},
  };
  for (const auto& runs : cases) expect_same(told(true, runs), told(false, runs), "two ranks");
}

TEST(Streak, a_long_read_cut_at_every_cycle_is_the_same_read) {
  for (const bool streaks : {true, false}) {
    Teller whole(ddr4_3200(), 0, true, streaks);
    Teller pieces(ddr4_3200(), 0, true, streaks);
    for (Teller* each : {&whole, &pieces}) {
      each->submit({0, 1000 * kBurst, base::OriginId(1), base::Direction::read}, 0);
    }
    for (int i = 0; i < 4200; ++i) pieces.advance(1);
    const Story a = whole.finish();
    const Story b = pieces.finish();
    ASSERT_EQ(a.commands, b.commands);
    ASSERT_EQ(a.sights.back().completions, b.sights.back().completions);
  }
}

}  // namespace
}  // namespace diffram::ctrl
