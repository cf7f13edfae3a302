#include "lower/placement/cpu_allocator.h"

#include <algorithm>

namespace diffram::lower {

namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kLargestHeapRequest = std::uint64_t{128} << 10;
/// One huge page at a time, so that small tensors lie together.
constexpr std::uint64_t kHeapGrowth = std::uint64_t{2} << 20;
/// Heap pieces merge across growths that happen to be neighbours: nothing of the heap goes back.
constexpr std::uint64_t kOneHeap = 0;

}  // namespace

std::optional<std::uint64_t> CpuAllocator::take(std::uint64_t bytes) {
  if (bytes > kLargestHeapRequest) return take_pages(rounded_up(bytes, kCpuPageBytes));
  return take_heap(rounded_up(bytes, kAlignment));
}

std::optional<std::uint64_t> CpuAllocator::take_heap(std::uint64_t block) {
  auto address = heap_.best_fit(block);
  if (!address) {
    const auto grown = source_->reserve(kHeapGrowth);
    if (!grown) {
      needs_from_device(kHeapGrowth);
      return std::nullopt;
    }
    // Taken and freed once, the growth merges with a free end of the heap before it.
    heap_.add(*grown, kHeapGrowth, kOneHeap);
    heap_.take(*grown, kHeapGrowth);
    heap_.free(*grown);
    add_reserved(static_cast<std::int64_t>(kHeapGrowth));
    address = heap_.best_fit(block);
  }
  if (!address) return std::nullopt;
  heap_.take(*address, block);
  add_allocated(static_cast<std::int64_t>(block));
  return address;
}

std::optional<std::uint64_t> CpuAllocator::take_pages(std::uint64_t block) {
  const auto address = source_->reserve(block);
  if (!address) {
    needs_from_device(block);
    return std::nullopt;
  }
  pages_.emplace(*address, block);
  add_reserved(static_cast<std::int64_t>(block));
  add_allocated(static_cast<std::int64_t>(block));
  return address;
}

void CpuAllocator::put_back(std::uint64_t address) {
  const auto pages = pages_.find(address);
  if (pages == pages_.end()) {
    add_allocated(-static_cast<std::int64_t>(heap_.at(address).bytes));
    heap_.free(address);
    return;
  }
  source_->give_back(address, pages->second);
  add_reserved(-static_cast<std::int64_t>(pages->second));
  add_allocated(-static_cast<std::int64_t>(pages->second));
  pages_.erase(pages);
}

std::vector<Block> CpuAllocator::pieces() const {
  std::vector<Block> blocks;
  heap_.append_to(blocks);
  for (const auto& [address, bytes] : pages_) {
    blocks.push_back(
        {.address = address, .bytes = bytes, .segment = address, .storage = Block::kCached});
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const Block& a, const Block& b) { return a.address < b.address; });
  return blocks;
}

}  // namespace diffram::lower
