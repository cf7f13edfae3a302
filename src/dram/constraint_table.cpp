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
  if (is_rank_command(after)) return;  // seldom asked for: the device looks back
  if (shape.ranks > 1) put(rows.other_ranks, r.other_rank);
  if (is_rank_command(before)) {
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

bool ConstraintTable::waits_alike(Command a, Command b, Level level) const {
  if (is_rank_command(a) || is_rank_command(b)) return false;
  const auto cycles = [](const std::vector<Offset>& list, Command after) {
    for (const Offset& o : list) {
      if (o.after == static_cast<std::uint32_t>(after)) return o.cycles;
    }
    return 0;
  };
  for (const OffsetRows& rows : rows_) {
    const auto differs = [&](const std::vector<Offset>& list) {
      return cycles(list, a) != cycles(list, b);
    };
    if (level == Level::group && (differs(rows.group) || differs(rows.other_groups))) return false;
    if (level == Level::rank && (differs(rows.rank) || differs(rows.other_ranks))) return false;
  }
  const auto counted = [&](const spec::Constraint& c) {
    return c.window > 1 && (c.after == a || c.after == b);
  };
  return std::ranges::none_of(constraints_, counted);
}

void ConstraintTable::place_rows(std::uint32_t banks, std::uint32_t groups, std::uint32_t ranks,
                                 const std::array<std::uint32_t, spec::kCommandCount>& group_row,
                                 const std::array<std::uint32_t, spec::kCommandCount>& rank_row) {
  const auto place = [](std::vector<Offset>& list, std::uint32_t width, const auto& row_of) {
    std::erase_if(list, [&](const Offset& o) { return row_of(o.after) != o.after; });
    for (Offset& o : list) o.after *= width;
  };
  const auto own = [](std::uint32_t after) { return after; };
  const auto of_group = [&](std::uint32_t after) { return group_row[after]; };
  const auto of_rank = [&](std::uint32_t after) { return rank_row[after]; };
  for (OffsetRows& rows : rows_) {
    place(rows.bank, banks, own);
    place(rows.group_mates, banks, own);
    place(rows.group, groups, of_group);
    place(rows.other_groups, groups, of_group);
    place(rows.rank, ranks, of_rank);
    place(rows.other_ranks, ranks, of_rank);
    rows.far = !rows.group_mates.empty() || !rows.other_groups.empty() || !rows.other_ranks.empty();
  }
}

std::int32_t ConstraintTable::same_bank(Command before, Command after) const {
  return relations_of(constraints_, before, after).same_bank;
}

}  // namespace diffram::dram
