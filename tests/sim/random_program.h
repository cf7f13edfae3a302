#pragma once
// A program of four equal steps at random places, run on a small memory with a refresh every few
// ops.

#include <cstdint>
#include <random>
#include <vector>

#include "ctrl/ddr4_3200.h"
#include "sim/program.h"

namespace diffram::sim::testing {

inline constexpr std::uint32_t kOps = 6;
inline constexpr std::int64_t kTimes = 4;

/// Ops of a few tiles at random places: what they are does not matter, only that they are the same
/// each time. One origin an op.
class RandomProgram final : public lower::Lowering {
 public:
  RandomProgram() {
    table_.ops.resize(kOps);
    table_.origins.resize(kOps);
    for (std::uint32_t op = 0; op < kOps; ++op) table_.origins[op].op = op;
  }
  const lower::CapacityReport& capacity() const override { return capacity_; }
  const lower::OriginTable& origins() const override { return table_; }
  lower::TileSource& begin_step(std::uint32_t) override {
    source_ = Source(++occurrence_);
    return source_;
  }
  void skip_step(std::uint32_t) override { ++occurrence_; }
  const std::vector<lower::Flow>& flow() const override { return flow_; }
  const std::vector<base::Diagnostic>& diagnostics() const override { return diagnostics_; }
  const std::vector<base::Assumption>& assumptions() const override { return assumptions_; }

 private:
  class Source final : public lower::TileSource {
   public:
    explicit Source(std::uint64_t seed = 0) : random_(seed) {}
    bool next(lower::TileStep& out) override {
      if (tile_ == kOps * kTilesOfOp) return false;
      out = {};
      out.op = tile_++ / kTilesOfOp;
      out.compute_cycles = static_cast<std::int64_t>(random_() % 900);
      for (int i = 0; i < 4; ++i) out.loads.push_back(request(out.op, base::Direction::read));
      for (int i = 0; i < 2; ++i) out.stores.push_back(request(out.op, base::Direction::write));
      return true;
    }

   private:
    static constexpr std::uint32_t kTilesOfOp = 3;
    base::Request request(std::uint32_t op, base::Direction direction) {
      return {random_() % (1u << 24), 1 + random_() % 3000, base::OriginId(op), direction};
    }
    std::mt19937_64 random_;
    std::uint32_t tile_ = 0;
  };

  lower::CapacityReport capacity_;
  lower::OriginTable table_;
  std::vector<lower::Flow> flow_ = std::vector<lower::Flow>(kOps);
  std::vector<base::Diagnostic> diagnostics_;
  std::vector<base::Assumption> assumptions_;
  Source source_;
  std::uint64_t occurrence_ = 0;
};

inline ProgramOptions exact() {
  ProgramOptions options;
  options.epoch_cycles = 3000;
  options.fidelity = Fidelity::exact;
  return options;
}

inline spec::MemorySpec memory_of_runs() {
  spec::MemorySpec memory = ctrl::testing::ddr4_3200(2, 1);
  memory.timings["nREFI"] = 5000;
  return memory;
}

inline ProgramResult run(const ProgramOptions& options,
                         const spec::MemorySpec& memory = memory_of_runs()) {
  RandomProgram program;
  return run_program(program, {{0, kTimes, 0, kOps, 0, kOps}}, spec::MachineSpec{}, memory,
                     options);
}

}  // namespace diffram::sim::testing
