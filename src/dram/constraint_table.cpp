#include "dram/constraint_table.h"

#include <algorithm>
#include <cassert>

namespace diffram::dram {
namespace {

using spec::Command;
using spec::Scope;

void raise(std::int32_t& slot, std::int32_t cycles) { slot = std::max(slot, cycles); }

}  // namespace

ConstraintTable::ConstraintTable(const spec::MemorySpec& spec)
    : constraints_(spec.constraints), history_of_(spec.constraints.size()) {
  for (std::uint32_t i = 0; i < constraints_.size(); ++i) {
    const auto& c = constraints_[i];
    on_[static_cast<std::size_t>(c.after)].push_back(i);
    if (c.window > 1) {
      // "The n-th last command in another group" has no meaning in any standard we know.
      assert(c.scope != Scope::other_group && c.scope != Scope::other_rank &&
             c.scope != Scope::other_stack);
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

Relations ConstraintTable::relations(Command before, Command after) const {
  Relations r;
  for (const auto& c : constraints_) {
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
    if (across_groups || c.scope == Scope::other_stack) raise(r.other_stack, c.cycles);
    if (across_ranks) raise(r.other_rank, c.cycles);
  }
  return r;
}

std::int32_t ConstraintTable::same_bank(Command before, Command after) const {
  return relations(before, after).same_bank;
}

}  // namespace diffram::dram
