// One trace for all batches, and the traces that are shipped.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "trace/written_trace.h"

namespace diffram::trace {
namespace {

using testing::ElementsAre;

TEST(affine_trace, is_its_first_batch_when_none_is_asked_for) {
  const auto trace = read_lines(with_line(
      affine_copy(), 7, R"({"e":"end","events":3,"read":32,"write":32,"mac":0,"d":[16,16,5]})"));
  ASSERT_TRUE(trace) << trace.error().front().text();
  EXPECT_EQ(trace->batch, 2);
  EXPECT_EQ(trace->storages[0].bytes, 64);
}

TEST(affine_trace, every_number_grows_by_its_slope) {
  const auto trace = read_lines(affine_copy(), 5);
  ASSERT_TRUE(trace) << trace.error().front().text();
  EXPECT_EQ(trace->batch, 5);
  EXPECT_EQ(trace->storages[0].bytes, 64 + 3 * 16);
  const Op& op = trace->steps[0].ops[0];
  EXPECT_THAT(op.reads[0].sizes, ElementsAre(5, 4));
  EXPECT_THAT(op.reads[0].strides, ElementsAre(4, 1));
  EXPECT_EQ(op.reads[0].offset, 32);
  EXPECT_EQ(op.macs, 15) << "absent, so 0, and 5 an image";
  EXPECT_THAT(op.attribute("rows")->numbers, ElementsAre(5, 7));
  EXPECT_THAT(op.attribute("scale")->numbers, ElementsAre(2)) << "no whole number, no slope";
}

TEST(affine_trace, the_order_of_attributes_in_the_file_is_the_order_of_their_slopes) {
  auto lines = affine_copy();
  lines[6] =
      R"({"e":"op","i":0,"f":0,"m":-1,"x":"f","r":[[0,32,0,[2,4],[4,1]]],"w":[[1,0,0,[2,4],[4,1]]],"a":{"z":1,"a":1},"d":[0,1,0,0,0,0,1,0,0,0,5,7,0]})";
  const auto trace = read_lines(lines, 3);
  ASSERT_TRUE(trace) << trace.error().front().text();
  EXPECT_THAT(trace->steps[0].ops[0].attribute("z")->numbers, ElementsAre(8));
  EXPECT_THAT(trace->steps[0].ops[0].attribute("a")->numbers, ElementsAre(1));
}

TEST(affine_trace, has_no_meaning_below_its_first_batch) {
  const auto trace = read_lines(affine_copy(), 1);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().front().code, "wrong_batch");
  EXPECT_EQ(trace.error().front().line, 1);
}

TEST(affine_trace, needs_one_slope_for_each_number) {
  auto lines = affine_copy();
  lines[2] = R"({"e":"sto","id":0,"bytes":64,"cls":"input","pre":1,"mod":-1,"d":[16,1]})";
  EXPECT_EQ(read_lines(lines, 3).error().front().code, "slope_count");
}

TEST(affine_trace, numbers_that_leave_64_bits_at_the_batch_are_refused) {
  auto lines = affine_copy();
  lines[2] =
      R"({"e":"sto","id":0,"bytes":64,"cls":"input","pre":1,"mod":-1,"d":[9223372036854775807]})";
  EXPECT_EQ(read_lines(lines, 4).error().front().field, "d[0]");
  lines[2] = R"({"e":"sto","id":0,"bytes":64,"cls":"input","pre":1,"mod":-1,"d":[-64]})";
  EXPECT_EQ(read_lines(lines, 4).error().front().field, "bytes");
}

TEST(affine_trace, the_totals_are_proved_at_the_batch_asked_for) {
  auto lines = affine_copy();
  lines[7] = R"({"e":"end","events":3,"read":32,"write":32,"mac":0,"d":[16,15,5]})";
  EXPECT_TRUE(read_lines(lines, 2));
  EXPECT_EQ(read_lines(lines, 3).error().front().code, "totals_differ");
}

TEST(affine_trace, another_trace_holds_its_own_batch_only) {
  EXPECT_TRUE(read_lines(linear_layer(), 2));
  const auto trace = read_lines(linear_layer(), 3);
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().front().code, "wrong_batch");
}

std::vector<std::string> shipped_traces() {
  std::vector<std::string> files;
  const auto folder = std::filesystem::path(DIFFRAM_SOURCE_DIR) / "specs/workloads";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().string().ends_with(".dft.zst")) files.push_back(entry.path().string());
  }
  return files;
}

TEST(shipped_traces, are_read_and_their_totals_proved) {
  ASSERT_FALSE(shipped_traces().empty());
  for (const auto& file : shipped_traces()) {
    const auto trace = read_tensor_trace(file);
    ASSERT_TRUE(trace) << trace.error().front().text();
    EXPECT_GT(trace->steps.size(), 1u);
    for (const auto& step : trace->steps) {
      for (const auto& op : step.ops) {
        std::size_t reads = 0;
        for (const auto& role : trace->functions[op.function].reads) reads += role.count;
        ASSERT_EQ(op.reads.size(), reads) << file << ": op " << op.index;
      }
    }
  }
}

TEST(shipped_traces, that_are_affine_hold_at_other_batches) {
  int affine = 0;
  for (const auto& file : shipped_traces()) {
    const auto first = read_tensor_trace(file);
    ASSERT_TRUE(first);
    const auto other = read_tensor_trace(file, first->batch + 5);
    if (!other && other.error().front().code == "wrong_batch") continue;
    ASSERT_TRUE(other) << other.error().front().text();
    EXPECT_EQ(other->batch, first->batch + 5);
    ++affine;
  }
  EXPECT_GT(affine, 0);
}

TEST(shipped_traces, a_sampling_run_has_fifty_denoising_steps) {
  const auto trace =
      read_tensor_trace(std::string(DIFFRAM_SOURCE_DIR) + "/specs/workloads/sd14-sample.dft.zst");
  ASSERT_TRUE(trace) << trace.error().front().text();
  std::int64_t denoising = 0;
  for (const auto& step : trace->steps) {
    const auto phase = trace->phases[step.events.front().index];
    if (phase == "sampling") denoising += step.times;
  }
  EXPECT_EQ(denoising, 50);
}

}  // namespace
}  // namespace diffram::trace
