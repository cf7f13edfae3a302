#pragma once
// The requests of a channel that DRAMsim3 still remembers, in one pool, and who is pending at which
// address (dramsim3-behaviour.md 6). At an address there is at most one read that queues, with the
// reads that ride along, and at most one write.

#include <cstdint>
#include <vector>

#include "ctrl/compat/command.h"

namespace diffram::ctrl::compat {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// One line of a cache.
struct alignas(64) Transaction {
  std::uint64_t address = 0;
  Tick arrival = 0;
  std::uint64_t order = 0;  ///< in the transaction queue, then in the command queue
  std::uint32_t bank = 0, row = 0, column = 0;
  std::uint32_t next = kNone;  ///< in its transaction queue
  std::uint32_t next_in_bucket = kNone;
  std::uint32_t first_rider = kNone, last_rider = kNone;
  bool is_write = false;
};

class Transactions {
 public:
  Transactions();

  const Transaction& operator[](std::uint32_t id) const { return pool_[id]; }
  Transaction& operator[](std::uint32_t id) { return pool_[id]; }

  struct Pending {
    std::uint32_t read = kNone, write = kNone;
  };
  /// Who is pending at exactly this address.
  Pending pending_at(std::uint64_t address) const {
    Pending found;
    for (std::uint32_t id = buckets_[bucket_of(address)]; id != kNone;
         id = pool_[id].next_in_bucket) {
      if (pool_[id].address != address) continue;
      (pool_[id].is_write ? found.write : found.read) = id;
    }
    return found;
  }

  std::uint32_t add(std::uint64_t address, bool is_write, Tick arrival);
  /// A read that waits for the data of `read`.
  void add_rider(std::uint32_t read, Tick arrival);
  /// No longer pending; calls `each(arrival)` for it and its riders, in the order of arrival.
  template <class Each>
  void finish(std::uint32_t id, Each each) {
    each(pool_[id].arrival);
    for (std::uint32_t rider = pool_[id].first_rider; rider != kNone;) {
      each(riders_[rider].arrival);
      const std::uint32_t next = riders_[rider].next;
      riders_[rider].next = free_rider_;
      free_rider_ = rider;
      rider = next;
    }
    forget(id);
  }

 private:
  struct Rider {
    Tick arrival = 0;
    std::uint32_t next = kNone;
  };

  std::size_t bucket_of(std::uint64_t address) const {
    // Fibonacci hashing: lines of a stream differ in the low bits, banks' rows in the high ones.
    constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
    return (address * kGoldenRatio) >> bucket_shift_;
  }
  void forget(std::uint32_t id);
  void grow_buckets();

  std::vector<Transaction> pool_;
  std::vector<Rider> riders_;
  std::vector<std::uint32_t> buckets_;
  std::uint32_t bucket_shift_;
  std::uint32_t free_ = kNone, free_rider_ = kNone;
  std::size_t pending_ = 0;
};

}  // namespace diffram::ctrl::compat
