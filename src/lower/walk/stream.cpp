#include "lower/walk/stream.h"

#include <algorithm>
#include <utility>

#include "lower/walk/odometer.h"

namespace diffram::lower {
namespace {

/// Puts dimensions [begin, end) in the order of `guide`'s strides, slowest first.
void reorder(StreamShape& shape, const View& guide, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> order;
  for (std::size_t d = begin; d < end; ++d) {
    if (guide.dimension(d).stride == 0 && shape.sizes[d] > 1) return;  // no order to follow
    order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return guide.dimension(a).stride > guide.dimension(b).stride;
  });
  const std::vector<std::int64_t> sizes = shape.sizes;
  for (std::size_t i = 0; i < order.size(); ++i) shape.sizes[begin + i] = sizes[order[i]];
  for (StreamOperand& o : shape.operands) {
    if (o.moment != Moment::every_tile) continue;
    const View before = o.view;
    for (std::size_t i = 0; i < order.size(); ++i)
      o.view.set_dimension(begin + i, before.dimension(order[i]));
  }
}

/// Joins neighbouring dimensions that every operand walks as one; the outer and the kept part stay
/// apart.
void collapse(StreamShape& shape) {
  const std::size_t rank = shape.sizes.size(), first_kept = rank - shape.kept;
  std::vector<std::int64_t> sizes;
  std::vector<std::vector<Dimension>> dimensions(shape.operands.size());
  std::size_t kept = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool in_kept = d >= first_kept;
    if (shape.sizes[d] == 1) continue;
    bool joins = !sizes.empty() && in_kept == (kept > 0);
    for (std::size_t o = 0; joins && o < shape.operands.size(); ++o) {
      if (shape.operands[o].moment != Moment::every_tile) continue;
      joins = dimensions[o].back().stride ==
              shape.operands[o].view.dimension(d).stride * shape.sizes[d];
    }
    if (joins) {
      sizes.back() *= shape.sizes[d];
    } else {
      sizes.push_back(shape.sizes[d]);
      kept += std::size_t{in_kept};
    }
    for (std::size_t o = 0; o < shape.operands.size(); ++o) {
      if (shape.operands[o].moment != Moment::every_tile) continue;
      const Dimension own = shape.operands[o].view.dimension(d);
      if (joins) {
        dimensions[o].back() = {dimensions[o].back().count * own.count, own.stride};
      } else {
        dimensions[o].push_back(own);
      }
    }
  }
  shape.sizes = std::move(sizes);
  shape.kept = kept;
  for (std::size_t o = 0; o < shape.operands.size(); ++o) {
    if (shape.operands[o].moment != Moment::every_tile) continue;
    shape.operands[o].view.clear_dimensions();
    for (const Dimension& d : dimensions[o]) shape.operands[o].view.append(d);
  }
}

class Stream final : public Walk {
 public:
  Stream(StreamShape shape, const TileBudget& budget) : shape_(std::move(shape)) {
    collapse(shape_);
    plan(budget);
    facts.operations_per_element = shape_.operations_per_element;
    for (const StreamOperand& o : shape_.operands) {
      const std::int64_t whole = o.moment == Moment::every_tile
                                     ? shape_elements() * o.view.element_bytes()
                                     : o.view.box().bytes();
      facts.bound_bytes +=
          o.is_write ? whole : whole * (o.moment == Moment::every_tile ? passes_ : 1);
    }
  }

  /// All operands walk one dimension: no order is better than another.
  bool is_flat() const { return shape_.sizes.size() <= 1; }

  bool next(TileWork& tile) override {
    if (odometer_.done()) return false;
    const std::int64_t pass = passes_in_tile_ ? 0 : odometer_[first_kept_];
    const Range range = range_of_tile();
    const std::int64_t first_pass = passes_in_tile_ ? 0 : pass;
    const std::int64_t last_pass = passes_in_tile_ ? passes_ - 1 : pass;
    odometer_.advance();
    const bool is_last = odometer_.done();
    for (const StreamOperand& o : shape_.operands)
      if (!o.is_write) read(o, range, first_pass, last_pass, tile);
    for (const StreamOperand& o : shape_.operands)
      if (o.is_write) write(o, range, last_pass == passes_ - 1, is_last, tile);
    tile.operations =
        range.size() * inner_ * shape_.operations_per_element * (last_pass - first_pass + 1);
    is_first_ = false;
    return true;
  }

