#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "report/number_format.h"
#include "report/page.h"

namespace diffram::report {
namespace {

using Json = nlohmann::ordered_json;

// Version of the data's shape; the page refuses another one (web/src/data.ts).
constexpr int kDataVersion = 1;
constexpr double kPicojoules = 1e12;

template <class Value>
Json column(const Model& model, Value value) {
  Json list = Json::array();
  for (const TreeNode& node : model.tree) list.push_back(value(node));
  return list;
}

template <class Value>
Json columns(const Model& model, std::size_t count, Value value) {
  Json list = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    list.push_back(column(model, [&](const TreeNode& node) { return value(node.own, i); }));
  return list;
}

/// Names once, nodes by index: the same op stands in hundreds of layers.
Json tree_of(const Model& model) {
  std::map<std::string, std::size_t> index;
  Json names = Json::array();
  const auto name = [&](const std::string& text) {
    const auto [found, is_new] = index.try_emplace(text, index.size());
    if (is_new) names.push_back(text);
    return found->second;
  };
  Json tree;
  tree["parent"] = column(model, [](const TreeNode& n) { return n.parent; });
  tree["name"] = column(model, [&](const TreeNode& n) { return name(n.name); });
  tree["is_op"] = column(model, [](const TreeNode& n) { return n.is_op ? 1 : 0; });
  tree["group"] = column(model, [](const TreeNode& n) { return n.group; });
  tree["names"] = std::move(names);
  tree["time"] = column(model, [](const TreeNode& n) { return n.own.time_cycles; });
  tree["wait"] = column(model, [](const TreeNode& n) { return n.own.wait_cycles; });
  tree["again"] = column(model, [](const TreeNode& n) { return n.own.read_again; });
  tree["hits"] = column(model, [](const TreeNode& n) { return n.own.hits; });
  tree["columns"] = column(model, [](const TreeNode& n) { return n.own.columns; });
  tree["ops"] = column(model, [](const TreeNode& n) { return n.own.ops; });
  tree["causes"] =
      columns(model, base::kCauseCount, [](const Bill& b, std::size_t i) { return b.causes[i]; });
  tree["lost"] =
      columns(model, kClassSlots, [](const Bill& b, std::size_t i) { return b.lost[i]; });
  tree["bytes"] =
      columns(model, kClassSlots, [](const Bill& b, std::size_t i) { return b.bytes[i]; });
  tree["conflicts"] =
      columns(model, kClassSlots, [](const Bill& b, std::size_t i) { return b.conflicts[i]; });
  tree["energy"] = columns(model, kClassSlots, [](const Bill& b, std::size_t i) {
    return std::llround(b.joules[i] * kPicojoules);
  });
  return tree;
}

Json groups_of(const Model& model) {
  Json labels = Json::array(), where = Json::array(), places = Json::array();
  for (const OpGroup& group : model.groups) {
    labels.push_back(group.label);
    where.push_back(group.where);
    places.push_back(group.places);
  }
  return {{"label", labels}, {"where", where}, {"places", places}};
}

Json families_of() {
  Json list = Json::array();
  for (const CauseFamily& family : cause_families()) {
    Json causes = Json::array();
    for (const base::Cause cause : family.causes) causes.push_back(static_cast<int>(cause));
    list.push_back({{"token", family.token}, {"title", family.title}, {"causes", causes}});
  }
  return list;
}

Json repeated_of(const Model& model) {
  Json list = Json::array();
  for (const RepeatedTensor& row : model.repeated)
    list.push_back({row.tensor, row.tensor_class, row.size, row.loads_per_write, row.read_again});
  return list;
}

}  // namespace

std::string page_data_json(const Model& model) {
  const ledger::RunRecord& run = *model.run;
  Json json;
  json["version"] = kDataVersion;
  json["workload"] = run.workload;
  json["channels"] = std::max(1u, run.channels);
  json["period_s"] = run.clock.period_s();
  json["has_energy"] = model.summary.energy_total_j >= 0;
  Json names = Json::array();
  for (std::size_t i = 0; i < base::kCauseCount; ++i)
    names.push_back(page_name(static_cast<base::Cause>(i)));
  json["causes"] = base::kCauseNames;
  json["cause_names"] = std::move(names);
  json["families"] = families_of();
  json["classes"] = kClassTokens;
  json["tree"] = tree_of(model);
  json["groups"] = groups_of(model);
  json["evict"] = {{"operands", model.evictions.operands},
                   {"classes", model.evictions.classes},
                   {"cycles", model.evictions.cycles}};
  json["repeated"] = repeated_of(model);
  return json.dump();
}

}  // namespace diffram::report
