#pragma once
// A CPU's allocator in two rules: up to 128 KiB, 64-byte aligned pieces of a growing heap, best
// fit; above, pages of their own that go back when freed. 128 KiB is glibc's mmap threshold
// (M_MMAP_THRESHOLD in mallopt(3)); PyTorch asks for 64-byte alignment (c10 gAlignment).

#include <map>
#include <memory>
#include <utility>

#include "lower/placement/piece_table.h"
#include "lower/placement/storage_book.h"

namespace diffram::lower {

inline constexpr std::uint64_t kCpuPageBytes = 4096;

class CpuAllocator : public BookedAllocator {
 public:
  CpuAllocator(std::uint64_t capacity_bytes, std::unique_ptr<SegmentSource> source)
      : BookedAllocator(capacity_bytes), source_(std::move(source)) {}

 protected:
  std::optional<std::uint64_t> take(std::uint64_t bytes) override;
  void put_back(std::uint64_t address) override;
  std::vector<Block> pieces() const override;

 private:
  std::optional<std::uint64_t> take_heap(std::uint64_t block);
  std::optional<std::uint64_t> take_pages(std::uint64_t block);

  std::unique_ptr<SegmentSource> source_;
  PieceTable heap_;
  std::map<std::uint64_t, std::uint64_t> pages_;  ///< address → bytes
};

}  // namespace diffram::lower
