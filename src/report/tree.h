#pragma once
// The layer tree of the page: module paths split at their dots, ops as leaves, at most
// kTreeNodeLimit nodes. Node 0 is the run; a parent stands before its children.

#include <vector>

#include "report/model.h"

namespace diffram::report {

/// Keeps all inner nodes, then leaves by their largest share of any metric; what is left of a
/// parent becomes one leaf "other (n ops)" with exact sums. Where even the inner nodes exceed the
/// limit, the deepest levels are folded into their parents first.
std::vector<TreeNode> build_tree(const std::vector<Leaf>& leaves,
                                 std::size_t limit = kTreeNodeLimit);

}  // namespace diffram::report
