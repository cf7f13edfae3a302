#pragma once
// A run small enough to work out by hand: two ops on one channel, three operands.

#include "ledger/run_record.h"

namespace diffram::attrib {

inline constexpr std::uint32_t kWeight = 0, kInput = 1, kOutput = 2, kScores = 3;

/// Op 0 "aten.convolution.default" in unet.conv computes 100, waits 60, launches 10; op 1
/// "aten.softmax.int" in vae computes 40 and waits 0. One record that stands for 2 steps.
inline ledger::RunRecord small_run() {
  using base::Cause;
  using base::kNoOrigin;
  using base::OriginId;
  ledger::RunRecord run;
  run.clock = base::Clock::from_hertz(1'000'000'000);
  run.channels = run.ranks = run.bank_groups = run.banks_per_group = 1;
  run.burst_bytes = 64;
  ledger::OpRow convolution, softmax;
  convolution.name = "aten.convolution.default";
  convolution.kernel = "convolution";
  convolution.layer = "unet.conv";
  convolution.phase = "forward";
  softmax.index = 1;
  softmax.name = "aten.softmax.int";
  softmax.kernel = "softmax";
  softmax.layer = "vae";
  softmax.phase = "forward";
  run.ops = {convolution, softmax};
  run.tensors = {
      {"conv.weight", "parameter", 640}, {"x", "activation", 640}, {"y", "activation", 640}};
  run.origins = {{0, 0, false, "weight"},
                 {0, 1, false, "input"},
                 {0, 2, true, "output"},
                 {1, 2, false, "scores"}};
  ledger::StepRecord record;
  record.occurrence = 4;
  record.weight = 2;
  record.cycles = 210;
  record.op_times = {{0, 100, 60, 10}, {170, 40, 0, 0}};
  record.flow = {
      {640, 0, 0, 640, 0}, {640, 0, 0, 640, 320}, {640, 0, 0, 640, 0}, {640, 0, 0, 640, 640}};
  base::ChannelCounters channel;
  channel.cycles = 210;
  channel.origins.resize(4);
  channel.origins[kWeight] = {.reads = 10, .hits = 9, .misses = 1};
  channel.origins[kInput] = {.reads = 10, .hits = 8, .misses = 1, .conflicts = 1};
  channel.origins[kOutput] = {.writes = 10, .hits = 10};
  channel.origins[kScores] = {.reads = 10, .hits = 10};
  channel.banks.resize(1);
  channel.banks[0] = {.act = 3, .pre = 2, .rd = 30, .wr = 10, .conflicts = 1};
  channel.ranks.resize(1);
  const OriginId weight(kWeight), input(kInput), output(kOutput), scores(kScores);
  channel.bill = {
      {{weight, kNoOrigin, Cause::data_read}, 40}, {{input, kNoOrigin, Cause::data_read}, 40},
      {{input, weight, Cause::row_conflict}, 40},  {{weight, kNoOrigin, Cause::idle_compute}, 50},
      {{scores, output, Cause::turn_wr}, 10},      {{scores, kNoOrigin, Cause::data_read}, 30}};
  channel.read_latency = {{50, 15}, {80, 13}, {200, 2}};
  record.channels = {channel};
  run.records = {record};
  return run;
}

}  // namespace diffram::attrib
