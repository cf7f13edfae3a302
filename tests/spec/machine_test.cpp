#include "spec/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "spec/describe.h"
#include "spec/shipped.h"

namespace diffram::spec {
namespace {

using testing::HasSubstr;

TEST(Machine, npu_edge_is_stated_whole) {
  const auto m = load_machine(shipped_folders(), "npu-edge");
  ASSERT_TRUE(m) << all_texts(m.error());
  EXPECT_EQ(m->memory, "ddr4-3200-8g-2ch");
  EXPECT_EQ(m->on_chip, OnChip::scratchpad);
  EXPECT_EQ(m->on_chip_bytes, std::uint64_t{8} << 20);
  EXPECT_EQ(m->array_rows, 128u);
  EXPECT_DOUBLE_EQ(m->array_rate.at("fp16"), 1.0);
  EXPECT_DOUBLE_EQ(m->array_rate.at("fp32"), 0.25);
  EXPECT_FALSE(m->not_modelled.empty());
}

// lowering.md 4: a stated efficiency has a source or is marked assumed.
TEST(Machine, every_efficiency_has_a_source_or_is_assumed) {
  const auto m = load_machine(shipped_folders(), "npu-edge");
  ASSERT_TRUE(m);
  for (const auto& [family, share] : m->efficiency) {
    EXPECT_GT(share, 0) << family;
    EXPECT_LE(share, 1) << family;
    const auto field = "machine.efficiency." + family;
    EXPECT_TRUE(std::any_of(m->provenance.begin(), m->provenance.end(), [&](const auto& v) {
      return v.field == field && v.source == "assumed";
    })) << field;
  }
}

TEST(Machine, own_memory_is_shipped) {
  for (const auto& name : list_machines(shipped_folders())) {
    const auto m = load_machine(shipped_folders(), name);
    ASSERT_TRUE(m) << all_texts(m.error());
    EXPECT_TRUE(load_memory(shipped_folders(), m->memory)) << name;
  }
}

TEST(Machine, overrides_and_their_errors) {
  const auto half = load_machine(shipped_folders(), "npu-edge",
                                 {{"machine.efficiency.gemm", "0.4"}, {"clock_mhz", "500"}});
  ASSERT_TRUE(half) << all_texts(half.error());
  EXPECT_DOUBLE_EQ(half->efficiency.at("gemm"), 0.4);
  EXPECT_DOUBLE_EQ(half->clock.hertz(), 5e8);
  const auto wrong = load_machine(shipped_folders(), "npu-edge",
                                  {{"efficiency.gemm", "1.4"}, {"clock_mhzz", "500"}});
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(has_error(wrong.error(), "out_of_range", "efficiency.gemm"));
  EXPECT_TRUE(has_error(wrong.error(), "unknown_key", "clock_mhzz"));
}

const char* const kWorkload = R"(
title = "two traces"
[[trace]]
file = "one.dft.zst"
images = "1"
[[trace]]
file = "many.dft.zst"
images = ">=2"
[[trace]]
file = "kept.dft.zst"
images = ">=2"
checkpointing = true
)";

TEST(Workload, chooses_the_trace_by_batch_and_checkpointing) {
  const auto file = [](WorkloadOptions options) {
    const auto w = parse_workload({"w.toml", kWorkload}, "here", options);
    return w ? w->trace_file + " " + std::to_string(w->trace_batch) : all_texts(w.error());
  };
  EXPECT_EQ(file({1, false}), "here/one.dft.zst 0");
  EXPECT_EQ(file({5, false}), "here/many.dft.zst 5");
  EXPECT_EQ(file({5, true}), "here/kept.dft.zst 5");
}

TEST(Workload, refuses_what_no_trace_serves) {
  const auto w =
      parse_workload({"w.toml", "[[trace]]\nfile = \"a\"\nimages = \"4\"\n"}, "here", {5, false});
  ASSERT_FALSE(w);
  EXPECT_EQ(w.error()[0].code, "no_trace");
  EXPECT_FALSE(parse_workload({"w.toml", kWorkload}, "here", {0, false}));
  EXPECT_FALSE(parse_workload({"w.toml", "title = \"none\"\n"}, "here", {}));
  EXPECT_FALSE(parse_workload({"w.toml", "[[trace]]\nfile = \"../secret\"\n"}, "here", {}));
  EXPECT_FALSE(parse_workload({"w.toml", "[[trace]]\nfile = \"a\"\nimagse = 1\n"}, "here", {}));
}

TEST(Describe, prints_what_follows_from_a_memory) {
  const auto m = load_memory(shipped_folders(), "ddr4-3200-8g-2ch");
  ASSERT_TRUE(m);
  const auto text = describe(*m);
  for (const char* part : {"8 GiB", "51.2 GB/s", "64 B", "31.25 ns closed bank", "3.33 %",
                           "channel    bit  0 = a6 ^ a22", "estimated", "unverified"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Describe, is_one_json_object_for_machines) {
  const auto memory = load_memory(shipped_folders(), "ddr4-3200-8g-2ch");
  const auto machine = load_machine(shipped_folders(), "npu-edge");
  ASSERT_TRUE(memory && machine);
  const auto m = nlohmann::json::parse(describe_json(*memory));
  EXPECT_EQ(m["capacity_bytes"], std::uint64_t{8} << 30);
  EXPECT_DOUBLE_EQ(m["idle_read_latency_ns"]["closed_bank"], 31.25);
  EXPECT_EQ(m["values"].size(), memory->provenance.size());
  const auto n = nlohmann::json::parse(describe_json(*machine));
  EXPECT_EQ(n["kind"], "machine");
  EXPECT_NEAR(n["peak_tmac_per_s"]["fp16"], 16.384, 1e-9);
}

TEST(Describe, tells_a_machine_file_from_a_memory_file) {
  const auto root = shipped_folders().root;
  EXPECT_TRUE(is_machine_file(root + "/machines/npu-edge.toml"));
  EXPECT_FALSE(is_machine_file(root + "/memories/ddr4-3200-8g-2ch.toml"));
  EXPECT_FALSE(is_machine_file(root + "/nothing.toml"));
}

}  // namespace
}  // namespace diffram::spec
