// Whole runs of a small program, from a trace file to the record.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "session/session.h"

namespace diffram::session {
namespace {

namespace fs = std::filesystem;

// Ten equal steps: y = x w (1024 × 1024, fp16), z = relu(y).
const char* const kTenSteps =
    R"({"e":"trace","v":[1,0],"torch":"2.13.0","pretend":"cpu","how":"by hand","batch":1,"images":1,"modules":2,"fns":2,"storages":4,"ops":2}
{"e":"mod","id":0,"up":-1,"path":"net","type":"Net"}
{"e":"mod","id":1,"up":0,"path":"net.fc","type":"Linear"}
{"e":"fn","id":0,"name":"aten.mm.default","kind":"mm","reads":[["self",1],["mat2",1]],"writes":[["out",1]]}
{"e":"fn","id":1,"name":"aten.relu.default","kind":"elt","reads":[["self",1]],"writes":[["out",1]]}
{"e":"sto","id":0,"bytes":2097152,"cls":"parameter","pre":1,"mod":1,"name":"fc.weight"}
{"e":"sto","id":1,"bytes":2097152,"cls":"input","pre":1,"mod":-1}
{"e":"sto","id":2,"bytes":2097152,"cls":"activation","pre":0,"mod":1}
{"e":"sto","id":3,"bytes":2097152,"cls":"temporary","pre":0,"mod":0}
{"e":"phase","n":"forward","step":0}
{"e":"alloc","s":2}
{"e":"op","i":0,"f":0,"m":1,"x":"f","r":[[1,0,2,[1024,1024],[1024,1]],[0,0,2,[1024,1024],[1024,1]]],"w":[[2,0,2,[1024,1024],[1024,1]]],"mac":1073741824,"a":{"gemm":[1,1024,1024,1024]}}
{"e":"alloc","s":3}
{"e":"op","i":1,"f":1,"m":0,"x":"f","r":[[2,0,2,[1024,1024],[1024,1]]],"w":[[3,0,2,[1024,1024],[1024,1]]]}
{"e":"free","s":2}
{"e":"free","s":3}
{"e":"replay","step":1,"times":9,"carry":[]}
{"e":"end","events":8,"read":62914560,"write":41943040,"mac":10737418240,"ops":20}
)";

class SmallRun : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(::testing::TempDir()) /
        ("session_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
    trace_ = (folder_ / "ten.dft").string();
    std::ofstream(trace_) << kTenSteps;
  }
  void TearDown() override { fs::remove_all(folder_); }

  RunOptions options() const {
    RunOptions run;
    run.workload = trace_;
    run.memory = "ddr4-3200-8g-2ch";
    return run;
  }
  static session::Run done(const RunOptions& options) {
    auto run = run_workload(options);
    EXPECT_TRUE(run) << (run ? "" : run.error().errors.front().text());
    return run ? std::move(*run) : session::Run{};
  }

  fs::path folder_;
  std::string trace_;
};

TEST_F(SmallRun, sums_are_conserved_and_bounds_hold) {
  const auto run = done(options());
  const auto& s = run.summary;
  EXPECT_EQ(s.cycles_residual, 0);
  EXPECT_EQ(s.bytes_residual, 0);
  EXPECT_EQ(s.commands_residual, 0);
  EXPECT_LE(s.energy_residual_relative, 1e-9);
  EXPECT_LE(s.compute_only_s, s.time_s);
  EXPECT_LE(s.memory_only_s, s.time_s);
  EXPECT_GT(s.memory_only_s, 0);
  EXPECT_EQ(run.record.steps, 10);
}

TEST_F(SmallRun, steady_accounts_what_it_does_not_simulate) {
  const auto run = done(options());
  std::int64_t steps = 0;
  for (const auto& record : run.record.records) steps += record.weight;
  EXPECT_EQ(steps, 10);
  EXPECT_LT(run.record.records.size(), 10u);
  EXPECT_LT(run.summary.simulated_byte_share, 1.0);
}

TEST_F(SmallRun, steady_is_within_its_bound_of_exact) {
  auto exact = options();
  exact.exact = true;
  const auto all = done(exact), some = done(options());
  EXPECT_EQ(all.record.records.size(), 10u);
  EXPECT_EQ(all.summary.simulated_byte_share, 1.0);
  EXPECT_EQ(all.summary.bytes_read, some.summary.bytes_read);
  EXPECT_NEAR(all.summary.time_s, some.summary.time_s,
              all.summary.time_s * (some.record.steady_bound + 1e-3));
}

TEST_F(SmallRun, any_thread_count_gives_the_same_record) {
  auto one = options();
  one.threads = 1;
  const auto alone = done(one);
  for (const std::size_t threads : {2, 3, 8}) {
    auto many = one;
    many.threads = threads;
    EXPECT_EQ(done(many).record, alone.record) << threads << " threads";
  }
}

TEST_F(SmallRun, the_run_file_gives_the_record_back) {
  const auto run = done(options());
  const auto file = (folder_ / "run.dfr").string();
  ASSERT_TRUE(save_run(run.record, file));
  const auto again = open_run(file);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->record, run.record);
}

TEST_F(SmallRun, fewer_steps_are_fewer_repetitions) {
  auto three = options();
  three.steps = 3;
  EXPECT_EQ(done(three).record.steps, 3);
}

TEST_F(SmallRun, a_stopped_run_says_so_and_gives_exit_code_four) {
  const std::atomic<bool> stop{true};
  auto stopped = options();
  stopped.stop = &stop;
  const auto run = run_workload(stopped);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().exit_code, kNotFinished);
  EXPECT_EQ(run.error().errors.front().code, "interrupted");
}

TEST_F(SmallRun, what_does_not_fit_is_refused_before_simulating) {
  auto small = options();
  small.set = {{"memory.organisation.rows", "1"}};
  const auto run = run_workload(small);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().exit_code, kBadInput);
}

TEST_F(SmallRun, an_unknown_setting_names_the_nearest) {
  auto wrong = options();
  wrong.set = {{"memory.controller.read_quue", "8"}};
  const auto run = run_workload(wrong);
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().errors.front().text().find("read_queue"), std::string::npos);
}

}  // namespace
}  // namespace diffram::session
