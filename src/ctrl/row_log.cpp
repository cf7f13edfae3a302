#include "ctrl/row_log.h"

#include <algorithm>
#include <bit>

namespace diffram::ctrl {

using spec::Command;
using spec::Scope;

namespace {

bool is_row(Command c) { return c == Command::ACT || c == Command::PRE; }

// A sweep looks at every bank: as seldom as the ring allows. From the oldest question on, the
// longest wait of one row command for another must be there, and there is one command a cycle.
// Between two sweeps are as many precharges as activations, and of each bank one more.
std::int64_t longest_sweep(const dram::Device& device) {
  std::int64_t longest = 0;
  for (const spec::Constraint& c : device.table().constraints()) {
    if (is_row(c.before) && is_row(c.after)) longest = std::max<std::int64_t>(longest, c.cycles);
  }
  const std::int64_t asked = device.banks() + RowLog::kMostWait + longest;
  return (std::int64_t{RowLog::kTaken} - asked) / 2;
}

// A sweep of fewer commands costs more than it spares.
std::int64_t least_sweep(const dram::Device& device) {
  return std::bit_ceil(std::max(128u, 2 * device.banks()));
}

}  // namespace

RowLog::RowLog(const dram::Device& device)
    : device_(device),
      sweep_(std::max(longest_sweep(device), least_sweep(device))),
      until_sweep_(sweep_ / 2),
      can_answer_later_(longest_sweep(device) >= least_sweep(device)) {}

bool RowLog::is_within(Scope scope, std::uint32_t from, std::uint32_t to) const {
  const bool same_rank = device_.rank_of()[from] == device_.rank_of()[to];
  const bool same_group = device_.group_of()[from] == device_.group_of()[to];
  switch (scope) {
    case Scope::bank:
      return from == to;
    case Scope::bank_group:
      return same_group;
    case Scope::rank:
      return same_rank;
    case Scope::other_group:
      return same_rank && !same_group;
    case Scope::other_stack:
      return same_rank && device_.are_of_other_stacks(from, to);
    case Scope::other_rank:
      return !same_rank;
    case Scope::channel:
      return true;
  }
  return false;
}

// PREA was a PRE of every bank that it closed.
bool RowLog::is_by(const Entry& entry, const spec::Constraint& constraint,
                   std::uint32_t bank) const {
  if (entry.command == constraint.before) return is_within(constraint.scope, entry.bank, bank);
  if (entry.command != Command::PREA || constraint.before != Command::PRE) return false;
  for (std::uint32_t i = 0; i < device_.banks_per_rank(); ++i) {
    const std::uint32_t closed = entry.bank + i;  // from the first bank of the rank on
    if (device_.last_cycle(Command::PRE, closed) == entry.cycle &&
        is_within(constraint.scope, closed, bank)) {
      return true;
    }
  }
  return false;
}

// The entry whose wait ended at `legal`. It was the last of its kind before `position`, else a
// later one would have ended later; of a window the right number has followed it.
const RowLog::Entry* RowLog::find(const spec::Constraint& constraint, std::int64_t position,
                                  std::uint32_t bank, std::int64_t legal) const {
  const std::int64_t wanted = legal - constraint.cycles;
  std::uint32_t since = 1;
  for (std::int64_t at = position - 1; end_ - at <= std::int64_t{kTaken}; --at) {
    const Entry& entry = entries_[at & kMask];
    if (entry.cycle < wanted) return nullptr;
    if (entry.cycle != wanted && constraint.window == 1) continue;
    if (!is_by(entry, constraint, bank)) continue;
    if (entry.cycle == wanted) return since >= constraint.window ? &entry : nullptr;
    ++since;
  }
  return nullptr;
}

dram::Device::Reason RowLog::reason_of(const dram::Device::Reasons& reasons, std::int64_t position,
                                       std::uint32_t bank, std::int64_t legal) const {
  for (const auto& each : reasons.entries) {
    const spec::Constraint& constraint = device_.table().constraints()[each.constraint];
    if (is_row(constraint.before)) {
      const Entry* const found = find(constraint, position, bank, legal);
      if (found != nullptr) return {each.constraint, found->tag};
    } else if (const auto reason = device_.reason_if(each, bank, legal); reason.is_known()) {
      return reason;
    }
  }
  return {};
}

}  // namespace diffram::ctrl