 private:
  std::int64_t shape_elements() const {
    std::int64_t product = 1;
    for (const std::int64_t size : shape_.sizes) product *= size;
    return product;
  }

  void plan(const TileBudget& budget) {
    if (shape_.sizes.empty()) shape_.sizes.push_back(1), append_unit_dimension();
    const std::size_t rank = shape_.sizes.size();
    first_kept_ = rank - shape_.kept;
    const std::int64_t target = tile_elements(shape_.operands, budget);
    axis_ = rank - 1;
    inner_ = 1;
    while (axis_ > 0 && inner_ * shape_.sizes[axis_] <= target) inner_ *= shape_.sizes[axis_--];
    chunk_ = std::max<std::int64_t>(
        1, std::min(target / std::max<std::int64_t>(1, inner_), shape_.sizes[axis_]));
    // Tiles that end on whole lines: 32 elements fill one at the narrowest common dtype (fp16).
    const std::int64_t grain = inner_ == 1 ? 256 : 32;
    if (chunk_ < shape_.sizes[axis_] && chunk_ > 4 * grain) chunk_ -= chunk_ % grain;

    const bool slab_is_cut = shape_.kept > 0 && axis_ >= first_kept_;
    std::int64_t slab = 1, slab_bytes = 0;
    for (std::size_t d = first_kept_; d < rank; ++d) slab *= shape_.sizes[d];
    for (const StreamOperand& o : shape_.operands)
      if (!o.is_write && o.moment == Moment::every_tile)
        slab_bytes += slab * o.view.element_bytes();
    const bool slab_fits = !slab_is_cut || slab_bytes <= budget.kept();
    passes_ = shape_.one_pass_if_it_fits && slab_fits ? 1 : shape_.passes;
    rereads_stay_ = slab_fits;
    passes_in_tile_ = !slab_is_cut;

    // Digits: outer dimensions, then the pass (when a slab takes several tiles), then kept ones.
    std::vector<std::int64_t> limits;
    for (std::size_t d = 0; d < axis_; ++d) {
      if (!passes_in_tile_ && d == first_kept_) limits.push_back(passes_);
      limits.push_back(shape_.sizes[d]);
    }
    if (!passes_in_tile_ && axis_ == first_kept_) limits.push_back(passes_);
    limits.push_back((shape_.sizes[axis_] + chunk_ - 1) / chunk_);
    odometer_ = Odometer(std::move(limits));
  }

  void append_unit_dimension() {
    for (StreamOperand& o : shape_.operands)
      if (o.moment == Moment::every_tile) o.view.append({1, 0});
  }

  std::size_t digit_of(std::size_t d) const {
    return d + std::size_t{!passes_in_tile_ && d >= first_kept_};
  }

  Range range_of_tile() {
    outer_.resize(axis_);
    for (std::size_t d = 0; d < axis_; ++d) outer_[d] = odometer_[digit_of(d)];
    const std::int64_t begin = odometer_[digit_of(axis_)] * chunk_;
    return {begin, std::min(begin + chunk_, shape_.sizes[axis_])};
  }

  Box part(const StreamOperand& o, Range range) const {
    View view = o.view;
    for (std::size_t d = 0; d < axis_; ++d) view.narrow(d, {outer_[d], outer_[d] + 1});
    return view.narrow(axis_, range).box();
  }

  void read(const StreamOperand& o, Range range, std::int64_t first_pass, std::int64_t last_pass,
            TileWork& tile) const {
    if (o.moment == Moment::first_tile) {
      if (is_first_) tile.add(o.operand, o.view.box());
      return;
    }
    const Box box = part(o, range);
    for (std::int64_t pass = first_pass; pass <= last_pass; ++pass)
      tile.add(o.operand, box, pass > 0 && rereads_stay_);
  }

