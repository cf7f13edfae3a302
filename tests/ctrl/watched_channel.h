#pragma once
// A channel whose commands are written down, and short ways to ask it for bursts.

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "ctrl/channel.h"
#include "ctrl/ddr4_3200.h"

namespace diffram::ctrl::testing {

inline constexpr std::uint64_t kBurst = 64;

class WatchedChannel {
 public:
  explicit WatchedChannel(const spec::MemorySpec& memory, bool attribution = true,
                          std::size_t origins = 8, bool streaks = true, bool fast = true)
      : ranks_(memory.organisation.ranks) {
    ChannelOptions options;
    options.origins = origins;
    options.attribution = attribution;
    options.streaks = streaks;
    options.fast = fast;
    options.on_command = [this](const IssuedCommand& command) { commands.push_back(command); };
    channel = make_channel(memory, base::ChannelId(0), options);
  }
  WatchedChannel(const WatchedChannel&) = delete;
  WatchedChannel& operator=(const WatchedChannel&) = delete;

  void read(const Coordinates& at, std::int64_t arrival = 0, std::uint32_t origin = 0) {
    submit({address(at, ranks_), kBurst, base::OriginId(origin), base::Direction::read}, arrival);
  }
  void write(const Coordinates& at, std::int64_t arrival = 0, std::uint32_t origin = 0) {
    submit({address(at, ranks_), kBurst, base::OriginId(origin), base::Direction::write}, arrival);
  }
  void submit(const base::Request& run, std::int64_t arrival) {
    channel->submit(run, base::Cycles(arrival), next_ticket++);
  }

  /// Cycles at which a command of this name issued.
  std::vector<std::int64_t> cycles_of(spec::Command command) const {
    std::vector<std::int64_t> cycles;
    for (const auto& each : commands) {
      if (each.command == command) cycles.push_back(each.cycle);
    }
    return cycles;
  }
  /// The columns of the column commands, in order.
  std::vector<std::uint32_t> columns() const {
    std::vector<std::uint32_t> order;
    for (const auto& each : commands) {
      if (each.command >= spec::Command::RD && each.command <= spec::Command::WRA) {
        order.push_back(each.column);
      }
    }
    return order;
  }

  std::unique_ptr<Channel> channel;
  std::vector<IssuedCommand> commands;
  std::uint64_t next_ticket = 0;

 private:
  std::uint32_t ranks_;
};

/// Runs of random length, place, direction, origin and arrival, with idle stretches between.
struct TimedRun {
  base::Request run;
  std::int64_t arrival = 0;
};
inline std::vector<TimedRun> random_traffic(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t n) { return random() % n; };
  const std::uint64_t span = std::uint64_t{1} << (14 + below(12));
  const std::uint64_t longest = below(2) == 0 ? kBurst : 3000;
  std::vector<TimedRun> traffic;
  std::int64_t arrival = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (below(4) == 0)
      arrival += static_cast<std::int64_t>(below(8) == 0 ? below(2000) : below(80));
    TimedRun timed;
    timed.arrival = arrival;
    timed.run.address = below(span);
    timed.run.bytes = 1 + below(longest);
    // Past the last origin: requests without a name.
    timed.run.origin =
        below(9) == 8 ? base::kNoOrigin : base::OriginId(static_cast<std::uint32_t>(below(8)));
    timed.run.direction = below(3) == 0 ? base::Direction::write : base::Direction::read;
    traffic.push_back(timed);
  }
  return traffic;
}

/// What only the channel of all policies does, drawn at random.
inline void draw_policies(std::mt19937_64& random, spec::Controller& policy) {
  const auto pick = [&random](std::initializer_list<std::uint32_t> of) {
    return of.begin()[random() % of.size()];
  };
  const auto names = scheduler_names();
  policy.scheduler = names[random() % names.size()];
  policy.page_policy = static_cast<spec::PagePolicy>(random() % spec::kPagePolicyNames.size());
  policy.queue_shape = static_cast<spec::QueueShape>(random() % spec::kQueueShapeNames.size());
  policy.bank_queue = pick({1, 2, 8});
  policy.strict_bypass = pick({0, 1, 4});
  policy.strict_age = pick({1, 60, 512});
  policy.group_high =
      1 + static_cast<std::uint32_t>(random() % std::min(policy.read_queue, policy.write_queue));
  policy.group_low = static_cast<std::uint32_t>(random() % policy.group_high);
  policy.page_timeout = pick({1, 40, 128});
  policy.refresh_postpone = pick({0, 1, 7});
  policy.refresh_pull_in = std::min(pick({0, 1, 7}), 7 - policy.refresh_postpone);
  policy.power_down_after = pick({0, 1, 60, 200});
  policy.self_refresh_after = pick({0, 30, 300, 900});
}

/// The memory's table with a bus for rows and one for columns, commands of several cycles, and half
/// of the times stack ids.
inline void split_buses(std::mt19937_64& random, spec::MemorySpec& memory) {
  using enum spec::Command;
  memory.protocol.split_buses = true;
  const auto row = [&](spec::Scope scope, std::initializer_list<spec::Command> before,
                       std::initializer_list<spec::Command> after, std::uint64_t cycles) {
    for (const auto b : before) {
      for (const auto a : after)
        memory.constraints.push_back({scope, b, a, static_cast<std::int32_t>(cycles), 1, 0});
    }
  };
  row(spec::Scope::channel, {ACT}, {ACT, PRE, PREA, REFab}, 1 + random() % 3);
  row(spec::Scope::channel, {RD, RDA, WR, WRA}, {RD, RDA, WR, WRA}, 1 + random() % 2);
  if (random() % 2 == 0) return;
  memory.organisation.stack_ids = 2;
  row(spec::Scope::other_stack, {RD, RDA}, {RD, RDA}, 3 + random() % 4);
  row(spec::Scope::other_stack, {WR, WRA}, {WR, WRA}, 3 + random() % 4);
}

/// A memory with a policy drawn at random: with odd seeds of all there are, with even ones of those
/// that the fast channel serves. A third of them has two command buses.
inline spec::MemorySpec random_memory(std::uint64_t seed) {
  std::mt19937_64 random(seed * 7919 + 1);
  const auto between = [&random](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(a + random() % (b - a + 1));
  };
  spec::MemorySpec memory = ddr4_3200(1, between(1, 2));
  spec::Controller& policy = memory.controller;
  policy.page_policy = between(0, 1) == 0 ? spec::PagePolicy::open : spec::PagePolicy::closed;
  policy.read_queue = between(1, 64);
  policy.write_queue = between(1, 64);
  policy.write_high = between(1, policy.write_queue);
  policy.write_low = between(0, policy.write_high - 1);
  policy.row_hit_cap = between(0, 16);
  policy.max_wait = between(0, 1) == 0 ? 4096 : between(30, 600);
  policy.dispatch = between(0, 4);
  policy.refresh_stagger = between(0, 1) == 0;
  memory.timings["nREFI"] = between(0, 3) == 0 ? 0 : static_cast<std::int32_t>(between(900, 5000));
  const bool splits = seed / 2 % 3 == 2;
  if (seed % 2 == 1) {
    draw_policies(random, policy);
  } else if (!splits && between(0, 2) == 0) {
    policy.power_down_after = between(1, 200);
  }
  if (splits) split_buses(random, memory);
  return memory;
}

}  // namespace diffram::ctrl::testing
