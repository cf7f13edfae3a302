#include "ctrl/row_log.h"

#include <bit>

namespace diffram::ctrl {

using spec::Command;
using spec::Scope;

namespace {

bool is_row(Command c) { return c == Command::ACT || c == Command::PRE; }

// A PREA is a PRE of each bank in one cycle; else there is one command a cycle.
std::uint32_t entries_for(const dram::Device& device) {
  std::uint32_t longest = 0;
  for (const spec::Constraint& c : device.table().constraints()) {
    if (!is_row(c.before) || !is_row(c.after)) continue;
    longest = std::max(longest, static_cast<std::uint32_t>(c.cycles));
  }
  return std::bit_ceil(longest + static_cast<std::uint32_t>(RowLog::kMostWait) + device.banks() +
                       RowLog::kMostUnsettled);
}

}  // namespace

RowLog::RowLog(const dram::Device& device)
    : device_(device), entries_(entries_for(device)), mask_(entries_for(device) - 1) {}

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
    case Scope::other_rank:
      return !same_rank;
    case Scope::channel:
      return true;
  }
  return false;
}

// The entry whose wait ended at `legal`. It was the last of its kind before `position`, else a
// later one would have ended later; of a window the right number has followed it.
const RowLog::Entry* RowLog::find(const spec::Constraint& constraint, std::uint32_t position,
                                  std::uint32_t bank, std::int64_t legal) const {
  const std::int64_t wanted = legal - constraint.cycles;
  std::uint32_t since = 1;
  for (std::uint32_t at = position - 1; end_ - at <= entries_.size(); --at) {
    const Entry& entry = entries_[at & mask_];
    if (entry.cycle < wanted) return nullptr;
    if (entry.command != constraint.before || !is_within(constraint.scope, entry.bank, bank)) {
      continue;
    }
    if (entry.cycle == wanted) return since >= constraint.window ? &entry : nullptr;
    ++since;
  }
  return nullptr;
}

dram::Device::Reason RowLog::reason_of(const dram::Device::Reasons& reasons, std::uint32_t position,
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
