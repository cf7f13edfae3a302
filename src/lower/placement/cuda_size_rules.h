#pragma once
// The size rules of PyTorch's CUDA caching allocator (lowering.md 1; measured there on 9,519
// addresses and 298 segment sizes of public memory snapshots, which the tests replay).

#include <cstdint>
#include <limits>

#include "base/result.h"
#include "lower/placement/placement.h"

namespace diffram::lower {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kSmallestBlock = 512;
inline constexpr std::uint64_t kLargestSmallRequest = kMiB;  ///< above: the large pool
inline constexpr std::uint64_t kSmallSegment = 2 * kMiB;
inline constexpr std::uint64_t kMediumSegment = 20 * kMiB;
inline constexpr std::uint64_t kFirstLargeRequest = 10 * kMiB;  ///< from here a segment of its own
inline constexpr std::uint64_t kSegmentRounding = 2 * kMiB;

class CudaSizeRules {
 public:
  /// The options PYTORCH_CUDA_ALLOC_CONF knows; others are an error with the nearest name.
  static base::Result<CudaSizeRules> from(const AllocatorOptions& options);

  /// Bytes of the block for a request.
  std::uint64_t block_bytes(std::uint64_t requested) const;
  static bool is_small(std::uint64_t block_bytes) { return block_bytes <= kLargestSmallRequest; }
  static std::uint64_t segment_bytes(std::uint64_t block_bytes);
  /// Whether a piece of `piece` bytes is cut for a block of `block` bytes, or given whole.
  bool splits(std::uint64_t piece, std::uint64_t block) const;
  /// max_split_size_mb keeps large pieces for large requests: whether a fitting piece may serve.
  bool may_serve(std::uint64_t piece, std::uint64_t block) const;
  bool limits_splits() const { return max_split_bytes_ != kNoLimit; }
  std::uint64_t max_split_bytes() const { return max_split_bytes_; }

 private:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t max_split_bytes_ = kNoLimit;
  std::uint64_t power2_divisions_ = 0;  ///< 0 and 1 = round to 512 bytes only
};

}  // namespace diffram::lower
