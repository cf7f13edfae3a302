// The hash of an input: the same whoever reads it, and when.

#include "session/file_hash.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace diffram::session {
namespace {

class NoRequests final : public base::RequestFeed {
 public:
  base::Result<std::size_t> read(std::span<base::TimedRequest>) override { return 0; }
};

TEST(file_hash, is_that_of_the_whole_file_however_much_was_read_ahead) {
  const auto file = std::filesystem::temp_directory_path() / "diffram_file_hash_test";
  std::ofstream(file) << "abc";
  EXPECT_EQ(hash_of_file(file.string()), "44bc2cf5ad770999");  // as XXH64 of it is known
  std::ofstream(file) << std::string(1'000'000, 'a') << "b";
  const std::string whole = hash_of_file(file.string());
  for (const int blocks : {1, 3, 100}) {
    NoRequests none;
    HashedFeed feed(none, file.string());
    EXPECT_EQ(feed.prepare_ahead(1), 0u);
    for (int block = 0; block < blocks; ++block) {
      ASSERT_EQ(feed.prepare_ahead(8), 1u);
      feed.read_ahead(0);
    }
    EXPECT_EQ(feed.finish_hash(nullptr), whole) << blocks;
  }
  const std::atomic<bool> stop = true;
  EXPECT_EQ(hash_of_file(file.string(), &stop), "");
  std::filesystem::remove(file);
  EXPECT_EQ(hash_of_file(file.string()), "");
}

}  // namespace
}  // namespace diffram::session
