#pragma once
// Where tensors lie: storages get device addresses from an allocator, device addresses become
// physical ones through a page map, and a whole program is played against a capacity before
// anything is simulated (lowering.md 1).

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lower/lowering.h"
#include "trace/tensor_trace.h"

namespace diffram::lower {

using AllocatorOptions = std::vector<std::pair<std::string, std::string>>;

/// A capacity no program reaches, for dry runs: 2^47 bytes, the user half of a 48-bit space.
inline constexpr std::uint64_t kUnlimitedCapacity = std::uint64_t{1} << 47;

/// What an allocator holds, in bytes.
struct Occupancy {
  std::int64_t capacity = 0;
  std::int64_t live = 0;       ///< Σ of the storages' own sizes
  std::int64_t allocated = 0;  ///< Σ of their blocks, rounding included
  std::int64_t reserved = 0;   ///< Σ of the segments taken from the device

  std::int64_t cached() const { return reserved - allocated; }
  std::int64_t device_free() const { return capacity - reserved; }

  bool operator==(const Occupancy&) const = default;
};

/// The moment a request could not be served, after cached segments had been given back.
struct OutOfMemory {
  std::uint32_t storage = 0;
  std::int64_t requested = 0;      ///< bytes of the storage
  std::int64_t segment_bytes = 0;  ///< bytes that had to come from the device
  Occupancy at;                    ///< without the failed request

  /// Cached plus device-free bytes would have held the request, but in no single piece.
  bool is_fragmentation() const { return at.cached() + at.device_free() >= requested; }
  std::string text() const;  ///< one sentence with every number
};

/// A block of memory: of a live storage, or cached.
struct Block {
  static constexpr std::uint32_t kCached = 0xFFFFFFFFu;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t segment = 0;  ///< address of the segment it is a piece of
  std::uint32_t storage = kCached;

  bool operator==(const Block&) const = default;
};

/// The device below an allocator: hands out segments.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  /// An address for a segment of `bytes`, or nothing when the device has no room for it.
  virtual std::optional<std::uint64_t> reserve(std::uint64_t bytes) = 0;
  virtual void give_back(std::uint64_t address, std::uint64_t bytes) = 0;
};

/// cudaMalloc maps whole pages of 2 MiB.
inline constexpr std::uint64_t kDevicePageBytes = std::uint64_t{2} << 20;

/// The lowest free address that is a multiple of `page_bytes` and has `bytes` free behind it, on
/// [0, capacity). A segment is one piece of device addresses, as every page map but identity
/// would not demand: a device whose free bytes lie in pieces is full earlier here than a GPU.
std::unique_ptr<SegmentSource> make_lowest_address_source(
    std::uint64_t capacity_bytes, std::uint64_t page_bytes = kDevicePageBytes);

/// Gives storages their addresses. The same calls give the same addresses.
class Allocator {
 public:
  virtual ~Allocator() = default;

  /// Device address of `storage` until its release. A storage of zero bytes is live and holds
  /// nothing (address 0). Errors: `storage_live`, `negative_size`, `out_of_memory` (then
  /// `failure()` has the numbers and nothing has changed but cached segments given back).
  virtual base::Result<std::uint64_t> allocate(std::uint32_t storage, std::int64_t bytes) = 0;
  /// Error `storage_not_live` for one that is not.
  virtual base::Result<void> release(std::uint32_t storage) = 0;
  /// Between two repetitions of a stored step: what was `after` is now `before`
  /// (trace::Step::carries). Moves no byte.
  virtual base::Result<void> carry(std::span<const trace::Carry> carries) = 0;

  /// Address of a live storage; asking for another is an error of the program.
  virtual std::optional<std::uint64_t> address_of(std::uint32_t storage) const = 0;
  virtual Occupancy occupancy() const = 0;
  virtual const std::optional<OutOfMemory>& failure() const = 0;
  virtual std::vector<Block> blocks() const = 0;  ///< all, by address

  std::int64_t live_bytes() const { return occupancy().live; }
  std::int64_t reserved_bytes() const { return occupancy().reserved; }
};

/// `name`: "cuda", "cpu", "bump". Without a source, segments come from the lowest free address.
/// Options of "cuda": max_split_size_mb, roundup_power2_divisions, expandable_segments.
base::Result<std::unique_ptr<Allocator>> make_allocator(
    const std::string& name, std::uint64_t capacity_bytes, const AllocatorOptions& options = {},
    std::unique_ptr<SegmentSource> source = nullptr);

/// Device address → physical address, one to one on [0, capacity).
class PageMap {
 public:
  virtual ~PageMap() = default;
  /// `address` < capacity. Bytes of one page stay together.
  virtual std::uint64_t physical(std::uint64_t address) const = 0;
  /// Bytes from `address` on that are contiguous in physical memory for certain: to the end of
  /// the page, or of the memory.
  virtual std::uint64_t contiguous_bytes(std::uint64_t address) const = 0;
};

/// `name`: "identity", "random-2m", "random-4k", "interleaved" (4 KiB pages go round robin to
/// kInterleavedRegions equal parts of the memory). What does not fill a page at the end stays put.
base::Result<std::unique_ptr<PageMap>> make_page_map(const std::string& name,
                                                     std::uint64_t capacity_bytes,
                                                     std::uint64_t seed);
inline constexpr std::uint64_t kInterleavedRegions = 4;

/// The program against the capacity: every step with its repetitions; storages alive at the start
/// come first, by id.
/// - peak_live_bytes, live_by_class, largest and peak_op belong to the first moment of the largest
///   sum of live storages, which no allocator and no capacity changes.
/// - peak_reserved_bytes is the largest sum of segments: at the given capacity when the program
///   fits, with unlimited memory when it does not.
/// - missing_bytes = the smallest capacity found by bisection in steps of 2 MiB at which the
///   program was played to its end, less the given capacity. That much more is enough;
///   fragmentation is not monotonous, so that less may be enough at some capacity that was not
///   tried.
struct CapacityPlan {
  CapacityReport report;
  std::optional<OutOfMemory> failure;  ///< at the given capacity
  std::string failing_op;              ///< the op that was about to run
};
base::Result<CapacityPlan> plan_capacity(const trace::TensorTrace& trace,
                                         const std::string& allocator, std::uint64_t capacity_bytes,
                                         const AllocatorOptions& options = {});

}  // namespace diffram::lower
