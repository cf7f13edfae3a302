// A program against a capacity: peaks, the failing moment, and how much is missing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lower/placement/placement.h"

namespace diffram::lower {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using trace::EventKind;
using trace::TensorClass;
constexpr std::int64_t MiB = 1 << 20;

/// Steps written as what happens in them; every op is "net.fc: aten.mm.default".
class Program {
 public:
  Program() {
    trace_.modules.push_back({.parent = -1, .path = "net.fc", .type = "Linear"});
    trace_.functions.push_back(
        {.name = "aten.mm.default", .kind = "mm", .reads = {}, .writes = {}});
    trace_.phases.push_back("forward");
  }
  std::uint32_t storage(std::int64_t bytes, TensorClass tensor_class, bool alive_at_start = false) {
    trace_.storages.push_back({.bytes = bytes,
                               .tensor_class = tensor_class,
                               .alive_at_start = alive_at_start,
                               .module = 0,
                               .name = {}});
    return static_cast<std::uint32_t>(trace_.storages.size() - 1);
  }
  void step(std::int64_t times = 1, std::vector<trace::Carry> carries = {}) {
    trace_.steps.push_back({.first = trace_.step_count(),
                            .times = times,
                            .events = {{EventKind::phase, 0}},
                            .ops = {},
                            .carries = std::move(carries)});
  }
  void allocate(std::uint32_t storage) { add({EventKind::allocate, storage}); }
  void release(std::uint32_t storage) { add({EventKind::release, storage}); }
  void op() {
    auto& ops = trace_.steps.back().ops;
    trace::Op op;
    op.index = static_cast<std::uint32_t>(ops.size());
    op.module = 0;
    add({EventKind::op, op.index});
    ops.push_back(op);
  }
  const trace::TensorTrace& trace() const { return trace_; }

 private:
  void add(trace::Event event) { trace_.steps.back().events.push_back(event); }

