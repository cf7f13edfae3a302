#pragma once
// PyTorch's CUDA caching allocator on one stream: two pools of segments cut into blocks. Freed
// blocks are kept for later requests; the device gets a segment back only when a request would
// fail otherwise. Why model it: the address of a tensor decides its DRAM bank and row, and the
// bytes it strands decide whether a program fits.

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "lower/placement/cuda_size_rules.h"
#include "lower/placement/piece_table.h"
#include "lower/placement/storage_book.h"

namespace diffram::lower {

class CudaAllocator : public BookedAllocator {
 public:
  CudaAllocator(std::uint64_t capacity_bytes, const CudaSizeRules& rules,
                std::unique_ptr<SegmentSource> source)
      : BookedAllocator(capacity_bytes), rules_(rules), source_(std::move(source)) {}

  /// Takes over the state that a recorded history starts from: all blocks of whole segments, by
  /// address. A segment of 2 MiB is of the small pool; no other request makes one.
  void restore(std::span<const Block> blocks);

 protected:
  std::optional<std::uint64_t> take(std::uint64_t bytes) override;
  void put_back(std::uint64_t address) override;
  std::vector<Block> pieces() const override;

 private:
  enum Pool : std::size_t { small_pool, large_pool };

  std::optional<std::uint64_t> from_cache(Pool pool, std::uint64_t block) const;
  std::optional<std::uint64_t> from_device(Pool pool, std::uint64_t block);
  bool release_oversize(Pool pool, std::uint64_t block);
  bool release_cached();
  void release_segment(Pool pool, std::uint64_t address);

  CudaSizeRules rules_;
  std::unique_ptr<SegmentSource> source_;
  std::array<PieceTable, 2> pools_;
  std::map<std::uint64_t, std::uint64_t> segments_;  ///< address → bytes
};

}  // namespace diffram::lower
