#include "lower/walk/box.h"

#include <algorithm>

namespace diffram::lower {
namespace {

/// Parts of one long run begin on whole lines of every memory: no burst is longer than this.
constexpr std::int64_t kPartGrain = 256;

}  // namespace

Box::Box(std::int64_t offset, std::int64_t element_bytes, std::span<const Dimension> dimensions)
    : offset_(offset), run_bytes_(element_bytes) {
  std::array<Dimension, kMaxDimensions> kept{};
  std::size_t count = 0;
  for (const Dimension& d : dimensions) {
    if (d.count == 0) {
      run_bytes_ = 0;
      return;
    }
    if (d.count == 1 || d.stride == 0) continue;
    std::size_t place = count++;
    for (; place > 0 && kept[place - 1].stride < d.stride; --place) kept[place] = kept[place - 1];
    kept[place] = d;
  }
  // From the innermost outwards: what touches the run before it (or overlaps it) lengthens the run.
  while (count > 0 && kept[count - 1].stride <= run_bytes_) {
    --count;
    run_bytes_ += kept[count].stride * (kept[count].count - 1);
  }
  for (std::size_t d = 0; d < count; ++d) {
    Dimension& outer = dimensions_[rank_ == 0 ? 0 : rank_ - 1];
    if (rank_ > 0 && outer.stride == kept[d].stride * kept[d].count) {
      outer = {outer.count * kept[d].count, kept[d].stride};
    } else {
      dimensions_[rank_++] = kept[d];
    }
  }
}

std::int64_t Box::runs() const {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < rank_; ++d) product *= dimensions_[d].count;
  return product;
}

Box Box::part(std::int64_t index, std::int64_t parts) const {
  const std::int64_t whole = rank_ == 0 ? run_bytes_ : dimensions_[0].count;
  const std::int64_t grain = rank_ == 0 && whole >= parts * kPartGrain ? kPartGrain : 1;
  const auto cut = [&](std::int64_t i) {
    return i == parts ? whole : whole / grain * i / parts * grain;
  };
  const std::int64_t begin = cut(index), end = cut(index + 1);
  Box result = *this;
  if (begin == end) return Box();
  if (rank_ == 0) {
    result.offset_ += begin;
    result.run_bytes_ = end - begin;
  } else {
    result.offset_ += begin * dimensions_[0].stride;
    result.dimensions_[0].count = end - begin;
  }
  return result;
}

View::View(const trace::TensorUse& use)
    : offset_(use.offset), element_bytes_(trace::size_of(use.dtype)) {
  if (use.sizes.size() > kMaxDimensions) {
    std::int64_t last = 0;
    for (std::size_t d = 0; d < use.sizes.size(); ++d)
      last += std::max<std::int64_t>(0, use.sizes[d] - 1) * use.strides[d];
    dimensions_[rank_++] = {last + 1, element_bytes_};
    return;
  }
  for (std::size_t d = 0; d < use.sizes.size(); ++d)
    dimensions_[rank_++] = {use.sizes[d], use.strides[d] * element_bytes_};
}

std::int64_t View::elements() const {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < rank_; ++d) product *= dimensions_[d].count;
  return product;
}

View& View::narrow(std::size_t d, Range range) {
  offset_ += range.begin * dimensions_[d].stride;
  dimensions_[d].count = range.size();
  return *this;
}

View& View::split(std::size_t d, std::int64_t outer) {
  const Dimension whole = dimensions_[d];
  for (std::size_t i = rank_; i > d + 1; --i) dimensions_[i] = dimensions_[i - 1];
  ++rank_;
  const std::int64_t inner = whole.count / outer;
  dimensions_[d] = {outer, whole.stride * inner};
  dimensions_[d + 1] = {inner, whole.stride};
  return *this;
}

View& View::insert_broadcast(std::size_t d, std::int64_t count) {
  for (std::size_t i = rank_; i > d; --i) dimensions_[i] = dimensions_[i - 1];
  ++rank_;
  dimensions_[d] = {count, 0};
  return *this;
}

View& View::set_dimension(std::size_t d, Dimension dimension) {
  dimensions_[d] = dimension;
  return *this;
}

View& View::append(Dimension dimension) {
  dimensions_[rank_++] = dimension;
  return *this;
}

View& View::clear_dimensions() {
  rank_ = 0;
  return *this;
}

Box View::box() const {
  return Box(offset_, element_bytes_, std::span<const Dimension>(dimensions_.data(), rank_));
}

}  // namespace diffram::lower
