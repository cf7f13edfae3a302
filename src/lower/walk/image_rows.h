#pragma once
// Which rows of the one feature map a convolution needs for rows of the other, and tiles of rows
// across the images of a batch. Rows are the first spatial dimension; the others are taken whole.

#include <cstdint>

#include "lower/walk/box.h"
#include "lower/walk/contraction.h"

namespace diffram::lower {

/// Rows needed for a range of rows, clipped to the map. Forward: of the input for output rows.
/// Backward: of the output for input rows.
struct RowMap {
  enum class Direction : std::uint8_t { identity, forward, backward };
  Direction direction = Direction::identity;
  std::int64_t stride = 1, pad = 0;
  std::int64_t reach = 0;  ///< (kernel rows − 1) · dilation
  std::int64_t limit = 0;  ///< rows of the map that is needed

  Range of(Range rows) const;
  /// Elements of the needed map that n rows touch at most, with `width` elements a row.
  Extent extent(std::int64_t width) const;
};

/// A feature map [images, channels, rows, …] addressed by rows counted over all images.
struct RowedMap {
  View view;
  std::int64_t period = 1;  ///< rows of the counting map in one image
  RowMap map;

  /// Rows `rows` of `channels` as pieces of `operand`. With `load_beyond_previous`, what the tile
  /// that ended at rows.begin has loaded of them is on chip.
  void add(TileWork& tile, std::uint32_t operand, Range rows, Range channels, Touch touch) const;

 private:
  Box cut(Range images, Range map_rows, Range channels) const;
};

}  // namespace diffram::lower
