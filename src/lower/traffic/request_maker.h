#pragma once
// From the pieces of a tile to requests: runs become whole lines, lines that are on chip are left
// out, the rest goes through the allocator's address and the page map. Everything is counted on
// the way, in whole lines, so that walk + fetch_on_write − filter = dram holds in integers.

#include <cstdint>
#include <vector>

#include "lower/lowering.h"
#include "lower/placement/placement.h"
#include "lower/tile_step.h"
#include "lower/traffic/read_history.h"
#include "lower/walk/walk.h"

namespace diffram::lower {

struct TrafficRules {
  std::int64_t line_bytes = 64;      ///< of a burst
  bool keeps_on_chip = true;         ///< false: raw, every walked range is a request
  bool masks_partial_writes = true;  ///< false: a partly written line is read first
  std::uint64_t capacity = 0;        ///< addresses wrap here (they only pass it by overcommit)
};

/// One operand of the op at work.
struct OperandPlace {
  std::uint32_t storage = 0;
  std::int64_t storage_bytes = 0;
  std::uint64_t address = 0;  ///< device address of the storage
  base::OriginId origin = base::kNoOrigin;
  bool is_write = false;
  /// Last line of the operand's last run in the tile before: neighbouring tiles that meet inside a
  /// line do not move it twice.
  std::int64_t held_line = -1;
};

class RequestMaker {
 public:
  RequestMaker(const TrafficRules& rules, const PageMap& pages, ReadHistory& history,
               std::vector<Flow>& flow)
      : rules_(rules), pages_(pages), history_(history), flow_(flow) {}

  /// Appends the requests of `work` to the tile's loads and stores.
  void make(const TileWork& work, std::vector<OperandPlace>& operands, TileStep& tile);

 private:
  struct Run {
    std::int64_t first = 0, end = 0;            ///< lines; empty when equal
    std::int64_t begin_byte = 0, end_byte = 0;  ///< what of it is really touched
  };

  void touch(OperandPlace& place, std::int64_t begin, std::int64_t end, TileStep& tile);
  void flush(OperandPlace& place, TileStep& tile);
  void fetch(OperandPlace& place, std::int64_t line, TileStep& tile);
  void request(const OperandPlace& place, std::int64_t first, std::int64_t end,
               base::Direction direction, std::vector<base::Request>& out) const;

  TrafficRules rules_;
  const PageMap& pages_;
  ReadHistory& history_;
  std::vector<Flow>& flow_;
  Run run_;
};

}  // namespace diffram::lower
