#include "sim/closed_loop.h"

#include <gtest/gtest.h>

#include "sim/steady_bus.h"

namespace diffram::sim {
namespace {

using testing::SteadyBus;

constexpr std::int64_t kLatency = 10;

/// A fixed list of tile steps.
class Tiles final : public lower::TileSource {
 public:
  explicit Tiles(std::vector<lower::TileStep> tiles) : tiles_(std::move(tiles)) {}
  bool next(lower::TileStep& out) override {
    if (next_ == tiles_.size()) return false;
    out = tiles_[next_++];
    return true;
  }

 private:
  std::vector<lower::TileStep> tiles_;
  std::size_t next_ = 0;
};

lower::TileStep tile(std::uint32_t op, std::uint64_t load_bursts, std::uint64_t store_bursts,
                     std::int64_t compute) {
  lower::TileStep step;
  step.op = op;
  if (load_bursts > 0)
    step.loads.push_back({0, load_bursts * 64, base::OriginId(0), base::Direction::read});
  if (store_bursts > 0)
    step.stores.push_back({0, store_bursts * 64, base::OriginId(1), base::Direction::write});
  step.compute_cycles = compute;
  return step;
}

StepTimes run(std::vector<lower::TileStep> tiles, std::size_t ops, Pacing pacing = {},
              std::size_t channels = 1, std::size_t threads = 1) {
  if (pacing.store_buffer_bytes == 0) pacing.store_buffer_bytes = 1 << 20;
  ClosedLoop::Channels buses;
  for (std::size_t i = 0; i < channels; ++i)
    buses.push_back(std::make_unique<SteadyBus>(1, kLatency));
  spec::AddressMap map;
  for (std::size_t bit = 0; std::size_t{1} << bit < channels; ++bit)
    map.channel.push_back(std::uint64_t{64} << bit);
  ClosedLoop loop(std::move(buses), ctrl::ChannelFinder(map), pacing, threads);
  Tiles source(std::move(tiles));
  return loop.run(source, 0, ops);
}

void expect_closed(const StepTimes& times) {
  std::int64_t sum = 0;
  for (const auto& op : times.ops) sum += op.compute + op.wait + op.launch;
  EXPECT_EQ(sum, times.cycles);
}

TEST(ClosedLoop, one_tile_waits_for_its_load_computes_and_waits_for_its_store) {
  const auto times = run({tile(0, 100, 20, 50)}, 1);
  EXPECT_EQ(times.cycles, (100 + kLatency) + 50 + (20 + kLatency));
  EXPECT_EQ(times.ops[0].compute, 50);
  EXPECT_EQ(times.ops[0].wait, 100 + kLatency + 20 + kLatency);
  expect_closed(times);
}

TEST(ClosedLoop, compute_hides_the_loads_of_the_following_tiles) {
  const std::vector<lower::TileStep> tiles(10, tile(0, 20, 0, 500));
  const auto times = run(tiles, 1);
  EXPECT_EQ(times.cycles, 20 + kLatency + 10 * 500);
  EXPECT_EQ(times.ops[0].wait, 20 + kLatency);
}

TEST(ClosedLoop, loads_without_compute_follow_each_other_on_the_bus) {
  const std::vector<lower::TileStep> tiles(10, tile(0, 100, 0, 1));
  const auto times = run(tiles, 1);
  EXPECT_GE(times.cycles, 10 * 100 + kLatency);
  EXPECT_LE(times.cycles, 10 * 100 + kLatency + 10);
}

TEST(ClosedLoop, at_most_two_tiles_are_loaded_ahead) {
  // Tile 2's load is issued only when tile 0 has computed, although the bus is free long before.
  const auto times = run({tile(0, 10, 0, 1000), tile(0, 10, 0, 1), tile(0, 5000, 0, 1)}, 1);
  EXPECT_EQ(times.cycles, (10 + kLatency + 1000) + 5000 + kLatency + 1);
}

TEST(ClosedLoop, a_full_store_buffer_stops_the_next_computation) {
  Pacing pacing;
  pacing.store_buffer_bytes = 64 * 100;
  const std::vector<lower::TileStep> tiles(3, tile(0, 0, 100, 1));
  const auto bounded = run(tiles, 1, pacing);
  // store of tile i must be done before tile i+1 computes
  EXPECT_EQ(bounded.cycles, 3 * (1 + 100 + kLatency));
  const auto free = run(tiles, 1);
  EXPECT_EQ(free.cycles, 1 + 3 * 100 + kLatency);
}

TEST(ClosedLoop, a_kernel_starts_after_its_predecessors_last_store_and_the_launch_gap) {
  Pacing pacing;
  pacing.launch_gap_cycles = 7;
  const auto times = run({tile(0, 0, 100, 1), tile(1, 10, 0, 2)}, 2, pacing);
  EXPECT_EQ(times.ops[1].start, 7 + 1 + 100 + kLatency);
  EXPECT_EQ(times.ops[1].launch, 7);
  EXPECT_EQ(times.cycles, times.ops[1].start + 7 + 10 + kLatency + 2);
  expect_closed(times);
}

TEST(ClosedLoop, machine_cycles_become_memory_cycles_rounded_up) {
  Pacing pacing;
  pacing.machine = base::Clock::from_hertz(1'000'000'000);
  pacing.memory = base::Clock(625'000, 1);  // 0.625 ns
  const auto times = run({tile(0, 0, 0, 3)}, 1, pacing);
  EXPECT_EQ(times.ops[0].compute, 5);  // 3 ns = 4.8 memory cycles
}

TEST(ClosedLoop, without_compute_only_memory_time_is_left) {
  Pacing pacing;
  pacing.zero_compute = true;
  pacing.launch_gap_cycles = 100;
  const auto times = run({tile(0, 100, 20, 5000)}, 1, pacing);
  EXPECT_EQ(times.cycles, 100 + kLatency + 20 + kLatency);
  EXPECT_EQ(times.ops[0].launch, 0);
}

TEST(ClosedLoop, an_op_without_bytes_takes_its_compute_time) {
  const auto times = run({tile(0, 0, 0, 40), tile(1, 0, 0, 2)}, 2);
  EXPECT_EQ(times.cycles, 42);
  EXPECT_EQ(times.ops[0].wait, 0);
}

TEST(ClosedLoop, any_thread_count_gives_the_same_times) {
  std::vector<lower::TileStep> tiles;
  for (std::uint32_t i = 0; i < 200; ++i) tiles.push_back(tile(i / 20, 1 + i % 37, i % 5, i % 91));
  const auto one = run(tiles, 10, {}, 4, 1);
  for (const std::size_t threads : {2, 3, 8}) {
    const auto many = run(tiles, 10, {}, 4, threads);
    EXPECT_EQ(many.cycles, one.cycles);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(many.ops[i].wait, one.ops[i].wait);
  }
  expect_closed(one);
}

}  // namespace
}  // namespace diffram::sim