  void write(const StreamOperand& o, Range range, bool in_last_pass, bool is_last,
             TileWork& tile) const {
    if (o.moment == Moment::last_tile) {
      if (is_last) tile.add(o.operand, o.view.box());
      return;
    }
    // What is reduced over a kept dimension that is cut is complete at its end.
    if (in_last_pass && reduction_is_complete(o, range)) tile.add(o.operand, part(o, range));
  }

  bool reduction_is_complete(const StreamOperand& o, Range range) const {
    for (std::size_t d = 0; d < axis_; ++d)
      if (o.view.dimension(d).stride == 0 && outer_[d] + 1 != shape_.sizes[d]) return false;
    return o.view.dimension(axis_).stride != 0 || range.end == shape_.sizes[axis_];
  }

  StreamShape shape_;
  std::size_t first_kept_ = 0, axis_ = 0;
  std::int64_t inner_ = 1, chunk_ = 1, passes_ = 1;
  bool passes_in_tile_ = true, rereads_stay_ = true, is_first_ = true;
  Odometer odometer_{{}};
  std::vector<std::int64_t> outer_;
};

}  // namespace

std::int64_t tile_elements(const std::vector<StreamOperand>& operands, const TileBudget& budget) {
  std::int64_t bytes_per_element = 0;
  for (const StreamOperand& o : operands)
    if (o.moment == Moment::every_tile) bytes_per_element += o.view.element_bytes();
  return std::max<std::int64_t>(1,
                                budget.tile() * 2 / std::max<std::int64_t>(1, bytes_per_element));
}

bool align_view(const trace::TensorUse& use, const std::vector<std::int64_t>& sizes, View& view) {
  if (use.sizes.size() > sizes.size() || use.sizes.size() > kMaxDimensions) return false;
  view = View(use);
  const std::size_t missing = sizes.size() - use.sizes.size();
  for (std::size_t i = 0; i < missing; ++i) view.insert_broadcast(0, sizes[i]);
  for (std::size_t d = missing; d < sizes.size(); ++d) {
    if (view.count(d) == sizes[d]) continue;
    if (view.count(d) != 1) return false;
    view.set_dimension(d, {sizes[d], 0});
  }
  return true;
}

// Why several orders are tried: for a permuted copy the order of the result makes its runs long and
// those of the source short, or the other way round; the tile with the fewest runs decides. (Heads
// of an attention of SD 1.4: 80-byte runs become whole rows.)
std::unique_ptr<Walk> make_stream(StreamShape shape, const TileBudget& budget) {
  std::unique_ptr<Walk> best;
  double fewest = 0;
  std::size_t best_guide = 0;
  const auto ordered = [&](std::size_t guide) {
    StreamShape result = shape;
    const View view = shape.operands[guide].view;
    const std::size_t first_kept = shape.sizes.size() - shape.kept;
    reorder(result, view, 0, first_kept);
    reorder(result, view, first_kept, shape.sizes.size());
    return std::make_unique<Stream>(std::move(result), budget);
  };
  for (std::size_t guide = shape.operands.size(); guide-- > 0;) {
    if (shape.operands[guide].moment != Moment::every_tile) continue;
    auto candidate = ordered(guide);
    const bool decided = candidate->is_flat();
    TileWork tile;
    candidate->next(tile);
    std::int64_t runs = 0;
    for (const Piece& piece : tile.pieces) runs += piece.box.runs();
    const double per_operation =
        static_cast<double>(runs) / static_cast<double>(std::max<std::int64_t>(1, tile.operations));
    if (best == nullptr || per_operation < fewest) {
      fewest = per_operation;
      best_guide = guide;
      best = std::move(candidate);
    }
    if (decided) break;
  }
  if (best == nullptr) return std::make_unique<Stream>(std::move(shape), budget);
  return ordered(best_guide);  // the candidate has given its first tile away
}

}  // namespace diffram::lower
