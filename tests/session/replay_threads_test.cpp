// A replay from a file: the same record for any number of threads, whoever reads the text.

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "session/session.h"

namespace diffram::session {
namespace {

namespace fs = std::filesystem;

std::string random_trace(std::size_t lines) {
  std::mt19937_64 random(7);
  std::string text;
  std::uint64_t cycle = 0;
  for (std::size_t i = 0; i < lines; ++i) {
    cycle += random() % 8;
    const std::uint64_t address = random() % (std::uint64_t{1} << 33) / 64 * 64;
    char line[64];
    text.append(line,
                static_cast<std::size_t>(std::snprintf(
                    line, sizeof line, "0x%llx %s %llu\n", static_cast<unsigned long long>(address),
                    random() % 3 == 0 ? "WRITE" : "READ", static_cast<unsigned long long>(cycle))));
  }
  return text;
}

class ReplayThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / "diffram_replay_threads";
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::string path = (folder_ / name).string();
    const bool packed = name.ends_with(".gz");
    const gzFile out = gzopen(path.c_str(), packed ? "wb" : "wbT");  // T: as it is
    gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
    gzclose(out);
    return path;
  }

  fs::path folder_;
};

TEST_F(ReplayThreads, give_the_same_record) {
  constexpr std::size_t kLines = 30'000;  // several buffers of text
  const std::string text = random_trace(kLines);
  for (const std::string name : {"plain.trace", "packed.trace.gz"}) {
    ReplayOptions options;
    options.trace = file(name, text);
    options.memory = "ddr4-3200-8g-2ch";
    options.threads = 1;
    const auto one = replay_trace(options);
    ASSERT_TRUE(one) << name;
    EXPECT_EQ(one->requests_completed, kLines);
    EXPECT_FALSE(one->record.inputs.front().second.empty());
    for (const std::size_t threads : {2, 3}) {
      options.threads = threads;
      const auto more = replay_trace(options);
      ASSERT_TRUE(more) << name;
      EXPECT_TRUE(more->record == one->record) << name << ", " << threads << " threads";
    }
  }
}

}  // namespace
}  // namespace diffram::session
