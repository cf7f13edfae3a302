#include "attrib/table_builder.h"

#include <algorithm>
#include <numeric>

namespace diffram::attrib {

TableBuilder::TableBuilder(const ledger::RunRecord& run, const std::vector<Axis>& axes,
                           Naming naming) {
  levels_.reserve(axes.size());
  for (const Axis axis : axes) levels_.push_back({Labels(run, axis, naming), {}, {}});
}

void TableBuilder::add(const Share& share) {
  std::uint32_t group = 0;
  for (Level& level : levels_) {
    const std::uint32_t value = level.labels.number_of(share);
    const auto [found, is_new] = level.groups.try_emplace(
        std::uint64_t{group} << 32 | value, static_cast<std::uint32_t>(level.members.size()));
    if (is_new) level.members.emplace_back(group, value);
    group = found->second;
  }
  if (sums_.size() <= group) sums_.resize(group + 1);
  sums_[group].exact += share.exact;
  sums_[group].joules += share.joules;
}

std::vector<std::string> TableBuilder::keys_of(std::uint32_t group) const {
  std::vector<std::string> keys(levels_.size());
  for (std::size_t i = levels_.size(); i-- > 0;) {
    const auto& [above, value] = levels_[i].members[group];
    keys[i] = levels_[i].labels.text(value);
    group = above;
  }
  return keys;
}

void TableBuilder::finish(Table& table, std::size_t top, double unit_value) const {
  const auto make_row = [&](std::vector<std::string> keys, const Sum& sum) {
    Row row;
    row.keys = std::move(keys);
    row.exact = sum.exact;
    row.value = unit_value == 0 ? sum.joules : static_cast<double>(sum.exact) * unit_value;
    return row;
  };
  for (std::uint32_t group = 0; group < sums_.size(); ++group)
    if (sums_[group].exact != 0 || sums_[group].joules != 0)
      table.rows.push_back(make_row(keys_of(group), sums_[group]));
  std::ranges::sort(table.rows, [](const Row& a, const Row& b) {
    if (a.exact != b.exact) return a.exact > b.exact;
    if (a.value != b.value) return a.value > b.value;
    return a.keys < b.keys;
  });
  Sum total, rest;
  for (const Sum& sum : sums_) {
    total.exact += sum.exact;
    total.joules += sum.joules;
  }
  if (top > 0 && table.rows.size() > top && !levels_.empty()) {
    for (std::size_t i = top; i < table.rows.size(); ++i) {
      rest.exact += table.rows[i].exact;
      rest.joules += unit_value == 0 ? table.rows[i].value : 0;
    }
    table.rows.resize(top);
    table.rows.push_back(make_row(std::vector<std::string>(levels_.size(), "(rest)"), rest));
  }
  const Row sum = make_row({}, total);
  table.total = sum.value;
  table.exact_total = sum.exact;
  for (Row& row : table.rows) row.share = table.total == 0 ? 0 : row.value / table.total;
}

}  // namespace diffram::attrib
