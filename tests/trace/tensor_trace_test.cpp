#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trace/written_trace.h"

namespace diffram::trace {
namespace {

using testing::ElementsAre;

TEST(tensor_trace, tables_and_header_are_read) {
  const auto trace = read_lines(linear_layer());
  ASSERT_TRUE(trace) << trace.error().front().text();
  EXPECT_EQ(trace->torch, "2.13.0");
  EXPECT_EQ(trace->pretend, "cuda");
  EXPECT_EQ(trace->batch, 2);
  ASSERT_EQ(trace->modules.size(), 2u);
  EXPECT_EQ(trace->modules[1].parent, 0);
  EXPECT_EQ(trace->modules[1].path, "net.fc");
  ASSERT_EQ(trace->functions.size(), 1u);
  EXPECT_EQ(trace->functions[0].kind, "mm");
  ASSERT_EQ(trace->functions[0].reads.size(), 2u);
  EXPECT_EQ(trace->functions[0].reads[1].name, "mat2");
  ASSERT_EQ(trace->storages.size(), 3u);
  EXPECT_EQ(trace->storages[0].tensor_class, TensorClass::parameter);
  EXPECT_TRUE(trace->storages[0].alive_at_start);
  EXPECT_EQ(trace->storages[0].name, "fc.weight");
  EXPECT_FALSE(trace->storages[2].alive_at_start);
}

TEST(tensor_trace, an_op_has_its_tensors_and_attributes) {
  const auto trace = read_lines(linear_layer());
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->steps.size(), 1u);
  ASSERT_EQ(trace->steps[0].ops.size(), 1u);
  const Op& op = trace->steps[0].ops[0];
  EXPECT_EQ(op.macs, 32);
  EXPECT_EQ(op.reason, Reason::forward);
  EXPECT_EQ(op.forward_op, -1);
  ASSERT_EQ(op.reads.size(), 2u);
  EXPECT_THAT(op.reads[1].strides, ElementsAre(1, 4));
  EXPECT_EQ(op.reads[1].tensor_bytes(), 64);
  ASSERT_NE(op.attribute("gemm"), nullptr);
  EXPECT_THAT(op.attribute("gemm")->numbers, ElementsAre(1, 2, 4, 4));
  EXPECT_THAT(op.attribute("beta")->numbers, ElementsAre(0.5));
  EXPECT_THAT(op.attribute("mask")->numbers, ElementsAre(1, 0));
  EXPECT_EQ(op.attribute("alpha"), nullptr);
}

TEST(tensor_trace, events_keep_their_order) {
  const auto trace = read_lines(linear_layer());
  ASSERT_TRUE(trace);
  std::vector<EventKind> kinds;
  for (const auto& event : trace->steps[0].events) kinds.push_back(event.kind);
  EXPECT_THAT(
      kinds, ElementsAre(EventKind::phase, EventKind::allocate, EventKind::op, EventKind::release));
}

TEST(tensor_trace, a_replay_is_counted_in_its_step_and_keeps_what_is_carried_over) {
  const auto trace = read_lines(sampling_loop());
  ASSERT_TRUE(trace) << trace.error().front().text();
  ASSERT_EQ(trace->steps.size(), 2u);
  EXPECT_EQ(trace->steps[0].times, 49);
  EXPECT_EQ(trace->steps[1].first, 49);
  EXPECT_EQ(trace->step_count(), 50);
  ASSERT_EQ(trace->steps[0].carries.size(), 1u);
  EXPECT_EQ(trace->steps[0].carries[0].after, 1u);
  EXPECT_EQ(trace->steps[0].carries[0].before, 0u);
  EXPECT_THAT(trace->phases, ElementsAre("denoise", "decode"));
}

TEST(tensor_trace, an_expanded_dimension_counts_once) {
  const TensorUse use{
      .storage = 0, .offset = 0, .dtype = DType::f16, .sizes = {8, 4}, .strides = {0, 1}};
  EXPECT_EQ(use.tensor_bytes(), 8);
}

TEST(tensor_trace, an_empty_tensor_has_no_bytes) {
  const TensorUse use{
      .storage = 0, .offset = 0, .dtype = DType::f32, .sizes = {0, 4}, .strides = {4, 1}};
  EXPECT_EQ(use.tensor_bytes(), 0);
}

}  // namespace
}  // namespace diffram::trace
