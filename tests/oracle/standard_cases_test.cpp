// Ramulator's controller cases of other standards than DDR4, and public bug reports that concern a
// standard, each by its name (peer_cases "issues").

#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/legality.h"
#include "oracle/model.h"
#include "oracle/ramulator_standards.h"
#include "spec/address_map.h"
#include "spec/standard.h"

namespace diffram::oracle {
namespace {

using spec::Command;

const spec::SpecFolders kFolders{DIFFRAM_SOURCE_DIR "/specs"};

spec::MemorySpec shipped(const std::string& name) {
  auto memory = spec::load_memory(kFolders, name);
  if (!memory) throw std::runtime_error(memory.error().front().text());
  return *memory;
}

/// One channel of a memory; consecutive bursts are those of a row.
spec::MemorySpec one_channel(const std::string& name) {
  auto memory = shipped(name);
  memory.organisation.channels = memory.organisation.pseudo_channels = 1;
  memory.map = *spec::build_address_map("ro ra ba bg co ch", {}, memory.organisation);
  return memory;
}

TimedRequest read_of(std::uint64_t address, std::uint64_t bytes, std::int64_t arrival = 0) {
  return {{address, bytes, base::kNoOrigin, base::Direction::read}, arrival};
}

std::vector<Command> kinds(const Outcome& outcome) {
  std::vector<Command> out;
  for (const auto& c : outcome.commands) out.push_back(c.command);
  return out;
}

std::int64_t count(const Outcome& outcome, Command command) {
  return std::count_if(outcome.commands.begin(), outcome.commands.end(),
                       [&](const auto& c) { return c.command == command; });
}

std::int64_t gap(const spec::MemorySpec& spec, Command before, const naive::Place& at,
                 Command after, const naive::Place& other) {
  std::int64_t found = -1;
  for (const auto& judge : judges()) {
    const auto legality = judge.make(spec);
    legality->issue(before, at, 100);
    const auto cycles = legality->earliest(after, other, 100) - 100;
    EXPECT_TRUE(found < 0 || found == cycles) << judge.name;
    found = cycles;
  }
  return found;
}

// ctl-6: a conflicting read that came early waits for the row's 64 columns.
TEST(RamulatorController, ctl_6_gddr6_serves_a_row_before_its_single_precharge) {
  auto memory = one_channel("gddr6-14000-4g-8ch");
  memory.timings["nREFI"] = 0;
  const auto row = memory.organisation.row_bytes();
  const auto other_row = row * memory.organisation.banks();
  ASSERT_EQ(memory.organisation.bursts_per_row(), 64u);
  std::vector<TimedRequest> requests = {read_of(0, 32), read_of(other_row, 32)};
  for (std::uint64_t i = 1; i < 64; ++i) requests.push_back(read_of(32 * i, 32));
  for (const auto& model : kModels) {
    const auto out = model.run(memory, 0, requests, {});
    EXPECT_EQ(count(out, Command::PRE), 1) << model.name;
    const auto closed = std::find_if(out.commands.begin(), out.commands.end(),
                                     [](const auto& c) { return c.command == Command::PRE; });
    EXPECT_EQ(std::count_if(out.commands.begin(), closed,
                            [](const auto& c) { return c.command == Command::RD; }),
              64)
        << model.name;
  }
}

// lp5-1, lp6-1: ACT stands for ACT1 and ACT2.
TEST(RamulatorController, lp5_1_lp6_1_a_read_is_ACT_CAS_RD) {
  for (const char* name : {"lpddr5-6400-8g-4ch", "lpddr6-10667-8g-4ch"}) {
    for (const auto& model : kModels) {
      const auto out = model.run(one_channel(name), 0, {read_of(0, 32)}, {});
      EXPECT_EQ(kinds(out), (std::vector<Command>{Command::ACT, Command::CAS_RD, Command::RD}))
          << name << " " << model.name;
    }
  }
  EXPECT_EQ(shipped("lpddr6-10667-8g-4ch").organisation.burst_bytes(), 32u);
}

spec::Standard standard(const std::string& name) {
  return *spec::parse_standard(*spec::read_standard(kFolders, name));
}

TEST(RamulatorController, lp5_4_lp5_5_refresh_times_by_density) {
  const std::map<std::int64_t, double> all = {{2, 130}, {4, 180}, {8, 210}, {16, 280}, {32, 380}};
  const std::map<std::int64_t, double> part = {{2, 60}, {4, 90}, {8, 120}, {16, 140}, {32, 190}};
  EXPECT_EQ(standard("lpddr5").laws.refresh_ns_by_gigabits, all);
  EXPECT_EQ(standard("lpddr5").laws.part_refresh_ns, part);
}

TEST(RamulatorController, lp5_6_refresh_of_8_Gb_at_800_MHz) {
  const auto memory = memory_of("LPDDR5");
  const naive::Place home{0, 0, 0, 0, 0}, other{0, 1, 0, 0, 0};
  EXPECT_EQ(gap(memory, Command::REFab, home, Command::ACT, other), 168);
  EXPECT_EQ(gap(memory, Command::REFpb, home, Command::ACT, home), 96);
  EXPECT_EQ(gap(memory, Command::REFpb, home, Command::REFpb, other), 72);
  EXPECT_EQ(gap(memory, Command::REFpb, home, Command::ACT, other), 6);
}

TEST(RamulatorController, hbm3_1_hbm4_1_column_and_refresh_distances_in_half_clocks) {
  const naive::Place home{0, 0, 0, 0, 0}, same_group{0, 0, 1, 0, 0}, other_group{0, 1, 0, 0, 0},
      other_pseudo{1, 0, 0, 0, 0};
  for (const auto& [name, other_stack, refresh] :
       {std::tuple{"HBM3", 6, 16}, std::tuple{"HBM4", 4, 32}}) {
    const auto memory = memory_of(name);
    const naive::Place stack{0, memory.organisation.groups_per_stack(), 0, 0, 0};
    EXPECT_EQ(gap(memory, Command::RD, home, Command::RD, other_group), 4) << name;
    EXPECT_EQ(gap(memory, Command::RD, home, Command::RD, same_group), 8) << name;
    EXPECT_EQ(gap(memory, Command::RD, home, Command::RD, stack), other_stack) << name;
    EXPECT_EQ(gap(memory, Command::WR, home, Command::WR, stack), 4) << name;
    EXPECT_EQ(gap(memory, Command::PRE, home, Command::PRE, other_group), 4) << name;
    EXPECT_EQ(gap(memory, Command::REFpb, home, Command::REFpb, other_group), refresh) << name;
    EXPECT_EQ(gap(memory, Command::RD, home, Command::RD, other_pseudo), 2) << name;
  }
}

// hbm34-1: PRE beside ACT on the row bus three half clocks later, REFpb on rising edges alone.
TEST(RamulatorController, hbm34_1_refreshes_of_banks_begin_with_a_clock_precharges_at_any_edge) {
  const naive::Place home{0, 0, 0, 0, 0}, other{0, 1, 0, 0, 0};
  EXPECT_EQ(gap(memory_of("HBM3"), Command::ACT, home, Command::PRE, other), 3);
  auto memory = one_channel("hbm3-6400-16g-16ch");
  memory.controller.refresh_by_parts = true;
  std::vector<TimedRequest> requests;
  for (std::uint64_t i = 0; i < 400; ++i)
    requests.push_back(read_of(i * 7919 * 1024, 32, 37 * static_cast<std::int64_t>(i)));
  for (const auto& model : kModels) {
    const auto out = model.run(memory, 0, requests, {});
    std::int64_t refreshes = 0, at_falling_edges = 0;
    for (const auto& c : out.commands) {
      if (c.command == Command::REFpb) {
        ++refreshes;
        EXPECT_EQ(c.cycle % 2, 0) << model.name;
      }
      at_falling_edges += c.command == Command::PRE && c.cycle % 2 == 1;
    }
    EXPECT_GT(refreshes, 20) << model.name;
    EXPECT_GT(at_falling_edges, 0) << model.name;
  }
}

TEST(StandardIssue, own_finding_lpddr5_write_after_read_of_another_rank) {
  EXPECT_EQ(gap(memory_of("LPDDR5"), Command::RD, {0, 0, 0, 0, 0}, Command::WR, {1, 0, 0, 0, 0}),
            12);
}

// 32,768 reads of 32 B in order: what two pseudo-channels give is 32 GB/s. Half of it, where a
// burst is counted twice, was the report.
TEST(StandardIssue, ramulator2_104_hbm2_reads_at_the_rate_of_its_bus) {
  const auto memory = one_channel("hbm2-2000-4g-8ch");
  ASSERT_EQ(memory.organisation.burst_bytes(), 32u);
  constexpr std::uint64_t kBytes = 32768 * 32 / 2;  // of one pseudo-channel
  const auto out = run_engine(memory, 0, {read_of(0, kBytes)}, {});
  EXPECT_EQ(count(out, Command::RD), kBytes / 32);
  const double gb_per_s =
      static_cast<double>(kBytes) / (static_cast<double>(out.end) * memory.clock.period_s()) / 1e9;
  EXPECT_GT(2 * gb_per_s, 0.9 * 32);
  EXPECT_LE(2 * gb_per_s, 32);
}

TEST(StandardIssue, ramulator2_116_hbm_columns_lose_the_burst_once) {
  EXPECT_EQ(shipped("hbm2-2000-4g-8ch").organisation.bursts_per_row(), 32u);
  EXPECT_EQ(shipped("hbm2-2000-4g-8ch").map.column.size(), 5u);
}

TEST(StandardIssue, ramulator2_129_hbm_without_ranks_is_refreshed) {
  const auto memory = shipped("hbm2-2000-4g-8ch");
  for (const auto& model : kModels) {
    const auto out = model.run(memory, 0, {}, {false, 3 * memory.timing("nREFI") + 1});
    EXPECT_EQ(count(out, Command::REFab), 3) << model.name;
  }
}

TEST(StandardIssue, ramulator2_58_lpddr5_is_refreshed_once_an_interval_under_load) {
  const auto memory = one_channel("lpddr5-6400-8g-4ch");
  std::vector<TimedRequest> requests;
  for (std::uint64_t i = 0; i < 3000; ++i)
    requests.push_back(read_of(i * 104'729 * 2048 % memory.organisation.capacity_bytes(), 32));
  const auto out = run_engine(memory, 0, requests, {});
  EXPECT_EQ(out.completions.size(), requests.size());
  EXPECT_EQ(count(out, Command::REFab), out.end / memory.timing("nREFI"));
  EXPECT_GE(count(out, Command::REFab), 3);
  EXPECT_LE(count(out, Command::PREA), count(out, Command::REFab));
}

TEST(StandardIssue, ramulator2_32_one_CAS_for_twenty_reads_of_a_row) {
  for (const auto& model : kModels) {
    const auto out = model.run(one_channel("lpddr5-6400-8g-4ch"), 0, {read_of(0, 20 * 32)}, {});
    EXPECT_EQ(count(out, Command::RD), 20) << model.name;
    EXPECT_EQ(count(out, Command::CAS_RD), 1) << model.name;
  }
}

TEST(StandardIssue, ramulator2_27_CAS_comes_right_before_its_read_or_write) {
  const auto memory = one_channel("lpddr5-6400-8g-4ch");
  std::vector<TimedRequest> requests;
  for (std::uint64_t i = 0; i < 300; ++i) {
    requests.push_back(read_of(i * 7919 * 512 % memory.organisation.capacity_bytes(), 32,
                               60 * static_cast<std::int64_t>(i / 2)));
    if (i % 3 == 0) requests.back().request.direction = base::Direction::write;
  }
  for (const auto& model : kModels) {
    const auto out = model.run(memory, 0, requests, {});
    EXPECT_GT(count(out, Command::CAS_RD), 10) << model.name;
    EXPECT_GE(count(out, Command::CAS_WR), 3) << model.name;
    Command last = Command::PRE;
    for (const auto& c : out.commands) {
      const bool read = c.command == Command::RD || c.command == Command::RDA;
      const bool write = c.command == Command::WR || c.command == Command::WRA;
      if (!read && !write && c.command != Command::CAS_RD && c.command != Command::CAS_WR) continue;
      EXPECT_TRUE(last != Command::CAS_RD || read) << model.name << " at " << c.cycle;
      EXPECT_TRUE(last != Command::CAS_WR || write) << model.name << " at " << c.cycle;
      last = c.command;
    }
  }
}

TEST(StandardIssue, ramulator2_28_lpddr5_activation_beside_a_refreshed_bank) {
  const auto memory = memory_of("LPDDR5");
  EXPECT_EQ(gap(memory, Command::REFpb, {0, 0, 0, 0, 0}, Command::ACT, {0, 0, 1, 0, 0}), 6);
  EXPECT_EQ(gap(memory, Command::ACT, {0, 0, 1, 0, 0}, Command::REFpb, {0, 0, 0, 0, 0}), 2);
}

TEST(StandardIssue, ramulator2_123_hbm_banks_are_refreshed_at_a_part_of_tREFI) {
  const auto memory = shipped("hbm2-2000-4g-8ch");
  EXPECT_EQ(memory.timing("nREFIpb"), memory.timing("nREFI") / 16);
  EXPECT_NE(memory.timing("nREFIpb"), memory.timing("nRFCpb"));
}

TEST(StandardIssue, ramulator2_140_hbm3_refresh_of_a_bank_after_that_of_all) {
  EXPECT_EQ(gap(memory_of("HBM3"), Command::REFab, {}, Command::REFpb, {}), 2 * 416);
}

TEST(StandardIssue, ramulator2_139_no_precharge_during_refresh_of_ddr3_and_gddr6) {
  EXPECT_EQ(gap(memory_of("DDR3"), Command::REFab, {}, Command::PREA, {}), 128);
  EXPECT_EQ(gap(memory_of("GDDR6"), Command::REFab, {}, Command::PREA, {}), 211);
}

TEST(StandardIssue, dramsys_37_ddr4_2400_refreshes_every_9360_cycles) {
  EXPECT_EQ(shipped("ddr4-2400-16g-2ch").timing("nREFI"), 9360);
}

TEST(StandardIssue, dramsys_60_lpddr4_3200_has_a_period_of_0_625_ns) {
  EXPECT_DOUBLE_EQ(shipped("lpddr4-3200-4g-4ch").clock.period_s() * 1e9, 0.625);
}

TEST(StandardIssue, dramsys_32_a_channel_of_one_x8_device_is_legal) {
  const auto memory =
      spec::load_memory(kFolders, "ddr4-3200-8g-2ch", {{"memory.organisation.bus_width", "8"}});
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->organisation.burst_bytes(), 8u);
  EXPECT_EQ(memory->organisation.devices(), 1u);
}

TEST(StandardIssue, gem5_3490_tWTR_of_ddr5_6400_is_the_turnaround_alone) {
  const auto memory = shipped("ddr5-6400-32g-4ch");
  const double ns = memory.timing("nWTR_L") * memory.clock.period_s() * 1e9;
  EXPECT_GE(ns, 2.5);
  EXPECT_LE(ns, 10.01);
  const auto row = gap(memory, Command::WR, {}, Command::RD, {});
  EXPECT_EQ(row, memory.timing("nCWL") + memory.timing("nBL") + memory.timing("nWTR_L"));
}

TEST(StandardIssue, ramulator2_33_a_period_of_five_sixths_of_a_nanosecond_keeps_its_fraction) {
  const auto memory = shipped("ddr4-2400-16g-2ch");
  EXPECT_EQ(memory.clock.numerator_fs() * 2400, 2'000'000'000 * memory.clock.denominator());
}

}  // namespace
}  // namespace diffram::oracle
