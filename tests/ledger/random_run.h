#pragma once
// A RunRecord with every field set, from a seed: the law of the run file is that it comes back
// equal.

#include <random>
#include <string>

#include "ledger/run_record.h"

namespace diffram::ledger {

class RandomRun {
 public:
  explicit RandomRun(std::uint64_t seed) : random_(seed) {}

  RunRecord make() {
    RunRecord run;
    for (std::string* text : {&run.workload, &run.memory, &run.machine, &run.fidelity, &run.version,
                              &run.command_line, &run.spec_text})
      *text = word();
    for (auto i = count(3); i > 0; --i) run.inputs.emplace_back(word(), word());
    for (std::int64_t* number :
         {&run.steps, &run.batch, &run.peak_live_bytes, &run.reserved_bytes, &run.capacity_bytes})
      *number = integer();
    run.seed = random_();
    run.clock = base::Clock(1 + below(1'000'000), 1 + below(1000));
    run.channels = below(64);
    run.ranks = below(4);
    run.bank_groups = below(8);
    run.banks_per_group = below(8);
    run.burst_bytes = below(128);
    run.peak_bytes_per_s = real();
    run.steady_bound = real();
    for (auto i = count(20); i > 0; --i)
      run.ops.push_back(
          {below(9), below(99), word(), word(), word(), word(), word(), word(), integer(), coin()});
    for (auto i = count(20); i > 0; --i)
      run.tensors.push_back(
          {word(), word(), integer(), word(), {real(), real()}, {integer(), integer()}});
    run.unnamed_read = {real(), real()};
    run.unnamed_write = {real(), real()};
    run.unnamed_pins = {integer(), integer()};
    for (auto i = count(40); i > 0; --i)
      run.origins.push_back({below(20), below(20), coin(), word()});
    for (auto i = count(4); i > 0; --i) run.records.push_back(record());
    for (auto i = count(9); i > 0; --i)
      run.energy.push_back(
          {word(), static_cast<EnergyDriver>(below(12)), real(), coin(), coin(), real()});
    for (auto i = count(9); i > 0; --i) run.power.push_back({integer(), integer(), real()});
    for (auto i = count(5); i > 0; --i)
      run.heat.push_back({word(), word(), word(), integer(), real(), real(), real(), real(), real(),
                          integer(), integers(64)});
    if (!run.energy.empty() && coin()) run.hottest = hottest(run.energy.size());
    for (auto i = count(5); i > 0; --i)
      run.heat_epochs.push_back({integer(), integer(), real(), real(), real()});
    for (auto i = count(9); i > 0; --i) run.live.push_back({below(20), integers(12)});
    for (auto i = count(5); i > 0; --i) run.assumptions.push_back({word(), word(), word()});
    for (auto i = count(5); i > 0; --i)
      run.diagnostics.push_back({word(), static_cast<base::Severity>(below(3)), word(), word()});
    return run;
  }

 private:
  std::uint32_t below(std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
  }
  std::uint32_t count(std::uint32_t limit) { return below(limit + 1); }
  bool coin() { return below(2) == 1; }
  /// Small, large, negative and extreme ones.
  std::int64_t integer() { return static_cast<std::int64_t>(random_()) >> below(64); }
  double real() { return std::uniform_real_distribution<double>(-1e9, 1e9)(random_); }
  std::string word() {
    std::string text;
    for (auto i = count(12); i > 0; --i) text.push_back(static_cast<char>(1 + below(255)));
    return text;
  }
  std::vector<std::int64_t> integers(std::size_t n) {
    std::vector<std::int64_t> numbers(n);
    for (auto& number : numbers) number = integer();
    return numbers;
  }

  HottestPlace hottest(std::size_t components) {
    HottestPlace h{"package", word(), integer(), integer(), real(), real(), word(),
                   real(),    real(), {},        real(),    real(), real(), real()};
    for (auto i = count(20); i > 0; --i)
      h.of_memory.push_back({below(static_cast<std::uint32_t>(components)), below(64), below(4),
                             coin() ? below(64) : kWholeRank, real()});
    return h;
  }

  base::OriginCounters origin() {
    return {integer(), integer(), integer(), integer(), integer(), integer(),
            integer(), integer(), integer(), integer(), integer(), integer()};
  }

  base::ChannelCounters channel() {
    base::ChannelCounters c;
    c.cycles = integer();
    for (auto i = count(30); i > 0; --i) c.origins.push_back(origin());
    c.unnamed = origin();
    for (auto i = count(16); i > 0; --i)
      c.banks.push_back({integer(), integer(), integer(), integer(), integer(), integer(),
                         integer(), integer(), integer()});
    if (coin()) c.part_refreshes = integers(c.banks.size());
    for (auto i = count(2); i > 0; --i)
      c.ranks.push_back(
          {integer(), integer(), integer(), integer(), integer(), integer(), integer()});
    c.shared = {integer(), integer(), integer(), integer(), integer()};
    for (auto i = count(60); i > 0; --i)
      c.bill[{base::OriginId(coin() ? below(40) : base::kNoOrigin.value),
              base::OriginId(coin() ? below(40) : base::kNoOrigin.value),
              static_cast<base::Cause>(below(base::kCauseCount))}] = integer();
    for (auto i = count(20); i > 0; --i) c.read_latency[integer()] = integer();
    return c;
  }

  StepRecord record() {
    StepRecord r;
    r.step = below(9);
    r.occurrence = integer();
    r.weight = integer();
    r.cycles = integer();
    for (auto i = count(20); i > 0; --i)
      r.op_times.push_back({integer(), integer(), integer(), integer()});
    r.first_op = below(99);
    for (auto i = count(20); i > 0; --i)
      r.flow.push_back({integer(), integer(), integer(), integer(), integer()});
    r.first_origin = below(99);
    for (auto i = count(4); i > 0; --i) r.channels.push_back(channel());
    r.memory_only_cycles = integer();
    return r;
  }

  std::mt19937_64 random_;
};

}  // namespace diffram::ledger
