// Request lists with a known command stream: Ramulator's DDR4 controller cases, and public bug
// reports about controllers (peer_cases "issues"). Both models must give it.

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/model.h"
#include "oracle/ramulator_cases.h"
#include "spec/address_map.h"

namespace diffram::oracle {
namespace {

using spec::Command;

/// One rank, map "row, bank, group, column": rows of bank 0 are `kRowStride` bytes apart.
spec::MemorySpec one_rank() {
  auto spec = ramulator_ddr4(1);
  spec.timings["nREFI"] = 0;
  spec.map = *spec::build_address_map("ro ra ba bg co ch", {}, spec.organisation);
  return spec;
}
constexpr std::uint64_t kRowStride = 8192 * 16;

TimedRequest request(std::uint64_t row, std::uint64_t column,
                     base::Direction direction = base::Direction::read, std::int64_t arrival = 0) {
  return {{row * kRowStride + column * 64, 64, base::kNoOrigin, direction}, arrival};
}

std::vector<std::string> names(const Outcome& outcome) {
  std::vector<std::string> out;
  for (const auto& c : outcome.commands) {
    const std::string name = spec::name_of(c.command);
    out.push_back(name == "PRE" ? "PREpb" : name);
  }
  return out;
}

const nlohmann::json& ramulator_case(const std::string& id) {
  for (const auto& c : ramulator_cases()["controller"]) {
    if (c["id"] == id) return c;
  }
  throw std::runtime_error("no case " + id);
}

TEST(RamulatorController, ctl_1_closed_bank_is_opened_then_read) {
  for (const auto& model : kModels) {
    const auto out = model.run(one_rank(), 0, {request(0, 0)}, {});
    const auto& expected = ramulator_case("ctl-1");
    EXPECT_EQ(names(out), expected["expect"].get<std::vector<std::string>>()) << model.name;
    ASSERT_EQ(out.commands.size(), 2u);
    EXPECT_EQ(out.commands[1].cycle - out.commands[0].cycle, expected["gaps"][0].get<int>());
  }
}

TEST(RamulatorController, ctl_3_row_conflict_waits_for_tRAS_tRP_and_tRCD) {
  for (const auto& model : kModels) {
    const auto out = model.run(one_rank(), 0, {request(0, 0), request(1, 0)}, {});
    const auto& expected = ramulator_case("ctl-3");
    EXPECT_EQ(names(out), expected["expect"].get<std::vector<std::string>>()) << model.name;
    ASSERT_EQ(out.commands.size(), 5u);
    const auto& gaps = expected["gaps_between"];
    EXPECT_EQ(out.commands[2].cycle - out.commands[0].cycle, gaps["ACT0->PREpb"].get<int>());
    EXPECT_EQ(out.commands[3].cycle - out.commands[2].cycle, gaps["PREpb->ACT1"].get<int>());
    EXPECT_EQ(out.commands[4].cycle - out.commands[3].cycle, gaps["ACT1->RD1"].get<int>());
  }
}

TEST(RamulatorController, ctl_4_row_hit_overtakes_a_conflict) {
  for (const auto& model : kModels) {
    const auto out = model.run(one_rank(), 0, {request(0, 0), request(1, 0), request(0, 1)}, {});
    EXPECT_EQ(names(out), ramulator_case("ctl-4")["expect"].get<std::vector<std::string>>())
        << model.name;
    EXPECT_LT(out.completions.at(2), out.completions.at(1));
  }
}

// ref-1: four ranks, tRFC below tREFI = 8, no stagger. The first refresh is at 8, the fifth at 16.
TEST(RamulatorController, ref_1_all_ranks_are_refreshed_in_order) {
  auto spec = ramulator_ddr4(4);
  auto timings = spec.timings;
  timings["nREFI"] = 8;
  timings["nRFC"] = 6;
  spec.timings = timings;
  spec.constraints =
      *spec::resolve_constraints({DIFFRAM_SOURCE_DIR "/specs"}, "DDR4", timings, spec.rules);
  spec.controller.refresh_stagger = false;
  spec.map = *spec::build_address_map("ro ra ba bg co ch", {}, spec.organisation);
  for (const auto& model : kModels) {
    const auto out = model.run(spec, 0, {}, {false, 20});
    ASSERT_EQ(out.commands.size(), 8u) << model.name;
    for (std::uint32_t i = 0; i < 8; ++i) {
      EXPECT_EQ(out.commands[i].command, Command::REFab);
      EXPECT_EQ(out.commands[i].rank, i % 4) << model.name;
    }
    EXPECT_EQ(out.commands[0].cycle, 8) << model.name;
    EXPECT_EQ(out.commands[4].cycle, 16) << model.name;
  }
}

TEST(ControllerIssue, ramulator2_113_alternating_rows_are_conflicts) {
  std::vector<TimedRequest> requests;
  for (std::uint64_t i = 0; i < 10; ++i)
    requests.push_back(
        request(i % 2, 0, base::Direction::read, 200 * static_cast<std::int64_t>(i)));
  for (const auto& model : kModels) {
    const auto out = model.run(one_rank(), 0, requests, {});
    EXPECT_EQ(out.rows, (naive::Outcomes{0, 1, 9, 0})) << model.name;
  }
}

TEST(ControllerIssue, ramulator2_100_few_writes_then_silence_are_drained) {
  std::vector<TimedRequest> requests;
  for (std::uint64_t i = 0; i < 5; ++i) requests.push_back(request(i, 0, base::Direction::write));
  for (const auto& model : kModels) {
    const auto out = model.run(one_rank(), 0, requests, {});
    EXPECT_EQ(out.completions.size(), 5u) << model.name;
  }
}

TEST(ControllerIssue, ramulator_72_writes_between_the_watermarks_end) {
  auto spec = one_rank();
  spec.controller.write_low = 4;
  spec.controller.write_high = 16;
  std::vector<TimedRequest> requests;
  for (std::uint64_t i = 0; i < 10; ++i)
    requests.push_back(request(i, 0, i == 9 ? base::Direction::read : base::Direction::write));
  for (const auto& model : kModels)
    EXPECT_EQ(model.run(spec, 0, requests, {}).completions.size(), 10u) << model.name;
}

TEST(ControllerIssue, ramulator2_165_refresh_is_not_jumped_over) {
  auto spec = one_rank();
  spec.timings["nREFI"] = 1000;
  const std::vector<TimedRequest> requests = {request(0, 0, base::Direction::read, 10'001)};
  for (const auto& model : kModels) {
    const auto out = model.run(spec, 0, requests, {});
    EXPECT_EQ(std::count_if(out.commands.begin(), out.commands.end(),
                            [](const auto& c) { return c.command == Command::REFab; }),
              10)
        << model.name;
  }
}

TEST(ControllerIssue, dramsim3_2_read_after_write_is_forwarded_without_deadlock) {
  std::vector<TimedRequest> requests = {request(0, 0, base::Direction::write), request(0, 0)};
  for (std::uint64_t i = 1; i < 200; ++i) requests.push_back(request(i, 0, base::Direction::write));
  for (const auto& model : kModels) {
    const auto out = model.run(one_rank(), 0, requests, {});
    EXPECT_EQ(out.completions.size(), requests.size()) << model.name;
    EXPECT_EQ(out.completions.at(1), 1) << model.name;
    EXPECT_EQ(out.rows.forwarded, 1) << model.name;
  }
}

TEST(ControllerIssue, every_rank_is_refreshed_each_interval) {
  auto spec = ramulator_ddr4(2);
  spec.map = *spec::build_address_map("ro ra ba bg co ch", {}, spec.organisation);
  const auto interval = spec.timing("nREFI");
  for (const auto& model : kModels) {
    const auto out = model.run(spec, 0, {}, {false, 3 * interval + 1});
    std::map<std::uint32_t, int> refreshes;
    for (const auto& c : out.commands) ++refreshes[c.rank];
    EXPECT_EQ(refreshes, (std::map<std::uint32_t, int>{{0, 3}, {1, 3}})) << model.name;
  }
}

}  // namespace
}  // namespace diffram::oracle
