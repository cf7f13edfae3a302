// A program that is stopped between two ops and goes on from its checkpoint gives the same record.

#include "sim/checkpoint.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sim/random_program.h"

namespace diffram::sim {
namespace {

namespace fs = std::filesystem;
using testing::exact;
using testing::kOps;
using testing::kTimes;
using testing::run;

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
  ASSERT_GT(whole.epochs.size(), 10u);
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
    ASSERT_EQ(resumed.epochs, whole.epochs) << "stopped after " << ops << " ops";
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
