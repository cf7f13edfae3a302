// A program that is stopped between two ops and goes on from its checkpoint gives the same record.

#include "sim/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "ctrl/ddr4_3200.h"

namespace diffram::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kOps = 6;
constexpr std::int64_t kTimes = 4;

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

ProgramOptions exact() {
  ProgramOptions options;
  options.fidelity = Fidelity::exact;
  return options;
}

ProgramResult run(const ProgramOptions& options) {
  RandomProgram program;
  spec::MemorySpec memory = ctrl::testing::ddr4_3200(2, 1);
  memory.timings["nREFI"] = 5000;
  return run_program(program, {{0, kTimes, 0, kOps, 0, kOps}}, spec::MachineSpec{}, memory,
                     options);
}

class Checkpoint : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              fs::path(::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    file_ = (folder_ / "run.dfr.checkpoint").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Stop after so many ops and keep the state.
  void stop_after(std::int64_t ops, const ProgramState* from = nullptr) {
    ProgramOptions options = exact();
    options.from = from;
    std::int64_t passed = 0;
    options.between_ops = [&](const std::function<ProgramState()>& state) {
      if (++passed < ops) return true;
      EXPECT_TRUE(write_checkpoint(state(), "this run", file_));
      return false;
    };
    EXPECT_TRUE(run(options).stopped);
  }
  std::string refusal(const std::string& identity = "this run") {
    const auto state = read_checkpoint(file_, identity);
    return state ? "" : state.error().front().code;
  }

  fs::path folder_;
  std::string file_;
};

TEST_F(Checkpoint, a_program_goes_on_from_any_op) {
  const ProgramResult whole = run(exact());
  ASSERT_EQ(whole.records.size(), static_cast<std::size_t>(kTimes));
  for (std::int64_t ops = 1; ops <= kTimes * kOps; ++ops) {
    stop_after(ops);
    const auto state = read_checkpoint(file_, "this run");
    ASSERT_TRUE(state) << state.error().front().text();
    ProgramOptions options = exact();
    options.from = &*state;
    const ProgramResult resumed = run(options);
    EXPECT_FALSE(resumed.stopped);
    ASSERT_EQ(resumed.records, whole.records) << "stopped after " << ops << " ops";
    ASSERT_EQ(resumed.requests, whole.requests);
  }
}

TEST_F(Checkpoint, a_resumed_program_can_be_stopped_again) {
  stop_after(4);
  const auto first = read_checkpoint(file_, "this run");
  ASSERT_TRUE(first);
  stop_after(9, &*first);
  const auto second = read_checkpoint(file_, "this run");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->records.size(), 2u);  // 13 ops: two steps of six, and one op
  EXPECT_EQ(second->step.ops, 1u);
  ProgramOptions options = exact();
  options.from = &*second;
  EXPECT_EQ(run(options).records, run(exact()).records);
}

TEST_F(Checkpoint, a_state_belongs_to_one_run) {
  stop_after(3);
  EXPECT_EQ(refusal("this run"), "");
  EXPECT_EQ(refusal("another run"), "other_run");
}

TEST_F(Checkpoint, a_damaged_file_is_refused) {
  EXPECT_EQ(refusal(), "cannot_open");
  stop_after(3);
  const auto size = fs::file_size(file_);
  for (const auto cut : {size - 1, size / 2, std::uintmax_t{10}, std::uintmax_t{0}}) {
    fs::resize_file(file_, cut);
    EXPECT_EQ(refusal(), "corrupt") << cut << " bytes";
  }
  stop_after(3);
  std::fstream change(file_, std::ios::in | std::ios::out | std::ios::binary);
  change.seekp(static_cast<std::streamoff>(size - 20));
  change.put('\x5A');
  change.put('\xA5');
  change.close();
  EXPECT_EQ(refusal(), "corrupt");
}

}  // namespace
}  // namespace diffram::sim
