#include "lower/placement/cuda_allocator.h"

#include <algorithm>
#include <iterator>

namespace diffram::lower {

std::optional<std::uint64_t> CudaAllocator::take(std::uint64_t bytes) {
  const std::uint64_t block = rules_.block_bytes(bytes);
  const Pool pool = CudaSizeRules::is_small(block) ? small_pool : large_pool;
  auto address = from_cache(pool, block);
  if (!address) address = from_device(pool, block);
  if (!address && release_oversize(pool, block)) address = from_device(pool, block);
  if (!address && release_cached()) address = from_device(pool, block);
  if (!address) {
    needs_from_device(CudaSizeRules::segment_bytes(block));
    return std::nullopt;
  }
  const std::uint64_t piece = pools_[pool].at(*address).bytes;
  const std::uint64_t taken = rules_.splits(piece, block) ? block : piece;
  pools_[pool].take(*address, taken);
  add_allocated(static_cast<std::int64_t>(taken));
  return address;
}

std::optional<std::uint64_t> CudaAllocator::from_cache(Pool pool, std::uint64_t block) const {
  const auto found = pools_[pool].best_fit(block);
  if (!found || !rules_.may_serve(pools_[pool].at(*found).bytes, block)) return std::nullopt;
  return found;
}

std::optional<std::uint64_t> CudaAllocator::from_device(Pool pool, std::uint64_t block) {
  const std::uint64_t bytes = CudaSizeRules::segment_bytes(block);
  // A file's segment addresses say nothing of the capacity: it is counted, whatever the source.
  if (static_cast<std::int64_t>(bytes) > occupancy().device_free()) return std::nullopt;
  const auto address = source_->reserve(bytes);
  if (!address) return std::nullopt;
  segments_.emplace(*address, bytes);
  pools_[pool].add(*address, bytes, *address);
  add_reserved(static_cast<std::int64_t>(bytes));
  return address;
}

// With max_split_size_mb, pieces above the limit are whole segments. The smallest that would make
// room goes back first; if none is large enough alone, the largest go until they are together.
bool CudaAllocator::release_oversize(Pool pool, std::uint64_t block) {
  if (!rules_.limits_splits()) return false;
  const auto& free = pools_[pool].free_pieces();
  const std::uint64_t needed = std::max(block, rules_.max_split_bytes());
  const auto single = free.lower_bound({needed, 0});
  if (single != free.end()) {
    release_segment(pool, single->second);
    return true;
  }
  std::uint64_t released = 0;
  while (released < needed && !free.empty() &&
         std::prev(free.end())->first >= rules_.max_split_bytes()) {
    const auto [bytes, address] = *std::prev(free.end());
    release_segment(pool, address);
    released += bytes;
  }
  return released >= needed;
}

bool CudaAllocator::release_cached() {
  for (const Pool pool : {small_pool, large_pool}) {
    std::vector<std::uint64_t> whole;
    for (const auto& [bytes, address] : pools_[pool].free_pieces()) {
      const auto segment = segments_.find(address);
      if (segment != segments_.end() && segment->second == bytes) whole.push_back(address);
    }
    for (const std::uint64_t address : whole) release_segment(pool, address);
  }
  return true;
}

void CudaAllocator::release_segment(Pool pool, std::uint64_t address) {
  const auto segment = segments_.find(address);
  pools_[pool].remove(address);
  source_->give_back(address, segment->second);
  add_reserved(-static_cast<std::int64_t>(segment->second));
  segments_.erase(segment);
}

void CudaAllocator::put_back(std::uint64_t address) {
  PieceTable& pool = pools_[pools_[small_pool].contains(address) ? small_pool : large_pool];
  add_allocated(-static_cast<std::int64_t>(pool.at(address).bytes));
  pool.free(address);
}

std::vector<Block> CudaAllocator::pieces() const {
  std::vector<Block> blocks;
  for (const auto& pool : pools_) pool.append_to(blocks);
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.address < b.address; });
  return blocks;
}

void CudaAllocator::restore(std::span<const Block> blocks) {
  for (const Block& block : blocks) segments_[block.segment] += block.bytes;
  for (const Block& block : blocks) {
    const Pool pool = segments_.at(block.segment) == kSmallSegment ? small_pool : large_pool;
    pools_[pool].add(block.address, block.bytes, block.segment);
    add_reserved(static_cast<std::int64_t>(block.bytes));
    if (block.storage == Block::kCached) continue;
    pools_[pool].take(block.address, block.bytes);
    add_allocated(static_cast<std::int64_t>(block.bytes));
    enter(block.storage, block.address, static_cast<std::int64_t>(block.bytes));
  }
}

}  // namespace diffram::lower
