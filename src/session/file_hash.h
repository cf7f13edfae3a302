#pragma once
// The hash that a run knows its inputs by: XXH64 of the bytes as stored, 16 hex digits.

#include <atomic>
#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/timed_request.h"

namespace diffram::session {

class FileHash {
 public:
  explicit FileHash(const std::string& path);
  ~FileHash();

  /// Read on, one block.
  void read_block();
  /// Of the whole file, what is not read yet included; empty if it cannot be read, or `stop` was
  /// set before its end.
  std::string finish(const std::atomic<bool>* stop);

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 17;

  struct State;
  std::ifstream file_;
  std::unique_ptr<State> state_;
  std::vector<char> block_;
};

std::string hash_of_file(const std::string& path, const std::atomic<bool>* stop = nullptr);

/// A trace's requests, and the hash of its file made on the way by whoever reads ahead.
class HashedFeed final : public base::RequestFeed {
 public:
  HashedFeed(base::RequestFeed& feed, const std::string& path) : feed_(feed), hash_(path) {}

  base::Result<std::size_t> read(std::span<base::TimedRequest> out) override {
    return feed_.read(out);
  }
  std::size_t prepare_ahead(std::size_t most) override {
    return most <= kHashes ? 0 : kHashes + feed_.prepare_ahead(most - kHashes);
  }
  void read_ahead(std::size_t part) override {
    if (part < kHashes) return hash_.read_block();
    feed_.read_ahead(part - kHashes);
  }
  std::string finish_hash(const std::atomic<bool>* stop) { return hash_.finish(stop); }

 private:
  /// The first part is one block of the hash.
  static constexpr std::size_t kHashes = 1;

  base::RequestFeed& feed_;
  FileHash hash_;
};

}  // namespace diffram::session
