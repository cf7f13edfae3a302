#include "report/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace diffram::report {
namespace {

/// "unet.down_blocks.0.attn1" → unet, down_blocks.0, attn1: an index stays with its list, so that
/// a level of the tree is a thing with a name.
std::vector<std::string> levels_of(const std::string& path) {
  std::vector<std::string> levels;
  std::size_t from = 0;
  while (from <= path.size()) {
    std::size_t dot = path.find('.', from);
    if (dot == std::string::npos) dot = path.size();
    const std::string part = path.substr(from, dot - from);
    const bool is_index = !part.empty() && std::all_of(part.begin(), part.end(),
                                                       [](char c) { return c >= '0' && c <= '9'; });
    if (is_index && !levels.empty())
      levels.back() += "." + part;
    else
      levels.push_back(part);
    from = dot + 1;
  }
  return levels;
}

double largest_share(const Bill& part, const Bill& whole) {
  const auto share = [](double a, double b) { return b > 0 ? a / b : 0.0; };
  return std::max(
      {share(static_cast<double>(part.time_cycles), static_cast<double>(whole.time_cycles)),
       share(static_cast<double>(part.total_bytes()), static_cast<double>(whole.total_bytes())),
       share(part.total_joules(), whole.total_joules()),
       share(static_cast<double>(part.total_conflicts()),
             static_cast<double>(whole.total_conflicts()))});
}

class TreeBuilder {
 public:
  explicit TreeBuilder(std::size_t deepest) : deepest_(deepest) {
    nodes_.push_back({-1, "run", "", {}, false, -1});
  }

  /// The inner node that a leaf hangs from. The first level is the phase.
  std::int32_t place(const Leaf& leaf) {
    std::int32_t node = child(0, leaf.phase, "");
    if (leaf.layer == "(none)") return node;
    std::string path;
    std::size_t depth = 1;
    for (const std::string& level : levels_of(leaf.layer)) {
      if (depth++ > deepest_) break;
      path += path.empty() ? level : "." + level;
      node = child(node, level, path);
    }
    return node;
  }

  std::vector<TreeNode> nodes_;

 private:
  std::int32_t child(std::int32_t parent, const std::string& name, const std::string& path) {
    const auto [found, is_new] =
        index_.try_emplace({parent, name}, static_cast<std::int32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({parent, name, path, {}, false, -1});
    return found->second;
  }

  std::size_t deepest_;
  std::map<std::pair<std::int32_t, std::string>, std::int32_t> index_;
};

constexpr std::size_t kNoDepthLimit = 64;

}  // namespace

std::vector<TreeNode> build_tree(const std::vector<Leaf>& leaves, std::size_t limit) {
  std::size_t deepest = kNoDepthLimit;
  std::vector<std::int32_t> parent_of(leaves.size());
  std::vector<TreeNode> nodes;
  // An inner node may need one "other" leaf, so the inner nodes may take half of the limit.
  do {
    TreeBuilder builder(deepest);
    for (std::size_t i = 0; i < leaves.size(); ++i) parent_of[i] = builder.place(leaves[i]);
    nodes = std::move(builder.nodes_);
    deepest = std::min<std::size_t>(deepest, 16) - 1;
  } while (nodes.size() * 2 > limit && deepest > 0);

  Bill whole;
  for (const Leaf& leaf : leaves) whole += leaf.bill;
  std::vector<bool> is_kept(leaves.size(), true);
  if (nodes.size() + leaves.size() > limit) {
    const std::size_t room = limit > 2 * nodes.size() ? limit - 2 * nodes.size() : 0;
    std::vector<double> share(leaves.size());
    for (std::size_t i = 0; i < leaves.size(); ++i) share[i] = largest_share(leaves[i].bill, whole);
    std::vector<std::size_t> order(leaves.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return share[a] > share[b]; });
    for (std::size_t i = room; i < order.size(); ++i) is_kept[order[i]] = false;
  }
  std::map<std::int32_t, Bill> other;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (is_kept[i])
      nodes.push_back({parent_of[i], leaves[i].op, "", leaves[i].bill, true, leaves[i].group});
    else
      other[parent_of[i]] += leaves[i].bill;
  }
  for (auto& [parent, bill] : other)
    nodes.push_back({parent, fmt::format("other ({} ops)", bill.ops), "", bill, true, -1});
  return nodes;
}

}  // namespace diffram::report
