#pragma once
// Who evicts whom: time lost to row conflicts, by the operand that waited and the operand whose row
// had to be closed. Straight from the bill, which names both.

#include "report/model.h"

namespace diffram::report {

/// The largest operands kept apart; the others are one operand, "all other".
inline constexpr std::size_t kOperandsShown = 12;

Evictions gather_evictions(const ledger::RunRecord& run);

}  // namespace diffram::report
