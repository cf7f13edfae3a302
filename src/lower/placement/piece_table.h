#pragma once
// Segments cut into pieces: best fit by size, ties by the lowest address; free neighbours of one
// segment become one piece again. Every step is O(log n).

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lower/placement/placement.h"

namespace diffram::lower {

struct Piece {
  std::uint64_t bytes = 0;
  std::uint64_t segment = 0;  ///< pieces of different segments never merge
  bool is_free = true;
};

class PieceTable {
 public:
  using BySize = std::set<std::pair<std::uint64_t, std::uint64_t>>;  ///< (bytes, address)

  /// A new free piece.
  void add(std::uint64_t address, std::uint64_t bytes, std::uint64_t segment);
  /// The smallest free piece of at least `bytes`.
  std::optional<std::uint64_t> best_fit(std::uint64_t bytes) const;
  /// Takes the free piece at `address`; what is beyond `bytes` stays as a free piece of its own.
  void take(std::uint64_t address, std::uint64_t bytes);
  /// Frees the piece at `address` and merges it with free neighbours of its segment.
  void free(std::uint64_t address);
  /// Removes a free piece, with the segment it fills.
  void remove(std::uint64_t address);

  const Piece& at(std::uint64_t address) const { return pieces_.at(address); }
  bool contains(std::uint64_t address) const { return pieces_.contains(address); }
  const BySize& free_pieces() const { return free_; }
  /// The pieces at the end of `blocks`, by address.
  void append_to(std::vector<Block>& blocks) const;

 private:
  std::map<std::uint64_t, Piece> pieces_;
  BySize free_;
};

}  // namespace diffram::lower
