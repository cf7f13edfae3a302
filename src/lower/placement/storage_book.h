#pragma once
// What every allocator keeps: which storages are live and where. The rules of a kind of allocator
// are in the two functions it adds.

#include <unordered_map>

#include "lower/placement/placement.h"

namespace diffram::lower {

class BookedAllocator : public Allocator {
 public:
  explicit BookedAllocator(std::uint64_t capacity_bytes);

  base::Result<std::uint64_t> allocate(std::uint32_t storage, std::int64_t bytes) final;
  base::Result<void> release(std::uint32_t storage) final;
  base::Result<void> carry(std::span<const trace::Carry> carries) final;
  std::optional<std::uint64_t> address_of(std::uint32_t storage) const final;
  Occupancy occupancy() const final { return occupancy_; }
  const std::optional<OutOfMemory>& failure() const final { return failure_; }
  std::vector<Block> blocks() const final;

 protected:
  /// The address of a block for `bytes` > 0; nothing when the device is full, after
  /// `needed_from_device` has been set.
  virtual std::optional<std::uint64_t> take(std::uint64_t bytes) = 0;
  virtual void put_back(std::uint64_t address) = 0;
  /// All pieces by address, the live ones too, with no storage named.
  virtual std::vector<Block> pieces() const = 0;

  /// A storage that was live before the first call.
  void enter(std::uint32_t storage, std::uint64_t address, std::int64_t bytes);
  void add_allocated(std::int64_t bytes) { occupancy_.allocated += bytes; }
  void add_reserved(std::int64_t bytes) { occupancy_.reserved += bytes; }
  void needs_from_device(std::uint64_t bytes) { needed_from_device_ = bytes; }

 private:
  struct Holding {
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
  };

  std::unordered_map<std::uint32_t, Holding> live_;  ///< looked up, never walked for a decision
  Occupancy occupancy_;
  std::optional<OutOfMemory> failure_;
  std::uint64_t needed_from_device_ = 0;
};

/// No object is larger: above, sums of sizes could leave 64 bits.
inline constexpr std::int64_t kLargestRequest = std::int64_t{1} << 47;

inline constexpr std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace diffram::lower
