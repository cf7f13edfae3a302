#pragma once
// A made-up run whose books agree: bills fill the channels' cycles, op times fill the steps', banks
// and origins count the same commands. What is billed to whom is random.

#include <algorithm>
#include <random>
#include <string>

#include "ledger/run_record.h"

namespace diffram::attrib {

class RandomRun {
 public:
  struct Shape {
    std::uint32_t ops = 12, operands = 3, channels = 2, records = 3;
  };
  explicit RandomRun(std::uint64_t seed) : random_(seed) {}
  RandomRun(std::uint64_t seed, Shape shape) : random_(seed), shape_(shape) {}

  ledger::RunRecord make() {
    run_.clock = base::Clock::from_hertz(1'600'000'000);
    run_.channels = shape_.channels;
    run_.ranks = 2;
    run_.bank_groups = run_.banks_per_group = 2;
    run_.burst_bytes = 64;
    run_.peak_bytes_per_s = 25.6e9;
    name_ops();
    for (std::uint32_t r = 0; r < shape_.records; ++r) run_.records.push_back(record(r));
    using ledger::EnergyDriver;
    for (const auto& [name, driver, is_dynamic] :
         {std::tuple{"activate", EnergyDriver::activation_tickets, true},
          {"precharge", EnergyDriver::activation_tickets, true},
          {"read", EnergyDriver::reads, true},
          {"write", EnergyDriver::writes, true},
          {"refresh", EnergyDriver::refresh, false},
          {"bank_open", EnergyDriver::bank_open_cycles, false},
          {"rank_open", EnergyDriver::rank_open_cycles, false},
          {"rank_closed", EnergyDriver::rank_closed_cycles, false},
          {"read_interface", EnergyDriver::read_pins, true},
          {"write_interface", EnergyDriver::write_pins, true},
          {"clock_interface", EnergyDriver::clock, false}})
      run_.energy.push_back(
          {name, driver, 1e-3 * static_cast<double>(1 + below(1000)), is_dynamic, false});
    heat();
    return std::move(run_);
  }

 private:
  /// Every component heats the hottest place from one channel's banks or ranks.
  void heat() {
    ledger::HottestPlace& place = run_.hottest;
    place.package = "channel 0, rank 0";
    place.layer = "0 die";
    place.air = 40;
    place.of_base = 1;
    place.of_neighbour = 1e-3 * static_cast<double>(below(9000));
    place.of_board = -0.5;
    double rise = place.of_base + place.of_neighbour + place.of_board;
    for (std::uint32_t component = 0; component < run_.energy.size(); ++component)
      for (std::uint32_t bank = 0; bank < 4; ++bank) {
        const double kelvin = 1e-3 * static_cast<double>(1 + below(1000));
        const bool is_of_rank = run_.energy[component].name.starts_with("rank");
        place.of_memory.push_back(
            {component, 0, bank / 2, is_of_rank ? ledger::kWholeRank : bank, kelvin});
        rise += kelvin;
      }
    place.celsius = place.air + rise;
  }

  std::int64_t below(std::int64_t limit) {
    return std::uniform_int_distribution<std::int64_t>(0, limit - 1)(random_);
  }
  std::uint32_t index(std::uint32_t limit) { return static_cast<std::uint32_t>(below(limit)); }

  void name_ops() {
    static const char* const kLayers[] = {"unet.down.0", "unet.mid", "unet.up.1", "vae.decoder",
                                          ""};
    static const char* const kNames[] = {"aten.convolution.default", "aten.mm.default",
                                         "aten.softmax.int"};
    static const char* const kClasses[] = {"parameter", "activation", "recomputed_activation",
                                           "temporary", "gradient"};
    for (std::uint32_t t = 0; t < 2 * shape_.ops; ++t)
      run_.tensors.push_back({"tensor " + std::to_string(t),
                              kClasses[t % 5],
                              1 << 20,
                              "fp16",
                              {},
                              {1000 + below(500), 900 + below(500)}});
    for (std::uint32_t o = 0; o < shape_.ops; ++o) {
      ledger::OpRow op;
      op.index = o;
      op.name = kNames[o % 3];
      op.kernel = o % 3 == 0 ? "convolution" : "gemm";
      op.layer = kLayers[o * 5 / shape_.ops];
      op.phase = o % 2 == 0 ? "forward" : "backward";
      run_.ops.push_back(op);
      for (std::uint32_t i = 0; i < shape_.operands; ++i)
        run_.origins.push_back({o, index(2 * shape_.ops), i + 1 == shape_.operands,
                                i + 1 == shape_.operands ? "output" : "input"});
    }
  }

  ledger::StepRecord record(std::uint32_t r) {
    ledger::StepRecord record;
    record.occurrence = r;
    record.weight = r + 1 == shape_.records ? 1 + below(48) : 1;
    for (std::uint32_t o = 0; o < shape_.ops; ++o) {
      ledger::OpTime time;
      time.start = record.cycles;
      time.compute = below(5000);
      time.wait = below(4) == 0 ? 0 : below(5000);
      time.launch = below(20);
      record.cycles += time.compute + time.wait + time.launch;
      record.op_times.push_back(time);
    }
    record.flow.resize(run_.origins.size());
    for (std::uint32_t c = 0; c < shape_.channels; ++c) record.channels.push_back(channel(record));
    record.memory_only_cycles = below(2) == 0 ? -1 : 1 + below(record.cycles);
    return record;
  }

  base::ChannelCounters channel(ledger::StepRecord& record) {
    base::ChannelCounters channel;
    channel.cycles = record.cycles;
    channel.banks.resize(8);
    channel.ranks.resize(2);
    channel.origins.resize(run_.origins.size());
    for (std::uint32_t i = 0; i < channel.origins.size(); ++i)
      count(channel, channel.origins[i], run_.origins[i].is_write, record.flow[i]);
    channel.shared = {below(900), below(900), below(900), below(900), 0};
    for (const auto& o : channel.origins)
      channel.shared.wasted_activation_tickets += o.wasted_activations * base::kActivationTickets;
    for (auto& rank : channel.ranks) {
      rank.any_open_cycles = below(channel.cycles);
      rank.closed_cycles = channel.cycles - rank.any_open_cycles;
      rank.refreshes = below(9);
    }
    bill(channel);
    return channel;
  }

  void count(base::ChannelCounters& channel, base::OriginCounters& o, bool is_write,
             ledger::FlowRow& flow) {
    (is_write ? o.writes : o.reads) = below(200);
    const std::int64_t columns = o.reads + o.writes;
    o.conflicts = below(columns + 1);
    o.misses = below(columns - o.conflicts + 1);
    o.hits = columns - o.conflicts - o.misses;
    o.forwarded = is_write ? 0 : below(5);
    o.activation_tickets = below(50) * base::kActivationTickets;
    o.wasted_activations = below(3);
    o.bank_open_cycles = below(4000);
    o.rank_open_cycles = below(4000);
    o.rank_closed_cycles = below(4000);
    flow.dram += (columns + o.forwarded) * run_.burst_bytes;
    flow.walk = flow.dram;
    flow.dram_read_again += below(o.reads + 1) * run_.burst_bytes;
    for (std::int64_t i = 0; i < columns; ++i) {
      base::BankCounters& bank = channel.banks[index(8)];
      ++(is_write ? bank.wr : bank.rd);
      bank.conflicts += i < o.conflicts ? 1 : 0;
      bank.act += i < o.conflicts + o.misses ? 1 : 0;
      bank.open_cycles += 4;
    }
    if (o.reads > 0) channel.read_latency[40 + below(100)] += o.reads;
  }

  /// Random pieces until the channel's cycles are used up.
  void bill(base::ChannelCounters& channel) {
    for (std::int64_t left = channel.cycles; left > 0;) {
      const std::int64_t piece = std::min(left, 1 + below(300));
      left -= piece;
      base::BillKey key;
      key.cause = static_cast<base::Cause>(index(base::kCauseCount));
      if (below(10) > 0)
        key.victim = base::OriginId(index(static_cast<std::uint32_t>(run_.origins.size())));
      if (below(2) > 0)
        key.culprit = base::OriginId(index(static_cast<std::uint32_t>(run_.origins.size())));
      channel.bill[key] += piece;
    }
  }

  std::mt19937_64 random_;
  Shape shape_;
  ledger::RunRecord run_;
};

}  // namespace diffram::attrib
