#include "ledger/run_file.h"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "ledger/random_run.h"

namespace diffram::ledger {
namespace {

namespace fs = std::filesystem;

class RunFile : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("diffram-" + std::string(test->name()) + "-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files_in_folder() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}));
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  static std::string code_of(const base::Result<RunRecord>& result) {
    return result ? "" : result.error().front().code;
  }

  fs::path folder_;
};

TEST_F(RunFile, gives_back_every_field_of_a_record) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const RunRecord run = RandomRun(seed).make();
    const auto written = write_run(run, file("a.dfr"));
    ASSERT_TRUE(written) << written.error().front().text();
    const auto read = read_run(file("a.dfr"));
    ASSERT_TRUE(read) << read.error().front().text();
    ASSERT_TRUE(*read == run) << "seed " << seed;
  }
}

TEST_F(RunFile, gives_back_an_empty_record) {
  ASSERT_TRUE(write_run({}, file("a.dfr")));
  EXPECT_TRUE(read_run(file("a.dfr")) == RunRecord{});
}

TEST_F(RunFile, has_the_same_bytes_for_the_same_record) {
  const RunRecord run = RandomRun(7).make();
  ASSERT_TRUE(write_run(run, file("a.dfr")));
  ASSERT_TRUE(write_run(run, file("b.dfr")));
  EXPECT_TRUE(bytes_of(file("a.dfr")) == bytes_of(file("b.dfr")));
}

TEST_F(RunFile, replaces_an_older_file_and_leaves_no_other) {
  write_bytes(file("a.dfr"), "old");
  write_bytes(file("a.dfr.partial"), "left by a killed run");
  const RunRecord run = RandomRun(8).make();
  ASSERT_TRUE(write_run(run, file("a.dfr")));
  EXPECT_TRUE(read_run(file("a.dfr")) == run);
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(RunFile, a_full_disk_is_one_clear_error_and_leaves_nothing) {
  // A limit on the size of files makes the kernel refuse the write as a full disk does.
  const RunRecord run = RandomRun(9).make();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{16384, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = write_run(run, file("a.dfr"));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, old_handler);

  ASSERT_FALSE(written);
  ASSERT_EQ(written.error().size(), 1u);
  EXPECT_EQ(written.error().front().code, "disk_full");
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(RunFile, a_missing_folder_is_refused) {
  const auto written = write_run({}, file("no/such/folder/a.dfr"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().front().code, "cannot_write");
}

TEST_F(RunFile, a_missing_file_is_refused) {
  EXPECT_EQ(code_of(read_run(file("none.dfr"))), "cannot_open");
}

TEST_F(RunFile, a_file_of_another_kind_is_refused) {
  write_bytes(file("a.dfr"), "# diffram-commands 1 rank\n");
  EXPECT_EQ(code_of(read_run(file("a.dfr"))), "not_a_run_file");
  SQLite::Database(file("b.dfr"), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE other(id INTEGER)");
  EXPECT_EQ(code_of(read_run(file("b.dfr"))), "not_a_run_file");
}

TEST_F(RunFile, a_truncated_file_is_refused_wherever_it_ends) {
  ASSERT_TRUE(write_run(RandomRun(10).make(), file("a.dfr")));
  const std::string whole = bytes_of(file("a.dfr"));
  for (const std::size_t end : {std::size_t{50}, std::size_t{4096}, whole.size() - 1}) {
    write_bytes(file("b.dfr"), whole.substr(0, end));
    EXPECT_EQ(code_of(read_run(file("b.dfr"))), "truncated") << end;
  }
}

TEST_F(RunFile, another_schema_version_is_refused_by_number) {
  ASSERT_TRUE(write_run({}, file("a.dfr")));
  SQLite::Database(file("a.dfr"), SQLite::OPEN_READWRITE).exec("PRAGMA user_version=99");
  const auto read = read_run(file("a.dfr"));
  ASSERT_EQ(code_of(read), "schema_version");
  EXPECT_THAT(read.error().front().message, testing::HasSubstr("99"));
}

TEST_F(RunFile, damaged_bytes_give_an_error_or_a_record_but_never_a_crash) {
  ASSERT_TRUE(write_run(RandomRun(11).make(), file("a.dfr")));
  const std::string whole = bytes_of(file("a.dfr"));
  std::mt19937_64 random(3);
  for (int attempt = 0; attempt < 300; ++attempt) {
    std::string damaged = whole;
    for (int i = 0; i < 8; ++i) damaged[100 + random() % (damaged.size() - 100)] ^= 0x55;
    write_bytes(file("b.dfr"), damaged);
    const auto read = read_run(file("b.dfr"));
    if (!read) {
      EXPECT_EQ(read.error().size(), 1u);
    }
  }
}

}  // namespace
}  // namespace diffram::ledger
