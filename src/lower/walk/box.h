#pragma once
// A box is the set of bytes that a strided part of a tensor touches in its storage: equal runs of
// consecutive bytes, repeated along a few strides. Dimensions of stride 0 are touched once,
// contiguous dimensions are merged, so a box has the fewest and longest runs there are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "trace/tensor_trace.h"

namespace diffram::lower {

struct Dimension {
  std::int64_t count = 1;
  std::int64_t stride = 0;  ///< bytes
};

/// Indices [begin, end) along one dimension.
struct Range {
  std::int64_t begin = 0, end = 0;
  std::int64_t size() const { return end - begin; }
};

/// Tensors of more dimensions than this are walked as one run from first to last byte.
inline constexpr std::size_t kMaxDimensions = 10;

class Box {
 public:
  Box() = default;
  Box(std::int64_t offset, std::int64_t bytes) : offset_(offset), run_bytes_(bytes) {}
  Box(std::int64_t offset, std::int64_t element_bytes, std::span<const Dimension> dimensions);

  bool empty() const { return run_bytes_ == 0; }
  std::int64_t run_bytes() const { return run_bytes_; }
  std::int64_t runs() const;
  std::int64_t bytes() const { return empty() ? 0 : runs() * run_bytes_; }

  /// The `index`-th of `parts` nearly equal parts, cut along the slowest stride.
  Box part(std::int64_t index, std::int64_t parts) const;

  /// visit(begin, end) for each run, by ascending address (bytes from the start of the storage).
  template <class Visit>
  void for_each_run(Visit&& visit) const {
    if (empty()) return;
    walk_runs(0, offset_, visit);
  }

 private:
  template <class Visit>
  void walk_runs(std::size_t level, std::int64_t at, Visit& visit) const {
    if (level == rank_) {
      visit(at, at + run_bytes_);
      return;
    }
    const Dimension d = dimensions_[level];
    if (level + 1 == rank_) {
      for (std::int64_t i = 0; i < d.count; ++i, at += d.stride) visit(at, at + run_bytes_);
      return;
    }
    for (std::int64_t i = 0; i < d.count; ++i, at += d.stride) walk_runs(level + 1, at, visit);
  }

  std::int64_t offset_ = 0;
  std::int64_t run_bytes_ = 0;
  std::size_t rank_ = 0;
  std::array<Dimension, kMaxDimensions> dimensions_{};  ///< slowest first
};

/// A tensor use with its dimensions in the program's order, to be narrowed to a tile.
class View {
 public:
  View() = default;
  explicit View(const trace::TensorUse& use);

  std::size_t rank() const { return rank_; }
  std::int64_t element_bytes() const { return element_bytes_; }
  const Dimension& dimension(std::size_t d) const { return dimensions_[d]; }
  std::int64_t count(std::size_t d) const { return dimensions_[d].count; }
  std::int64_t elements() const;

  View& narrow(std::size_t d, Range range);
  /// Dimension d becomes (outer, count / outer).
  View& split(std::size_t d, std::int64_t outer);
  /// A new dimension of stride 0 before d.
  View& insert_broadcast(std::size_t d, std::int64_t count);
  View& set_dimension(std::size_t d, Dimension dimension);
  View& append(Dimension dimension);
  View& clear_dimensions();
  Box box() const;

 private:
  std::int64_t offset_ = 0;
  std::int64_t element_bytes_ = 1;
  std::size_t rank_ = 0;
  std::array<Dimension, kMaxDimensions> dimensions_{};
};

}  // namespace diffram::lower
