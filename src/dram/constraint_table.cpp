#include "dram/constraint_table.h"

#include <algorithm>
#include <cassert>

namespace diffram::dram {
namespace {

using spec::Command;
using spec::Scope;

// The longest wait of `after` behind the last `before`, by relation; 0 = none.
struct Relations {
  std::int32_t same_bank = 0, same_group = 0, other_group = 0, other_rank = 0;
};

void raise(std::int32_t& slot, std::int32_t cycles) { slot = std::max(slot, cycles); }

Relations relations_of(const std::vector<spec::Constraint>& constraints, Command before,
                       Command after) {
  Relations r;
  for (const auto& c : constraints) {
    if (c.before != before || c.after != after || c.window != 1) continue;
    const bool in_bank = c.scope == Scope::bank || c.scope == Scope::bank_group ||
                         c.scope == Scope::rank || c.scope == Scope::channel;
    const bool in_group =
        c.scope == Scope::bank_group || c.scope == Scope::rank || c.scope == Scope::channel;
    const bool across_groups =
        c.scope == Scope::other_group || c.scope == Scope::rank || c.scope == Scope::channel;
    const bool across_ranks = c.scope == Scope::other_rank || c.scope == Scope::channel;
    if (in_bank) raise(r.same_bank, c.cycles);
    if (in_group) raise(r.same_group, c.cycles);
    if (across_groups) raise(r.other_group, c.cycles);
    if (across_ranks) raise(r.other_rank, c.cycles);
  }
  return r;
}

}  // namespace

ConstraintTable::ConstraintTable(const spec::MemorySpec& spec)
    : constraints_(spec.constraints), history_of_(spec.constraints.size()) {
  for (std::size_t before = 0; before < spec::kCommandCount; ++before) {
    for (std::size_t after = 0; after < spec::kCommandCount; ++after) {
      resolve(static_cast<Command>(before), static_cast<Command>(after), spec.organisation);
    }
  }
  for (std::uint32_t i = 0; i < constraints_.size(); ++i) {
    const auto& c = constraints_[i];
    on_[static_cast<std::size_t>(c.after)].push_back(i);
    if (c.window > 1) {
      // "The n-th last command in another group" has no meaning in any standard we know.
      assert(c.scope != Scope::other_group && c.scope != Scope::other_rank);
      history_of_[i] = static_cast<std::uint32_t>(histories_++);
      windows_[static_cast<std::size_t>(c.before)].push_back({c, history_of_[i]});
    }
  }
  for (auto& list : on_) {
    std::stable_sort(list.begin(), list.end(), [this](std::uint32_t a, std::uint32_t b) {
      return constraints_[a].scope < constraints_[b].scope;
    });
  }
}

void ConstraintTable::resolve(Command before, Command after, const spec::Organisation& shape) {
  const Relations r = relations_of(constraints_, before, after);
  OffsetRows& rows = rows_[static_cast<std::size_t>(before)];
  const auto column = static_cast<std::uint32_t>(after);
  const auto put = [column](std::vector<Offset>& list, std::int32_t cycles) {
    if (cycles > 0) list.push_back({column, cycles});
  };
  if (shape.ranks > 1) put(rows.other_ranks, r.other_rank);
  if (is_rank_command(before) || is_rank_command(after)) {
    // A rank command is in every bank of its rank.
    const std::int32_t across = shape.bank_groups > 1 ? r.other_group : 0;
    put(rows.rank, std::max({r.same_bank, r.same_group, across}));
    return;
  }
  std::int32_t rank = r.same_bank;
  if (shape.banks_per_group > 1) rank = std::min(rank, r.same_group);
  if (shape.bank_groups > 1) rank = std::min(rank, r.other_group);
  put(rows.rank, rank);
  if (shape.bank_groups > 1 && r.other_group > rank) put(rows.other_groups, r.other_group);
  std::int32_t group = r.same_bank;
  if (shape.banks_per_group > 1) group = std::min(group, r.same_group);
  if (group > rank) put(rows.group, group);
  const std::int32_t written = std::max(group, rank);
  if (r.same_bank > written) put(rows.bank, r.same_bank);
  if (shape.banks_per_group > 1 && r.same_group > written) put(rows.group_mates, r.same_group);
}

std::int32_t ConstraintTable::same_bank(Command before, Command after) const {
  return relations_of(constraints_, before, after).same_bank;
}

}  // namespace diffram::dram