  trace::TensorTrace trace_;
};

CapacityPlan plan(const Program& program, std::int64_t capacity,
                  const std::string& allocator = "cuda") {
  auto plan = plan_capacity(program.trace(), allocator, static_cast<std::uint64_t>(capacity));
  EXPECT_TRUE(plan) << plan.error().front().text();
  return plan.value_or(CapacityPlan{});
}

Program layer_with_two_activations() {
  Program program;
  const auto weight = program.storage(20 * MiB, TensorClass::parameter, true);
  const auto first = program.storage(12 * MiB, TensorClass::activation);
  const auto second = program.storage(16 * MiB, TensorClass::activation);
  (void)weight;
  program.step();
  program.allocate(first);
  program.op();
  program.allocate(second);
  program.op();
  program.release(first);
  program.op();
  program.release(second);
  return program;
}

TEST(plan_capacity, finds_the_peak_its_classes_its_op_and_its_largest_tensors) {
  const auto found = plan(layer_with_two_activations(), 64 * MiB);
  EXPECT_TRUE(found.report.fits);
  EXPECT_EQ(found.report.missing_bytes, 0);
  EXPECT_EQ(found.report.peak_live_bytes, 48 * MiB);
  EXPECT_EQ(found.report.peak_reserved_bytes, 48 * MiB);
  EXPECT_EQ(found.report.peak_op, "net.fc: aten.mm.default");
  EXPECT_THAT(found.report.live_by_class,
              ElementsAre(Pair("activation", 28 * MiB), Pair("parameter", 20 * MiB)));
  EXPECT_THAT(found.report.largest, ElementsAre(Pair("net.fc parameter 0", 20 * MiB),
                                                Pair("net.fc activation 2", 16 * MiB),
                                                Pair("net.fc activation 1", 12 * MiB)));
  EXPECT_FALSE(found.failure);
}

TEST(plan_capacity, says_how_much_more_memory_is_enough_and_it_is) {
  const auto program = layer_with_two_activations();
  const auto found = plan(program, 40 * MiB);
  EXPECT_FALSE(found.report.fits);
  EXPECT_EQ(found.report.missing_bytes, 8 * MiB);
  EXPECT_EQ(found.report.peak_live_bytes, 48 * MiB) << "the same at every capacity";
  EXPECT_EQ(found.failing_op, "net.fc: aten.mm.default");
  ASSERT_TRUE(found.failure);
  EXPECT_EQ(found.failure->storage, 2u);
  EXPECT_EQ(found.failure->requested, 16 * MiB);
  EXPECT_TRUE(plan(program, 40 * MiB + found.report.missing_bytes).report.fits);
  EXPECT_FALSE(plan(program, 40 * MiB + found.report.missing_bytes - 1).report.fits);
}

TEST(plan_capacity, says_it_for_every_allocator) {
  const auto program = layer_with_two_activations();
  for (const char* allocator : {"cuda", "cpu", "bump"}) {
    const auto found = plan(program, 7 * MiB, allocator);
    ASSERT_FALSE(found.report.fits) << allocator;
    EXPECT_TRUE(plan(program, 7 * MiB + found.report.missing_bytes, allocator).report.fits)
        << allocator;
  }
}

// pytorch/pytorch#1529 as a program: 74.5 MiB would hold what is live, not what is stranded.
TEST(plan_capacity, counts_what_fragmentation_strands_as_missing) {
  Program program;
  const auto a = program.storage(31457280, TensorClass::activation);
  const auto keep = program.storage(12582912, TensorClass::activation);
  const auto b = program.storage(41943040, TensorClass::activation);
  program.step();
  program.allocate(a);
  program.release(a);
  program.allocate(keep);
  program.allocate(b);
  program.op();
  const auto found = plan(program, 67108864);
  EXPECT_FALSE(found.report.fits);
  EXPECT_EQ(found.report.peak_live_bytes, 54525952) << "less than the capacity";
  EXPECT_EQ(found.report.missing_bytes, 31457280 + 41943040 - 67108864);
  ASSERT_TRUE(found.failure);
  EXPECT_TRUE(found.failure->is_fragmentation());
  EXPECT_THAT(found.report.failure, HasSubstr("before net.fc: aten.mm.default"));
  EXPECT_THAT(found.report.failure, HasSubstr("fragmentation"));
}

TEST(plan_capacity, a_repeated_step_with_carried_latents_needs_no_more_than_its_first_times) {
  Program program;
  const auto before = program.storage(4 * MiB, TensorClass::input, true);
  const auto after = program.storage(4 * MiB, TensorClass::temporary);
  const auto inner = program.storage(12 * MiB, TensorClass::temporary);
  program.step(50, {{.after = after, .before = before}});
  program.allocate(inner);
  program.op();
  program.allocate(after);
  program.op();
  program.release(before);
  program.release(inner);
  program.step();
  program.op();
  program.release(after);
  const auto found = plan(program, 64 * MiB);
  EXPECT_TRUE(found.report.fits);
  EXPECT_EQ(found.report.peak_live_bytes, 20 * MiB);
  EXPECT_EQ(found.report.peak_reserved_bytes, 20 * MiB) << "4, 12 and 4 share a segment";
}

TEST(plan_capacity, a_program_without_events_still_holds_its_weights) {
  Program program;
  program.storage(3 * MiB, TensorClass::parameter, true);
  EXPECT_EQ(plan(program, 64 * MiB).report.peak_live_bytes, 3 * MiB);
  const auto short_of_memory = plan(program, 2 * MiB);
  EXPECT_FALSE(short_of_memory.report.fits);
  EXPECT_EQ(short_of_memory.report.missing_bytes, 18 * MiB) << "its segment has 20 MiB";
  EXPECT_EQ(short_of_memory.failing_op, "");
}

TEST(plan_capacity, weights_beyond_64_bits_are_refused) {
  Program program;
  program.storage(INT64_MAX, TensorClass::parameter, true);
  program.storage(INT64_MAX, TensorClass::parameter, true);
  const auto refused = plan_capacity(program.trace(), "cuda", 1 << 30);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().code, "too_large");
}

TEST(plan_capacity, more_than_any_memory_is_missing_its_live_bytes) {
  Program program;
  program.storage(INT64_MAX, TensorClass::parameter, true);
  const auto found = plan(program, 1 << 30);
  EXPECT_FALSE(found.report.fits);
  EXPECT_EQ(found.report.missing_bytes, INT64_MAX - (1 << 30));
}

TEST(plan_capacity, an_option_nobody_knows_is_refused) {
  EXPECT_FALSE(plan_capacity(Program().trace(), "cuda", 1 << 30, {{"colour", "red"}}));
  EXPECT_FALSE(plan_capacity(Program().trace(), "malloc", 1 << 30));
}

TEST(plan_capacity, the_shipped_sampling_run_fits_eight_gigabytes_and_not_three) {
  const auto trace = trace::read_tensor_trace(std::string(DIFFRAM_SOURCE_DIR) +
                                              "/specs/workloads/sd14-sample.dft.zst");
  ASSERT_TRUE(trace) << trace.error().front().text();
  const auto fits = plan_capacity(*trace, "cuda", std::uint64_t{8} << 30);
  ASSERT_TRUE(fits);
  EXPECT_TRUE(fits->report.fits);
  const auto too_large = plan_capacity(*trace, "cuda", std::uint64_t{3} << 30);
  ASSERT_TRUE(too_large);
  EXPECT_FALSE(too_large->report.fits);
  EXPECT_EQ(too_large->report.peak_live_bytes, fits->report.peak_live_bytes);
  EXPECT_THAT(too_large->report.peak_op, HasSubstr("attn1"));
  std::int64_t live = 0;
  for (const auto& [name, bytes] : too_large->report.live_by_class) live += bytes;
  EXPECT_EQ(live, too_large->report.peak_live_bytes);
}

}  // namespace
}  // namespace diffram::lower
