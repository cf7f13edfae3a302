#include "lower/traffic/request_maker.h"

#include <algorithm>

namespace diffram::lower {

void RequestMaker::make(const TileWork& work, std::vector<OperandPlace>& operands, TileStep& tile) {
  for (std::size_t i = 0; i < work.pieces.size(); ++i) {
    const Piece& piece = work.pieces[i];
    OperandPlace& place = operands[piece.operand];
    if (piece.on_chip && rules_.keeps_on_chip) {
      Flow& flow = flow_[place.origin.value];
      std::int64_t lines = 0;
      piece.box.for_each_run([&](std::int64_t begin, std::int64_t end) {
        lines += (end + rules_.line_bytes - 1) / rules_.line_bytes - begin / rules_.line_bytes;
      });
      flow.walk += lines * rules_.line_bytes;
      flow.filter += lines * rules_.line_bytes;
    } else {
      piece.box.for_each_run(
          [&](std::int64_t begin, std::int64_t end) { touch(place, begin, end, tile); });
    }
    const bool operand_ends =
        i + 1 == work.pieces.size() || work.pieces[i + 1].operand != piece.operand;
    if (operand_ends) flush(place, tile);
  }
}

void RequestMaker::touch(OperandPlace& place, std::int64_t begin, std::int64_t end,
                         TileStep& tile) {
  const std::int64_t line = rules_.line_bytes;
  std::int64_t first = begin / line;
  const std::int64_t last = (end + line - 1) / line;
  Flow& flow = flow_[place.origin.value];
  flow.walk += (last - first) * line;
  if (run_.first != run_.end) {
    const bool continues = first == run_.end;
    const bool overlaps = rules_.keeps_on_chip && first >= run_.first && first < run_.end;
    if (continues || overlaps) {
      if (overlaps) flow.filter += (std::min(run_.end, last) - first) * line;
      run_.end = std::max(run_.end, last);
      run_.end_byte = std::max(run_.end_byte, end);
      return;
    }
    flush(place, tile);
  }
  std::int64_t begin_byte = begin;
  if (rules_.keeps_on_chip && first == place.held_line) {
    flow.filter += line;
    ++first;
    begin_byte = first * line;
    if (first == last) return;
  }
  run_ = {first, last, begin_byte, end};
}

void RequestMaker::flush(OperandPlace& place, TileStep& tile) {
  if (run_.first == run_.end) return;
  Flow& flow = flow_[place.origin.value];
  const std::int64_t line = rules_.line_bytes, bytes = (run_.end - run_.first) * line;
  if (place.is_write) {
    if (!rules_.masks_partial_writes) {
      const bool first_is_partial = run_.begin_byte % line != 0;
      const bool last_is_partial = run_.end_byte % line != 0;
      if (first_is_partial) fetch(place, run_.first, tile);
      if (last_is_partial && (!first_is_partial || run_.end != run_.first + 1))
        fetch(place, run_.end - 1, tile);
    }
    history_.write(place.storage, run_.first, run_.end);
    request(place, run_.first, run_.end, base::Direction::write, tile.stores);
  } else {
    flow.dram_read_again +=
        history_.read(place.storage, place.storage_bytes, run_.first, run_.end) * line;
    request(place, run_.first, run_.end, base::Direction::read, tile.loads);
  }
  flow.dram += bytes;
  place.held_line = run_.end - 1;
  run_ = {};
}

void RequestMaker::fetch(OperandPlace& place, std::int64_t line, TileStep& tile) {
  Flow& flow = flow_[place.origin.value];
  flow.fetch_on_write += rules_.line_bytes;
  flow.dram += rules_.line_bytes;
  flow.dram_read_again +=
      history_.read(place.storage, place.storage_bytes, line, line + 1) * rules_.line_bytes;
  request(place, line, line + 1, base::Direction::read, tile.loads);
}

void RequestMaker::request(const OperandPlace& place, std::int64_t first, std::int64_t end,
                           base::Direction direction, std::vector<base::Request>& out) const {
  std::uint64_t address = place.address + static_cast<std::uint64_t>(first * rules_.line_bytes);
  auto left = static_cast<std::uint64_t>((end - first) * rules_.line_bytes);
  while (left > 0) {
    const std::uint64_t wrapped = address % rules_.capacity;
    const std::uint64_t bytes = std::min(left, pages_.contiguous_bytes(wrapped));
    const std::uint64_t physical = pages_.physical(wrapped);
    const bool extends = !out.empty() && out.back().origin == place.origin &&
                         out.back().address + out.back().bytes == physical;
    if (extends) {
      out.back().bytes += bytes;
    } else {
      out.push_back({physical, bytes, place.origin, direction});
    }
    address += bytes;
    left -= bytes;
  }
}

}  // namespace diffram::lower
