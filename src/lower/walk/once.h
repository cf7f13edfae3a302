#pragma once
// Every operand once, from its first byte to its last, all at the same relative pace. For ops whose
// operands correspond by position and not by index (upsampling, pooling), and for the fallback.

#include <memory>

#include "lower/kernels/kernel.h"
#include "lower/walk/walk.h"

namespace diffram::lower {

std::unique_ptr<Walk> make_once(const OpContext& context);

}  // namespace diffram::lower
