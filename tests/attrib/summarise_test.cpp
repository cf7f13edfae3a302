#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attrib/explain.h"
#include "attrib/random_run.h"
#include "attrib/small_run.h"
#include "attrib/wait_estimate.h"

namespace diffram::attrib {
namespace {

using ledger::RunRecord;

TEST(Summary, counts_every_record_by_its_weight) {
  const Summary s = summarise(small_run());
  EXPECT_EQ(s.cycles, 420);
  EXPECT_DOUBLE_EQ(s.time_s, 420e-9);
  EXPECT_EQ(s.column_commands, 80);
  EXPECT_EQ(s.row_hits, 74);
  EXPECT_EQ(s.row_misses, 4);
  EXPECT_EQ(s.row_conflicts, 2);
  EXPECT_EQ(s.bytes_read, 3840);
  EXPECT_EQ(s.bytes_written, 1280);
  EXPECT_EQ(s.flow.dram, 5120);
  EXPECT_DOUBLE_EQ(s.simulated_byte_share, 0.5);
  EXPECT_DOUBLE_EQ(s.memory_wait_share, 60.0 / 210);
  EXPECT_DOUBLE_EQ(s.compute_only_s, 280e-9);
  EXPECT_EQ(s.memory_only_s, -1);
}

TEST(Summary, repeated_loads_are_a_share_of_what_activations_read) {
  // 320 of x and 640 of y were read again, of 640 + 640 read.
  EXPECT_DOUBLE_EQ(summarise(small_run()).activation_repeated_load_share, 0.75);
}

TEST(Summary, latency_percentiles_are_by_nearest_rank) {
  const Summary s = summarise(small_run());
  EXPECT_DOUBLE_EQ(s.latency_p50_ns, 50);   // 15 of 30
  EXPECT_DOUBLE_EQ(s.latency_p95_ns, 200);  // 28 of 30 reach 93 %
  EXPECT_DOUBLE_EQ(s.latency_mean_ns, (15 * 50 + 13 * 80 + 2 * 200) / 30.0);
}

TEST(Summary, energy_shares_follow_the_integers) {
  RunRecord run = small_run();
  run.records[0].channels[0].shared.idle_rank_closed_cycles = 25;
  run.records[0].channels[0].origins[kInput].rank_closed_cycles = 75;
  using ledger::EnergyDriver;
  run.energy = {{"read", EnergyDriver::reads, 3.0, true, false},
                {"write", EnergyDriver::writes, 1.0, true, false},
                {"rank_closed", EnergyDriver::rank_closed_cycles, 4.0, false, false}};
  const Summary s = summarise(run);
  EXPECT_DOUBLE_EQ(s.energy_total_j, 8);
  EXPECT_DOUBLE_EQ(s.activation_load_energy_share, 2.0 / 4);  // 20 of 30 reads
  EXPECT_DOUBLE_EQ(s.idle_background_share, 1.0 / 8);
  EXPECT_DOUBLE_EQ(s.power_w, 8 / 420e-9);
}

TEST(Summary, the_pins_of_activations_are_part_of_their_loads_and_the_clock_is_no_background) {
  RunRecord run = small_run();
  using ledger::EnergyDriver;
  run.energy = {{"read_interface", EnergyDriver::read_pins, 5.0, true, false},
                {"clock_interface", EnergyDriver::clock, 3.0, false, false}};
  for (auto& tensor : run.tensors)
    tensor.pins.read_pj = tensor.tensor_class == "activation" ? 2000 : 1000;
  const Summary s = summarise(run);
  EXPECT_DOUBLE_EQ(s.activation_load_energy_share, 4.0 / 5);  // 20 of 30 reads, at twice the price
  EXPECT_DOUBLE_EQ(s.idle_background_share, 0);
  EXPECT_LE(s.energy_residual_relative, 1e-12);
}

TEST(Summary, energy_is_unknown_without_components) {
  const Summary s = summarise(small_run());
  EXPECT_EQ(s.energy_total_j, -1);
  EXPECT_EQ(s.activation_load_energy_share, -1);
  EXPECT_EQ(s.idle_background_share, -1);
}

TEST(Conservation, books_that_agree_leave_nothing) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Summary s = summarise(RandomRun(seed).make());
    EXPECT_EQ(s.cycles_residual, 0);
    EXPECT_EQ(s.bytes_residual, 0);
    EXPECT_EQ(s.commands_residual, 0);
    EXPECT_LE(s.energy_residual_relative, 1e-9);
  }
}

TEST(Conservation, every_kind_of_loss_shows) {
  const RunRecord good = small_run();
  RunRecord run = good;
  run.records[0].channels[0].bill.begin()->second -= 1;
  EXPECT_EQ(summarise(run).cycles_residual, 2);
  run = good;
  run.records[0].op_times[1].wait += 5;
  EXPECT_EQ(summarise(run).cycles_residual, 10);
  run = good;
  run.records[0].flow[2].dram += 64;
  EXPECT_EQ(summarise(run).bytes_residual, 128);
  run = good;
  run.records[0].channels[0].origins[kInput].hits += 1;
  EXPECT_EQ(summarise(run).commands_residual, 2);
  run = good;
  run.records[0].channels[0].banks[0].rd += 1;
  EXPECT_EQ(summarise(run).commands_residual, 2);
}

TEST(Conservation, one_loss_cannot_hide_another) {
  RunRecord run = small_run();
  run.records[0].channels.push_back(run.records[0].channels[0]);
  run.records[0].channels[0].bill.begin()->second -= 7;
  run.records[0].channels[1].bill.begin()->second += 7;
  EXPECT_EQ(summarise(run).cycles_residual, 2 * 14);
}

TEST(WaitEstimate, is_the_simulated_share_at_the_stated_efficiency) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RunRecord run = RandomRun(seed).make();
    EXPECT_NEAR(wait_share_at(run, 1.0), summarise(run).memory_wait_share, 1e-12);
  }
}

TEST(WaitEstimate, grows_with_the_speed_of_the_machine) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RunRecord run = RandomRun(seed).make();
    double before = 0;
    for (const double factor : {0.01, 0.25, 0.5, 0.9, 1.0, 1.5, 2.0, 10.0, 1000.0}) {
      const double share = wait_share_at(run, factor);
      EXPECT_GE(share, before - 1e-12) << factor;
      before = share;
    }
  }
}

TEST(WaitEstimate, a_memory_bound_op_hides_longer_compute_until_it_is_the_longer) {
  // Convolution: C 100, W 60, M 120, so 40 of the wait stay whatever the machine; softmax: C 40,
  // M 40. At half speed max(200, 120) + 40 and max(80, 40), plus 10 for the launch.
  const RunRecord run = small_run();
  EXPECT_NEAR(wait_share_at(run, 0.5), 40.0 / (240 + 80 + 10), 1e-12);
  EXPECT_NEAR(wait_share_at(run, 2.0), (120 + 40 - 50 + 40 - 20) / (160.0 + 40 + 10), 1e-12);
}

}  // namespace
}  // namespace diffram::attrib
