#pragma once
// What lowering hands to the cycle engine: an op is a sequence of tile steps, made as they are
// consumed.

#include <cstdint>
#include <vector>

#include "base/request.h"

namespace diffram::lower {

/// Loads must be back before the step computes; stores are issued when it has computed.
struct TileStep {
  std::uint32_t op = 0;  ///< index into OriginTable::ops
  bool first_of_op =
      false;  ///< waits until the predecessor's last store is done, then the launch gap
  std::vector<base::Request> loads;  ///< physical addresses; order = order of issue
  std::vector<base::Request> stores;
  std::int64_t compute_cycles = 0;  ///< of the machine's clock
};

/// One step of the program, tile by tile. `next` refills `out` (its vectors keep their storage).
class TileSource {
 public:
  virtual ~TileSource() = default;
  virtual bool next(TileStep& out) = 0;
};

}  // namespace diffram::lower
