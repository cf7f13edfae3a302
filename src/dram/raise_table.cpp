#include "dram/raise_table.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace diffram::dram {

using spec::Command;

namespace {

// The waits behind a command that is in every bank of its rank.
Relations of_whole_rank(const Relations& r, const spec::Organisation& of) {
  std::int32_t across = of.bank_groups > 1 ? r.other_group : 0;
  if (of.stack_ids > 1) across = std::max(across, r.other_stack);
  const std::int32_t longest = std::max({r.same_bank, r.same_group, across});
  return {longest, longest, longest, longest, r.other_rank};
}

std::int32_t wait_between(const Relations& r, const spec::Organisation& of, std::uint32_t from,
                          std::uint32_t to) {
  if (from == to) return r.same_bank;
  if (from / of.banks() != to / of.banks()) return r.other_rank;
  const std::uint32_t group = from / of.banks_per_group;
  const std::uint32_t other = to / of.banks_per_group;
  if (group / of.groups_per_stack() != other / of.groups_per_stack()) return r.other_stack;
  return group == other ? r.same_group : r.other_group;
}

// Bank 0 stands in every relation to some bank that banks of this organisation have.
bool has_waits(const Relations& r, const spec::Organisation& of) {
  for (std::uint32_t to = 0; to < of.ranks * of.banks(); ++to) {
    if (wait_between(r, of, 0, to) != 0) return true;
  }
  return false;
}

}  // namespace

RaiseTable::RaiseTable(const spec::MemorySpec& spec, const ConstraintTable& table) {
  const spec::Organisation& of = spec.organisation;
  const std::uint32_t banks = of.ranks * of.banks();
  const std::uint32_t lanes = whole_pairs(banks);
  for (std::uint32_t b = 0; b < spec::kCommandCount; ++b) {
    const auto before = static_cast<Command>(b);
    std::array<Relations, kHotCommands.size()> relations;
    std::uint32_t low = kHotCommands.size();
    std::uint32_t high = 0;
    for (std::uint32_t hot = 0; hot < kHotCommands.size(); ++hot) {
      Relations& r = relations[hot];
      r = table.relations(before, kHotCommands[hot]);
      if (is_rank_command(before)) r = of_whole_rank(r, of);
      if (!has_waits(r, of)) continue;
      low = std::min(low, hot);
      high = hot + 1;
    }
    if (low >= high) continue;
    Raise& raise = raises_[b];
    raise.first = low * lanes;
    raise.lanes = (high - low) * lanes;
    raise.rows = LaneArray(std::size_t{banks} * raise.lanes, INT16_MIN);
    for (std::uint32_t from = 0; from < banks; ++from) {
      std::int16_t* const row = raise.rows.data() + std::size_t{from} * raise.lanes;
      for (std::uint32_t hot = low; hot < high; ++hot) {
        for (std::uint32_t to = 0; to < banks; ++to) {
          const std::int32_t cycles = wait_between(relations[hot], of, from, to);
          assert(cycles <= spec::Constraint::kMostCycles);
          if (cycles != 0) row[(hot - low) * lanes + to] = static_cast<std::int16_t>(cycles);
        }
      }
    }
  }
}

}  // namespace diffram::dram
