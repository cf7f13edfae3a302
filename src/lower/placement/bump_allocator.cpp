#include "lower/placement/bump_allocator.h"

#include <iterator>

namespace diffram::lower {

namespace {
/// A line of every cache and a burst of every memory in specs/.
constexpr std::uint64_t kAlignment = 64;
}  // namespace

std::uint64_t BumpAllocator::end() const {
  if (live_.empty()) return 0;
  const auto last = std::prev(live_.end());
  return last->first + last->second;
}

void BumpAllocator::reserve_up_to(std::uint64_t end) {
  add_reserved(static_cast<std::int64_t>(end) - occupancy().reserved);
}

std::optional<std::uint64_t> BumpAllocator::take(std::uint64_t bytes) {
  const std::uint64_t block = rounded_up(bytes, kAlignment);
  const std::uint64_t address = end();
  if (static_cast<std::int64_t>(address + block) > occupancy().capacity) {
    needs_from_device(block);
    return std::nullopt;
  }
  live_.emplace(address, block);
  add_allocated(static_cast<std::int64_t>(block));
  reserve_up_to(address + block);
  return address;
}

void BumpAllocator::put_back(std::uint64_t address) {
  const auto found = live_.find(address);
  add_allocated(-static_cast<std::int64_t>(found->second));
  live_.erase(found);
  reserve_up_to(end());
}

std::vector<Block> BumpAllocator::pieces() const {
  std::vector<Block> blocks;
  std::uint64_t behind = 0;
  for (const auto& [address, bytes] : live_) {
    if (address > behind) {
      blocks.push_back(
          {.address = behind, .bytes = address - behind, .segment = 0, .storage = Block::kCached});
    }
    blocks.push_back({.address = address, .bytes = bytes, .segment = 0, .storage = Block::kCached});
    behind = address + bytes;
  }
  return blocks;
}

}  // namespace diffram::lower
