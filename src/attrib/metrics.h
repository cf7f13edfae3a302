#pragma once
// One function a metric: it cuts the metric into shares that add up to its total, as finely as the
// axes need.

#include <vector>

#include "attrib/table_builder.h"

namespace diffram::attrib {

/// Machine time. Compute and launch gap go to the op; the wait is cut over the op's own bill
/// (victim, cause, culprit) by largest remainder, its idle pieces left out: while the machine waits
/// for data it does not compute. Idle pieces are used when the op's bill holds nothing else.
void cut_time(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table);

/// cycles × channels, as billed.
void cut_channel_time(const ledger::RunRecord& run, TableBuilder& table);

/// Column commands × burst bytes; row conflicts. By rank or bank they come from the banks'
/// counters, else from the origins'.
void cut_bytes(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table);
void cut_conflicts(const ledger::RunRecord& run, const std::vector<Axis>& axes,
                   TableBuilder& table);

/// Joules by each origin's part of the integers that drive a component, and the shared accounts.
void cut_energy(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table);

/// Kelvin that each one's power adds at the hottest place of the dies.
void cut_heat(const ledger::RunRecord& run, const std::vector<Axis>& axes, TableBuilder& table);

}  // namespace diffram::attrib
