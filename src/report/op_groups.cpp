#include "report/op_groups.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>

#include "report/layer_names.h"

namespace diffram::report {
namespace {

constexpr std::size_t kPlacesNamed = 3;  // more do not fit the column; the rest is counted

std::string joined_places(const std::vector<std::string>& places) {
  std::string text;
  for (std::size_t i = 0; i < places.size() && i < kPlacesNamed; ++i)
    text += (i > 0 ? ", " : "") + places[i];
  if (places.size() > kPlacesNamed) text += ", +" + std::to_string(places.size() - kPlacesNamed);
  return text;
}

/// "attn1.softmax" inside modules; the op and its phase outside of them.
std::string label_of(const Leaf& leaf) {
  std::string op = short_op(leaf.op);
  if (leaf.layer == "(none)") return op;
  const std::string unit = unit_name(leaf.layer);
  const std::string last = leaf.layer.substr(leaf.layer.rfind('.') + 1);
  const bool last_is_name = !last.empty() && (last[0] < '0' || last[0] > '9');
  if (last_is_name && last != unit) return unit + "." + last + " " + op;
  return unit + "." + op;
}

std::string place_of(const Leaf& leaf) {
  return leaf.layer == "(none)" ? leaf.phase : place_in_network(leaf.layer);
}

/// "fwd " where equal ops run in several phases; a group has one phase.
std::string phase_prefix(const Leaf& leaf) {
  if (leaf.phase == "forward") return "fwd ";
  if (leaf.phase == "backward") return "bwd ";
  return leaf.phase + " ";
}

}  // namespace

std::vector<OpGroup> group_ops(std::vector<Leaf>& leaves) {
  std::map<std::string, std::set<std::string>> phases_of_layer;
  for (const Leaf& leaf : leaves) phases_of_layer[leaf.layer].insert(leaf.phase);
  std::map<std::vector<std::string>, std::size_t> index;
  std::vector<OpGroup> groups;
  std::vector<std::vector<std::string>> places;
  std::vector<std::size_t> group_of(leaves.size(), SIZE_MAX);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Leaf& leaf = leaves[i];
    if (leaf.bill.time_cycles == 0 && leaf.bill.channel_cycles() == 0) continue;
    const std::string label = label_of(leaf);
    const auto [found, is_new] =
        index.try_emplace({leaf.phase, label, leaf.kernel, leaf.shape}, groups.size());
    if (is_new) {
      const bool names_phase = leaf.layer != "(none)" && phases_of_layer[leaf.layer].size() > 1;
      groups.push_back({label, names_phase ? phase_prefix(leaf) : "", 0, {}, {}});
      places.emplace_back();
    }
    group_of[i] = found->second;
    OpGroup& group = groups[found->second];
    group.bill += leaf.bill;
    ++group.places;
    group.layers.push_back(leaf.layer == "(none)" ? "" : leaf.layer);
    const std::string place = place_of(leaf);
    auto& named = places[found->second];
    if (std::find(named.begin(), named.end(), place) == named.end()) named.push_back(place);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].where += joined_places(places[i]);
  std::vector<std::size_t> order(groups.size()), rank(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return groups[a].bill.time_cycles > groups[b].bill.time_cycles;
  });
  std::vector<OpGroup> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
    sorted.push_back(std::move(groups[order[i]]));
  }
  for (std::size_t i = 0; i < leaves.size(); ++i)
    if (group_of[i] != SIZE_MAX) leaves[i].group = static_cast<std::int32_t>(rank[group_of[i]]);
  return sorted;
}

}  // namespace diffram::report
