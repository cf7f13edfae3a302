#include "base/whole_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace diffram::base {
namespace {

namespace fs = std::filesystem;

class WholeFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("whole_file_" +
               std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  static std::string content(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  fs::path folder_;
};

TEST_F(WholeFile, replaces_a_file_and_leaves_nothing_beside_it) {
  const auto file = (folder_ / "a.txt").string();
  ASSERT_TRUE(write_whole_file(file, "first"));
  ASSERT_TRUE(write_whole_file(file, "second"));
  EXPECT_EQ(content(file), "second");
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WholeFile, a_device_is_never_replaced) {
  const auto written = write_whole_file("/dev/null", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error()[0].code, "cannot_write");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WholeFile, a_folder_that_is_not_there_is_an_error_with_the_name) {
  const auto written = write_whole_file((folder_ / "no" / "a.txt").string(), "x");
  ASSERT_FALSE(written);
  EXPECT_NE(written.error()[0].file.find("a.txt"), std::string::npos);
}

}  // namespace
}  // namespace diffram::base
