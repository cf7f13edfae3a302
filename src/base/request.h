#pragma once
// A request is a run of consecutive bytes in one direction, made by one origin (engine.md, 1).
// Per-line requests are runs of one burst.

#include <cstdint>

#include "base/ids.h"

namespace diffram::base {

enum class Direction : std::uint8_t { read, write };

struct Request {
  std::uint64_t address = 0;  ///< physical byte address, over the whole memory
  std::uint64_t bytes = 0;    ///< > 0; the first and last burst are touched whole
  OriginId origin = kNoOrigin;
  Direction direction = Direction::read;
};

}  // namespace diffram::base
