#include "lower/placement/piece_table.h"

#include <cassert>
#include <iterator>

namespace diffram::lower {

void PieceTable::add(std::uint64_t address, std::uint64_t bytes, std::uint64_t segment) {
  pieces_.emplace(address, Piece{bytes, segment, true});
  free_.emplace(bytes, address);
}

std::optional<std::uint64_t> PieceTable::best_fit(std::uint64_t bytes) const {
  const auto found = free_.lower_bound({bytes, 0});
  if (found == free_.end()) return std::nullopt;
  return found->second;
}

void PieceTable::take(std::uint64_t address, std::uint64_t bytes) {
  Piece& piece = pieces_.at(address);
  assert(piece.is_free && piece.bytes >= bytes);
  free_.erase({piece.bytes, address});
  piece.is_free = false;
  if (piece.bytes == bytes) return;
  add(address + bytes, piece.bytes - bytes, piece.segment);
  piece.bytes = bytes;
}

void PieceTable::free(std::uint64_t address) {
  auto piece = pieces_.find(address);
  assert(piece != pieces_.end() && !piece->second.is_free);
  piece->second.is_free = true;

  const auto next = std::next(piece);
  if (next != pieces_.end() && next->second.is_free &&
      next->second.segment == piece->second.segment &&
      next->first == address + piece->second.bytes) {
    free_.erase({next->second.bytes, next->first});
    piece->second.bytes += next->second.bytes;
    pieces_.erase(next);
  }
  if (piece != pieces_.begin()) {
    const auto previous = std::prev(piece);
    if (previous->second.is_free && previous->second.segment == piece->second.segment &&
        previous->first + previous->second.bytes == address) {
      free_.erase({previous->second.bytes, previous->first});
      previous->second.bytes += piece->second.bytes;
      pieces_.erase(piece);
      piece = previous;
    }
  }
  free_.emplace(piece->second.bytes, piece->first);
}

void PieceTable::remove(std::uint64_t address) {
  const auto piece = pieces_.find(address);
  assert(piece != pieces_.end() && piece->second.is_free);
  free_.erase({piece->second.bytes, address});
  pieces_.erase(piece);
}

void PieceTable::append_to(std::vector<Block>& blocks) const {
  for (const auto& [address, piece] : pieces_) {
    blocks.push_back({.address = address,
                      .bytes = piece.bytes,
                      .segment = piece.segment,
                      .storage = Block::kCached});
  }
}

}  // namespace diffram::lower
