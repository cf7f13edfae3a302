#pragma once
// diffram's memory for other programs: requests with numbers of your own go in, replies with the
// cycle of their last data come out. Needs the standard library alone; link libdiffram.so
// (find_package(diffram), target diffram::memory). docs/library.md has an example.
//
// Nothing depends on how time is cut into calls of `advance`, and the same calls give the same
// replies on every machine.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace diffram {

struct MemoryRequest {
  std::uint64_t id = 0;       ///< comes back with the reply; need not be unique
  std::uint64_t address = 0;  ///< byte, below capacity_bytes()
  std::uint64_t bytes = 0;    ///< 0 = 1; the first and the last burst are touched whole
  bool is_write = false;
  std::uint8_t priority = 0;  ///< of requests that wait for the controller the highest enters first
};

struct MemoryReply {
  std::uint64_t id = 0;
  std::int64_t arrival = 0;  ///< now() at `submit`
  std::int64_t cycle = 0;    ///< the end of the last data beat
  bool is_write = false;
};

struct MemoryOptions {
  /// As after --set, without its "memory.": {"controller.scheduler", "frfcfs-strict"}.
  std::vector<std::pair<std::string, std::string>> set;
  /// Makes `snapshot` possible. It costs some 40 bytes a request until the memory idles.
  bool snapshots = false;
};

/// One memory with all its channels. One thread at a time.
class [[gnu::visibility("default")]] Memory {
 public:
  /// A name of `diffram list memories`, or a TOML file. Null: `error` says why, a line a cause.
  static std::unique_ptr<Memory> open(const std::string& name_or_file, std::string& error,
                                      const MemoryOptions& options = {});
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// Arrives at now(). False, and nothing done: it does not lie within the capacity.
  bool submit(const MemoryRequest& request);
  /// Simulate all cycles below `until`; afterwards now() is `until`, unless it was beyond.
  void advance(std::int64_t until);
  /// Simulate until every request is answered; gives now().
  std::int64_t drain();

  std::int64_t now() const;         ///< cycles of the memory clock, from 0
  std::size_t outstanding() const;  ///< requests without a reply
  /// What was answered since the last call, in the order of `cycle`, all of it ≤ now().
  std::vector<MemoryReply> take_replies();

  /// Everything that what follows depends on, replies that were not taken included. Empty without
  /// MemoryOptions::snapshots.
  std::string snapshot() const;
  /// Goes on where the snapshot was made: of the same memory with the same options. False, and
  /// nothing changed: `error` says why.
  bool restore(std::string_view snapshot, std::string& error);

  const std::string& name() const;
  double clock_ns() const;
  std::uint64_t capacity_bytes() const;
  std::uint32_t burst_bytes() const;
  std::uint32_t channels() const;

 private:
  class [[gnu::visibility("hidden")]] Inside;
  explicit Memory(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace diffram
