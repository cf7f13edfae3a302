#include "physics/bank_times.h"

#include <algorithm>

namespace diffram::physics {
namespace {

bool holds_in_one_bank(spec::Scope scope) {
  return scope == spec::Scope::bank || scope == spec::Scope::bank_group ||
         scope == spec::Scope::rank || scope == spec::Scope::channel;
}

}  // namespace

std::optional<std::int64_t> same_bank_cycles(const spec::MemorySpec& memory, spec::Command before,
                                             spec::Command after) {
  std::optional<std::int64_t> longest;
  for (const spec::Constraint& row : memory.constraints) {
    if (row.before != before || row.after != after || row.window != 1) continue;
    if (!holds_in_one_bank(row.scope)) continue;
    longest = std::max(longest.value_or(0), std::int64_t{row.cycles});
  }
  return longest;
}

RefreshPart refresh_part(const spec::MemorySpec& memory) {
  const spec::Organisation& o = memory.organisation;
  const std::uint32_t banks =
      o.bank_groups / spec::groups_refreshed_apart(o, memory.protocol.refresh_unit);
  return {banks, o.banks() / banks};
}

}  // namespace diffram::physics
