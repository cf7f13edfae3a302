#pragma once
// The walk of everything that is no matrix product: tiles of an index space, and for each the
// matching parts of operands. An operand is a view of the index space, with stride 0 where it is
// broadcast or reduced. The index space has an outer and a kept part (a softmax row, a norm's
// slab): what belongs to one outer index is worked on together, in one pass or in several.
//
// A tile takes whole inner dimensions and a range of one dimension, so permuted views are walked in
// long runs on both sides where that is possible.

#include <cstdint>
#include <memory>
#include <vector>

#include "lower/walk/walk.h"

namespace diffram::lower {

/// When an operand is touched.
enum class Moment : std::uint8_t {
  every_tile,
  first_tile,  ///< small: read whole with the first tile, then kept
  last_tile,   ///< small: accumulated on chip, written whole with the last tile
};

struct StreamOperand {
  std::uint32_t operand = 0;
  View view;  ///< every_tile: dimensions = those of the index space; else any
  bool is_write = false;
  Moment moment = Moment::every_tile;
};

struct StreamShape {
  std::vector<StreamOperand> operands;
  std::vector<std::int64_t> sizes;  ///< index space, outer dimensions first
  std::size_t kept = 0;             ///< how many of the last dimensions belong together
  /// Passes over the kept part: reads are touched in each, writes in the last.
  std::int64_t passes = 1;
  /// The second pass is only made when the kept part exceeds the scratchpad's kept half.
  bool one_pass_if_it_fits = false;
  std::int64_t operations_per_element = 1;  ///< of each pass
};

std::unique_ptr<Walk> make_stream(StreamShape shape, const TileBudget& budget);

/// Elements of one operand in a tile: a quarter of the scratchpad is for the tiles of all of them.
std::int64_t tile_elements(const std::vector<StreamOperand>& operands, const TileBudget& budget);

/// The view of `use` over an index space of `sizes`, aligned at the last dimension as broadcasting
/// does; false when it does not fit.
bool align_view(const trace::TensorUse& use, const std::vector<std::int64_t>& sizes, View& view);

}  // namespace diffram::lower
