// The right column of dramsim3-behaviour.md 15: what a native controller must do where DRAMsim3
// does otherwise, row by row. Rows 2, 13, 14 (reading of traces, keys and counts), 12 and 15
// (energy, data) are other rooms'; row 10 is ddr4_issues_test.cpp. Both models must do it.

#include <gtest/gtest.h>

#include "oracle/difference.h"
#include "oracle/model.h"
#include "oracle/ramulator_cases.h"
#include "spec/address_map.h"

namespace diffram::oracle {
namespace {

using base::Direction;
using spec::Command;

constexpr std::uint64_t kRowStride = 8192 * 16;

/// Map "row, rank, bank, group, column": rows of bank 0 are kRowStride bytes apart.
spec::MemorySpec memory(std::uint32_t ranks = 1) {
  auto spec = ramulator_ddr4(ranks);
  spec.timings["nREFI"] = 0;
  spec.map = *spec::build_address_map("ro ra ba bg co ch", {}, spec.organisation);
  return spec;
}

TimedRequest at(std::uint64_t address, Direction direction = Direction::read,
                std::int64_t arrival = 0, std::uint64_t bytes = 64) {
  return {{address, bytes, base::kNoOrigin, direction}, arrival};
}

std::vector<std::int64_t> cycles_of(const Outcome& out, Command command) {
  std::vector<std::int64_t> cycles;
  for (const auto& c : out.commands) {
    if (c.command == command) cycles.push_back(c.cycle);
  }
  return cycles;
}

// Row 1: one injection a cycle for the whole system, head-of-line blocking.
TEST(ReferenceQuirk, row_1_channels_do_not_block_each_other) {
  auto spec = memory();
  spec.organisation.channels = 2;
  spec.map = *spec::build_address_map("ro ra ba bg co ch", {}, spec.organisation);
  std::vector<TimedRequest> both, own;
  for (std::uint64_t i = 0; i < 300; ++i) {
    both.push_back(at(i * 2 * kRowStride));  // conflicts that fill channel 0
    if (i % 10 == 0) both.push_back(at(i * 64 + 64));
    if (i % 10 == 0) own.push_back(at(i * 64 + 64));
  }
  for (const auto& model : kModels)
    EXPECT_EQ(model.run(spec, 1, both, {}).commands, model.run(spec, 1, own, {}).commands)
        << model.name;
}

// Row 3: drain that is cancelled and armed again for ever; 17: "the read of A never returns".
TEST(ReferenceQuirk, row_3_a_write_behind_a_read_of_its_line_lets_both_end) {
  std::vector<TimedRequest> requests = {at(0), at(0, Direction::write)};
  for (std::uint64_t i = 1; i <= 8; ++i) requests.push_back(at(i * kRowStride, Direction::write));
  for (const auto& model : kModels)
    EXPECT_EQ(model.run(memory(), 0, requests, {}).completions.size(), requests.size())
        << model.name;
}

// Row 4: eight writes or fewer never leave (also gem5#2493).
TEST(ReferenceQuirk, row_4_writes_below_every_mark_are_drained) {
  for (std::uint64_t count = 1; count <= 8; ++count) {
    std::vector<TimedRequest> requests;
    for (std::uint64_t i = 0; i < count; ++i) requests.push_back(at(i * 64, Direction::write));
    for (const auto& model : kModels)
      EXPECT_EQ(model.run(memory(), 0, requests, {}).completions.size(), count) << model.name;
  }
}

// Row 5: exact-address match; two readers of a line share one reply.
TEST(ReferenceQuirk, row_5_addresses_match_by_burst_and_each_request_is_answered) {
  const std::vector<TimedRequest> requests = {
      at(0, Direction::write), at(32, Direction::read, 0, 8),
      at(kRowStride + 8, Direction::read, 0, 8), at(kRowStride + 16, Direction::read, 0, 8)};
  for (const auto& model : kModels) {
    const auto out = model.run(memory(), 0, requests, {});
    EXPECT_EQ(out.rows.forwarded, 1) << model.name;
    EXPECT_EQ(out.completions.size(), 4u) << model.name;
    EXPECT_NE(out.completions.at(2), out.completions.at(3)) << model.name;
  }
}

// Row 6: every hit moves the precharge by tRTP; with tRTP above tCCD a conflict starves.
TEST(ReferenceQuirk, row_6_hits_faster_than_tRTP_do_not_starve_a_conflict) {
  auto spec = memory();
  ASSERT_GT(spec.timing("nRTP"), spec.timing("nCCD_S"));
  spec.controller.row_hit_cap = 16;
  std::vector<TimedRequest> requests = {at(0), at(kRowStride)};
  for (std::uint64_t i = 0; i < 2000; ++i) requests.push_back(at(i % 100 * 64));
  for (const char* scheduler : {"frfcfs", "frfcfs-strict", "frfcfs-grouped", "fcfs"}) {
    spec.controller.scheduler = scheduler;
    for (const auto& model : kModels)
      EXPECT_LT(model.run(spec, 0, requests, {}).completions.at(1), 400)
          << model.name << ", " << scheduler;
  }
}

// Row 7: round robin over queues. Here the oldest of those that can go does, wherever it lies.
TEST(ReferenceQuirk, row_7_the_oldest_ready_burst_goes_first) {
  std::vector<TimedRequest> requests = {at(8192 * 3), at(8192 * 9), at(8192 * 1)};  // banks 3, 9, 1
  for (std::uint64_t bank : {9, 1, 3}) requests.push_back(at(8192 * bank + 64));
  for (const auto& model : kModels) {
    const auto out = model.run(memory(), 0, requests, {});
    std::vector<std::uint32_t> banks;
    for (const auto& c : out.commands) {
      if (c.command == Command::ACT) banks.push_back(c.bank_group + 4 * c.bank);
    }
    EXPECT_EQ(out.completions.size(), 6u);
    ASSERT_EQ(banks.size(), 3u) << model.name;
    EXPECT_LT(out.completions.at(0), out.completions.at(1)) << model.name;
    EXPECT_LT(out.completions.at(1), out.completions.at(2)) << model.name;
  }
}

/// HBM2 with one channel; every burst of its addresses is in it.
spec::MemorySpec hbm2(const char* refresh_scope) {
  auto spec = spec::load_memory({DIFFRAM_SOURCE_DIR "/specs"}, "hbm2-2000-4g-8ch",
                                {{"controller.refresh_scope", refresh_scope}});
  if (!spec) throw std::runtime_error(spec.error().front().text());
  spec->organisation.channels = spec->organisation.pseudo_channels = 1;
  spec->map = *spec::build_address_map("ro ba bg co", {}, spec->organisation);
  return *spec;
}

/// Bursts anywhere in the memory, `every` so many cycles one; a third are writes.
std::vector<TimedRequest> scattered(const spec::MemorySpec& spec, std::int64_t count,
                                    std::int64_t every) {
  std::vector<TimedRequest> requests;
  const std::uint64_t bytes = spec.organisation.burst_bytes();
  std::uint64_t random = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t address = (random >> 24) % (spec.organisation.capacity_bytes() / bytes);
    requests.push_back(
        at(address * bytes, i % 3 == 0 ? Direction::write : Direction::read, i * every, bytes));
  }
  return requests;
}

// Row 8: where row and column commands have a bus each, a column command that was picked and may
// not issue was thrown away with its request.
TEST(ReferenceQuirk, row_8_two_commands_in_a_cycle_and_none_is_lost) {
  const auto spec = hbm2("all_bank");
  ASSERT_TRUE(spec.protocol.split_buses);
  const auto requests = scattered(spec, 4000, 0);
  for (const auto& model : kModels) {
    const auto out = model.run(spec, 0, requests, {});
    EXPECT_EQ(out.completions.size(), requests.size()) << model.name;
    std::int64_t columns = 0, pairs = 0;
    for (std::size_t i = 0; i < out.commands.size(); ++i) {
      const bool is_column =
          out.commands[i].command == Command::RD || out.commands[i].command == Command::WR;
      columns += is_column;
      pairs += i > 0 && out.commands[i].cycle == out.commands[i - 1].cycle;
    }
    EXPECT_GT(pairs, 100) << model.name;
    EXPECT_EQ(columns + out.rows.forwarded, 4000) << model.name;
    EXPECT_EQ(breach_of(spec, out), "") << model.name;
  }
}

// Row 9: SIMULTANEOUS refreshes rank 0 only.
TEST(ReferenceQuirk, row_9_simultaneous_refresh_reaches_every_rank) {
  auto spec = memory(4);
  spec.timings["nREFI"] = ramulator_timings().at("nREFI");
  spec.controller.refresh_stagger = false;
  for (const auto& model : kModels) {
    const auto out = model.run(spec, 0, {}, {false, 2 * spec.timing("nREFI") + 10});
    std::map<std::uint32_t, int> refreshes;
    for (const auto& c : out.commands) refreshes[c.rank] += c.command == Command::REFab;
    EXPECT_EQ(refreshes, (std::map<std::uint32_t, int>{{0, 2}, {1, 2}, {2, 2}, {3, 2}}))
        << model.name;
  }
}

// Row 9: REFB kept the other banks of the rank away and not its own, for tRFC instead of tRFCb.
TEST(ReferenceQuirk, row_9_a_refresh_of_a_bank_keeps_that_bank_and_no_other) {
  const auto spec = hbm2("per_bank");
  constexpr std::int64_t kEvery = 4;
  const auto requests = scattered(spec, 40 * spec.timing("nREFIpb") / kEvery, kEvery);
  for (const auto& model : kModels) {
    const auto out = model.run(spec, 0, requests, {});
    EXPECT_EQ(out.completions.size(), requests.size()) << model.name;
    std::int64_t other_banks = 0;
    std::map<std::uint32_t, std::int64_t> refreshed;  // by bank, the last REFpb
    std::int64_t last = -1;
    for (const auto& c : out.commands) {
      const std::uint32_t bank = c.bank_group * spec.organisation.banks_per_group + c.bank;
      if (c.command == Command::REFpb) refreshed[bank] = last = c.cycle;
      if (c.command != Command::ACT) continue;
      if (refreshed.contains(bank)) {  // times count from the second cycle of the ACT
        ASSERT_GE(c.cycle + 1 - refreshed[bank], spec.timing("nRFCpb")) << model.name;
      }
      other_banks += last >= 0 && c.cycle - last < spec.timing("nRFCpb");
    }
    EXPECT_GE(refreshed.size(), 16u) << model.name;  // each of the rank in its turn
    EXPECT_GT(other_banks, 20) << model.name;        // go on beside it
    EXPECT_EQ(breach_of(spec, out), "") << model.name;
  }
}

spec::MemorySpec sleeper(std::uint32_t after) {
  auto spec = memory(2);
  spec.controller.self_refresh_after = after;
  return spec;
}

// Row 11: a rank sleeps once, before its first request; an arrival shortly after its entry aborts.
TEST(ReferenceQuirk, row_11_a_rank_sleeps_again_after_each_idle_stretch) {
  std::vector<TimedRequest> requests;
  for (std::int64_t i = 1; i <= 5; ++i) requests.push_back(at(0, Direction::read, 5000 * i));
  for (const auto& model : kModels) {
    const auto out = model.run(sleeper(100), 0, requests, {});
    std::int64_t entries = 0, exits = 0;
    for (const auto& c : out.commands) {
      entries += c.rank == 0 && c.command == Command::SREFE;
      exits += c.rank == 0 && c.command == Command::SREFX;
    }
    EXPECT_EQ(entries, 5) << model.name;
    EXPECT_EQ(exits, 5) << model.name;
    EXPECT_EQ(out.completions.size(), 5u) << model.name;
  }
}

// Behaviour text 17: any `READ 48` … `READ 55` ends the reference with exit 255.
TEST(ReferenceQuirk, row_11_an_arrival_at_any_cycle_around_the_entry_is_served) {
  const auto spec = sleeper(49);
  for (std::int64_t arrival = 40; arrival < 80; ++arrival) {
    const std::vector<TimedRequest> requests = {at(0, Direction::read, arrival)};
    for (const auto& model : kModels) {
      const auto out = model.run(spec, 0, requests, {});
      ASSERT_EQ(out.completions.size(), 1u) << model.name << " at " << arrival;
      const auto exits = cycles_of(out, Command::SREFX);
      if (exits.empty()) continue;
      EXPECT_GE(cycles_of(out, Command::ACT).at(0) - exits[0], spec.timing("nXS")) << model.name;
      EXPECT_GE(cycles_of(out, Command::RD).at(0) - exits[0], spec.timing("nXSDLL")) << model.name;
      EXPECT_GE(exits[0] - cycles_of(out, Command::SREFE).at(0), spec.timing("nCKE") + 1)
          << model.name;
    }
  }
}

// ramulator2#58, #65, #66, #128: random reads for longer than nREFI with an open page.
TEST(ControllerIssue, ramulator2_58_refresh_comes_once_an_interval_and_work_goes_on) {
  auto spec = memory();
  spec.timings["nREFI"] = ramulator_timings().at("nREFI");
  const std::int64_t interval = spec.timing("nREFI");
  std::vector<TimedRequest> requests;
  std::uint64_t address = 1;
  for (std::int64_t t = 0; t < 12 * interval; t += 20) {
    address = address * 6364136223846793005u + 1442695040888963407u;
    requests.push_back(at((address >> 30) % (1u << 30) / 64 * 64, Direction::read, t));
  }
  for (const std::uint32_t postpone : {0u, 7u}) {
    spec.controller.refresh_postpone = postpone;
    for (const auto& model : kModels) {
      const auto out = model.run(spec, 0, requests, {});
      EXPECT_EQ(out.completions.size(), requests.size()) << model.name;
      const auto refreshes = cycles_of(out, Command::REFab);
      const std::int64_t due = out.end / interval;
      EXPECT_LE(static_cast<std::int64_t>(refreshes.size()), due) << model.name;
      EXPECT_GE(static_cast<std::int64_t>(refreshes.size()), due - postpone - 1) << model.name;
      // The n-th REFab comes after its due cycle, and no later than `postpone` dues and a turn.
      for (std::size_t n = 0; n < refreshes.size(); ++n) {
        const auto owed = static_cast<std::int64_t>(n + 1) * interval;
        EXPECT_GE(refreshes[n], owed) << model.name;
        EXPECT_LE(refreshes[n], owed + (postpone + 1) * interval) << model.name;
      }
    }
  }
}

}  // namespace
}  // namespace diffram::oracle
