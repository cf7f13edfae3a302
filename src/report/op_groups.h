#pragma once
// Equal ops together: same op, shape and kernel family in the same kind of layer and phase.

#include "report/model.h"

namespace diffram::report {

/// Longest first; sets `group` of every leaf.
std::vector<OpGroup> group_ops(std::vector<Leaf>& leaves);

}  // namespace diffram::report
