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

Box RowedMap::part(Range rows, Range channels) const {
  const std::int64_t image = rows.begin / period;
  if (rows.size() > period) return cut({image, rows.end / period}, map.of({0, period}), channels);
  const std::int64_t base = image * period;
  return cut({image, image + 1}, map.of({rows.begin - base, rows.end - base}), channels);
}

std::int64_t RowedMap::previous_end(Range rows) const {
  const std::int64_t row = rows.begin % period;
  return row == 0 || rows.size() > period ? 0 : map.of({0, row}).end;
}

Box RowedMap::shared_with_previous(Range rows, Range channels) const {
  const std::int64_t image = rows.begin / period, base = image * period;
  const Range needed = map.of({rows.begin - base, std::min(rows.end - base, period)});
  return cut({image, image + 1}, {needed.begin, std::min(needed.end, previous_end(rows))},
             channels);
}

Box RowedMap::beyond_previous(Range rows, Range channels) const {
  const std::int64_t end = previous_end(rows);
  if (end == 0) return part(rows, channels);
  const std::int64_t image = rows.begin / period, base = image * period;
  const Range needed = map.of({rows.begin - base, rows.end - base});
  return cut({image, image + 1}, {std::max(needed.begin, end), needed.end}, channels);
}

}  // namespace diffram::lower
