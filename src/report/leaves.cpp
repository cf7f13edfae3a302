#include "report/leaves.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace diffram::report {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // phase, layer, op

/// As `explain` names what does not apply.
std::string or_none(const std::string& text) { return text.empty() ? "(none)" : text; }

class LeafTable {
 public:
  explicit LeafTable(const ledger::RunRecord& run) {
    for (const ledger::OpRow& op : run.ops) {
      Leaf& leaf = at(op);
      if (leaf.kernel.empty()) {
        leaf.kernel = op.kernel;
        leaf.shape = op.shape;
      } else if (leaf.shape != op.shape) {
        leaf.shape = "several";
      }
    }
  }

  Leaf& at(const std::string& phase, const std::string& layer, const std::string& op) {
    const Key key{phase, layer, op};
    const auto [found, is_new] = index_.try_emplace(key, leaves_.size());
    if (is_new) leaves_.push_back({phase, layer, op, "", "", {}, -1});
    return leaves_[found->second];
  }
  Leaf& at(const ledger::OpRow& op) {
    return at(or_none(op.phase), or_none(op.layer), or_none(op.name));
  }
  Leaf& at(const std::vector<std::string>& keys) { return at(keys[0], keys[1], keys[2]); }

  std::vector<Leaf> take() { return std::move(leaves_); }

 private:
  std::map<Key, std::size_t> index_;
  std::vector<Leaf> leaves_;
};

base::Result<attrib::Table> by_leaf(const ledger::RunRecord& run, attrib::Metric metric,
                                    const char* fourth) {
  attrib::Query query{{"phase", "layer", "op"}, metric, 0};
  if (fourth != nullptr) query.by.emplace_back(fourth);
  return attrib::explain(run, query);
}

std::size_t cause_slot(const std::string& name) {
  const auto found = std::find(base::kCauseNames.begin(), base::kCauseNames.end(), name);
  return found == base::kCauseNames.end()
             ? static_cast<std::size_t>(base::Cause::idle_end)
             : static_cast<std::size_t>(found - base::kCauseNames.begin());
}

/// Waiting, number of ops, row hits and repeated loads: sums over the record, weights applied.
void add_counts(const ledger::RunRecord& run, LeafTable& table) {
  for (const ledger::StepRecord& record : run.records) {
    for (std::size_t i = 0; i < record.op_times.size(); ++i) {
      Bill& bill = table.at(run.ops[record.first_op + i]).bill;
      bill.wait_cycles += record.op_times[i].wait * record.weight;
      bill.ops += record.weight;
    }
    for (std::size_t i = 0; i < record.flow.size(); ++i) {
      const ledger::OriginRow& origin = run.origins[record.first_origin + i];
      Bill& bill = table.at(run.ops[origin.op]).bill;
      bill.read_again += record.flow[i].dram_read_again * record.weight;
      for (const base::ChannelCounters& channel : record.channels) {
        if (i >= channel.origins.size()) continue;
        const base::OriginCounters& counters = channel.origins[i];
        bill.hits += counters.hits * record.weight;
        bill.columns += (counters.reads + counters.writes) * record.weight;
      }
    }
  }
}

}  // namespace

base::Result<std::vector<Leaf>> gather_leaves(const ledger::RunRecord& run) {
  LeafTable table(run);
  using attrib::Metric;
  const auto time = by_leaf(run, Metric::time, nullptr);
  const auto causes = by_leaf(run, Metric::channel_time, "cause");
  const auto lost = by_leaf(run, Metric::channel_time, "class");
  const auto bytes = by_leaf(run, Metric::bytes, "class");
  const auto conflicts = by_leaf(run, Metric::conflicts, "class");
  for (const auto* answer : {&time, &causes, &lost, &bytes, &conflicts})
    if (!*answer) return base::failure(answer->error());
  for (const attrib::Row& row : time->rows) table.at(row.keys).bill.time_cycles += row.exact;
  for (const attrib::Row& row : causes->rows)
    table.at(row.keys).bill.causes[cause_slot(row.keys[3])] += row.exact;
  for (const attrib::Row& row : lost->rows)
    table.at(row.keys).bill.lost[class_slot(row.keys[3])] += row.exact;
  for (const attrib::Row& row : bytes->rows)
    table.at(row.keys).bill.bytes[class_slot(row.keys[3])] += row.exact;
  for (const attrib::Row& row : conflicts->rows)
    table.at(row.keys).bill.conflicts[class_slot(row.keys[3])] += row.exact;
  if (!run.energy.empty()) {
    const auto energy = by_leaf(run, Metric::energy, "class");
    if (!energy) return base::failure(energy.error());
    for (const attrib::Row& row : energy->rows)
      table.at(row.keys).bill.joules[class_slot(row.keys[3])] += row.value;
  }
  add_counts(run, table);
  return table.take();
}

}  // namespace diffram::report
