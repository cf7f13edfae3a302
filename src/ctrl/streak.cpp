#include "ctrl/streak.h"

namespace diffram::ctrl {

using spec::Command;
using spec::Scope;

Cadence cadence_of(const dram::Device& device, Command column) {
  std::int64_t same_bank = 0;
  std::int64_t same_group = 0;
  std::int64_t other_groups = 0;
  std::int64_t other_stacks = 0;
  Cadence cadence;
  const auto raise = [](std::int64_t& wait, std::int64_t cycles) { wait = std::max(wait, cycles); };
  for (const spec::Constraint& c : device.table().constraints()) {
    if (c.before != column) continue;
    if (c.window > 1) cadence.plain = false;  // each command counts, not the last of each bank
    if (c.after != column) continue;
    const bool wide = c.scope == Scope::rank || c.scope == Scope::channel;
    if (wide || c.scope == Scope::bank || c.scope == Scope::bank_group) raise(same_bank, c.cycles);
    if (wide || c.scope == Scope::bank_group) raise(same_group, c.cycles);
    if (wide || c.scope == Scope::other_group) raise(other_groups, c.cycles);
    if (c.scope == Scope::other_stack) raise(other_stacks, c.cycles);
    if (c.scope == Scope::channel || c.scope == Scope::other_rank) {
      raise(cadence.other_ranks, c.cycles);
    }
  }
  const bool one_bank_each = device.banks() == device.groups();
  const bool one_group_each = device.groups() == device.stacks();
  cadence.group = one_bank_each ? std::max(same_bank, same_group) : same_group;
  cadence.stack = one_group_each ? cadence.group : other_groups;
  cadence.other_stacks = std::max(other_groups, other_stacks);
  cadence.least = cadence.stack;
  if (device.stacks_per_rank() > 1) cadence.least = std::min(cadence.least, cadence.other_stacks);
  if (device.ranks() > 1) cadence.least = std::min(cadence.least, cadence.other_ranks);
  // The last command of the stack may be in the same group.
  if (cadence.stack > cadence.group || same_bank > cadence.group) cadence.plain = false;
  return cadence;
}

Streak::Streak(bool on, bool rows_change, const dram::Device& device, std::uint32_t longest_queue)
    : banks(device.banks()),
      ranks(device.ranks()),
      group_next(device.groups(), 0),
      stack_next(device.stacks(), 0),
      rows(device.banks()),
      read_(cadence_of(device, Command::RD)),
      write_(cadence_of(device, Command::WR)),
      first_wanted_(rows_change ? 1 : 4) {
  if (!on || !read_.plain || !write_.plain) wanted_ = kNeverWanted;
  std::uint32_t slots = 1;
  while (slots < longest_queue) slots *= 2;
  bursts_.resize(slots);
  mask_ = slots - 1;
}

}  // namespace diffram::ctrl
