#include "report/evictions.h"

#include <algorithm>
#include <map>

#include "report/layer_names.h"

namespace diffram::report {
namespace {

struct Operand {
  std::string name, tensor_class;
};

Operand operand_of(const ledger::RunRecord& run, base::OriginId id) {
  if (id == base::kNoOrigin || id.value >= run.origins.size()) return {"refresh or unnamed", ""};
  const ledger::OriginRow& origin = run.origins[id.value];
  const ledger::OpRow& op = run.ops[origin.op];
  return {short_op(op.name) + " " + origin.role, run.tensors[origin.tensor].tensor_class};
}

}  // namespace

Evictions gather_evictions(const ledger::RunRecord& run) {
  std::map<std::pair<std::string, std::string>, std::int64_t> cells;
  std::map<std::string, std::map<std::string, std::int64_t>> classes;
  std::map<std::string, std::int64_t> weight;
  Evictions result;
  for (const ledger::StepRecord& record : run.records)
    for (const base::ChannelCounters& channel : record.channels)
      for (const auto& [key, cycles] : channel.bill) {
        if (key.cause != base::Cause::row_conflict) continue;
        const Operand victim = operand_of(run, key.victim);
        const Operand culprit = operand_of(run, key.culprit);
        const std::int64_t cost = cycles * record.weight;
        cells[{victim.name, culprit.name}] += cost;
        classes[victim.name][victim.tensor_class] += cost;
        classes[culprit.name][culprit.tensor_class] += cost;
        weight[victim.name] += cost;
        weight[culprit.name] += cost;
        result.total += cost;
      }
  std::vector<std::pair<std::string, std::int64_t>> order(weight.begin(), weight.end());
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const auto main_class = [&](const std::string& operand) {
    const auto& votes = classes[operand];
    return std::max_element(votes.begin(), votes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  };
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < order.size() && i < kOperandsShown; ++i) {
    place[order[i].first] = result.operands.size();
    result.operands.push_back(order[i].first);
    result.classes.push_back(main_class(order[i].first));
  }
  if (order.size() > kOperandsShown) {
    result.operands.emplace_back("all other");
    result.classes.emplace_back("");
  }
  const std::size_t n = result.operands.size();
  result.cycles.assign(n, std::vector<std::int64_t>(n, 0));
  for (const auto& [pair, cycles] : cells) {
    const auto slot = [&](const std::string& operand) {
      const auto found = place.find(operand);
      return found == place.end() ? n - 1 : found->second;
    };
    result.cycles[slot(pair.first)][slot(pair.second)] += cycles;
    result.pairs.push_back(
        {pair.first, pair.second, main_class(pair.first), main_class(pair.second), cycles});
  }
  std::stable_sort(result.pairs.begin(), result.pairs.end(),
                   [](const Eviction& a, const Eviction& b) { return a.cycles > b.cycles; });
  return result;
}

}  // namespace diffram::report
