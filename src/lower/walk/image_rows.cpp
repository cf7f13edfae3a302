#include "lower/walk/image_rows.h"

#include <algorithm>

namespace diffram::lower {
namespace {

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

}  // namespace

Range RowMap::of(Range rows) const {
  Range needed = rows;
  if (direction == Direction::forward) {
    needed = {rows.begin * stride - pad, (rows.end - 1) * stride - pad + reach + 1};
  } else if (direction == Direction::backward) {
    needed = {-floor_divide(-(rows.begin + pad - reach), stride),
              floor_divide(rows.end - 1 + pad, stride) + 1};
  }
  needed.begin = std::clamp<std::int64_t>(needed.begin, 0, limit);
  needed.end = std::clamp<std::int64_t>(needed.end, needed.begin, limit);
  return needed;
}

Extent RowMap::extent(std::int64_t width) const {
  switch (direction) {
    case Direction::forward:
      return {stride * width, std::max<std::int64_t>(0, reach + 1 - stride) * width};
    case Direction::backward:
      return {(width + stride - 1) / stride, width * (reach / stride + 1)};
    case Direction::identity:
      break;
  }
  return {width, 0};
}

Box RowedMap::cut(Range images, Range map_rows, Range channels) const {
  if (map_rows.size() <= 0) return Box();
  View view_cut = view;
  view_cut.narrow(0, images).narrow(1, channels).narrow(2, map_rows);
  return view_cut.box();
}

void RowedMap::add(TileWork& tile, std::uint32_t operand, Range rows, Range channels,
                   Touch touch) const {
  const bool on_chip = touch == Touch::on_chip;
  for (std::int64_t at = rows.begin; at < rows.end;) {
    const std::int64_t image = at / period, row = at % period;
    if (row == 0 && rows.end - at >= period) {
      const std::int64_t end_image = rows.end / period;
      tile.add(operand, cut({image, end_image}, map.of({0, period}), channels), on_chip);
      at = end_image * period;
      continue;
    }
    const std::int64_t end_row = std::min(period, row + rows.end - at);
    const Range needed = map.of({row, end_row});
    const bool shares = touch == Touch::load_beyond_previous && at == rows.begin && row > 0;
    const std::int64_t loaded =
        shares ? std::clamp(map.of({0, row}).end, needed.begin, needed.end) : needed.begin;
    tile.add(operand, cut({image, image + 1}, {needed.begin, loaded}, channels), true);
    tile.add(operand, cut({image, image + 1}, {loaded, needed.end}, channels), on_chip);
    at += end_row - row;
  }
}

}  // namespace diffram::lower
