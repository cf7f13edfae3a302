#pragma once
// What a kernel model makes of one op: a sequence of tiles, each the parts of operands that it
// touches and the work that it does. A walk knows shapes and the scratchpad; it never sees DRAM.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lower/walk/box.h"

namespace diffram::lower {

/// A part of one operand in one tile.
struct Piece {
  std::uint32_t operand = 0;  ///< reads first: position in Op::reads, or reads.size() + in writes
  bool on_chip = false;       ///< touched before and kept in the scratchpad since
  Box box;
};

/// One tile; pieces of one operand stand together.
struct TileWork {
  std::vector<Piece> pieces;
  std::int64_t macs = 0;
  std::int64_t operations = 0;  ///< elementwise operations

  void clear() {
    pieces.clear();
    macs = 0;
    operations = 0;
  }
  void add(std::uint32_t operand, Box box, bool on_chip = false) {
    if (!box.empty()) pieces.push_back({operand, on_chip, box});
  }
};

/// What is known of a walk before it runs.
struct WalkFacts {
  std::string family;            ///< "gemm", "convolution", "elementwise" …
  std::string efficiency;        ///< key of MachineSpec::efficiency
  bool fallback = false;         ///< no kernel model of its own
  std::int64_t bound_bytes = 0;  ///< most bytes of tensors it may walk (lowering.md 2), without the
                                 ///< lines at segment ends
  std::int64_t operations_per_element = 1;       ///< elementwise operations, assumed
  std::optional<std::int64_t> compulsory_bytes;  ///< where it is not inputs + outputs
  std::vector<std::string> roles;                ///< by operand; shorter = the schema's names
};

class Walk {
 public:
  virtual ~Walk() = default;
  /// The next tile into `tile` (cleared by the caller); false at the end.
  virtual bool next(TileWork& tile) = 0;

  WalkFacts facts;
};

/// How the scratchpad is divided (docs/lowering-kernels.md): half of it stays for what a kernel
/// keeps, an eighth is one streamed tile, of which there are two in and two out (double buffers).
struct TileBudget {
  std::int64_t scratchpad = 0;
  std::int64_t array_rows = 128, array_columns = 128;

  std::int64_t kept() const { return scratchpad / 2; }
  std::int64_t tile() const { return scratchpad / 8; }
};

}  // namespace diffram::lower
