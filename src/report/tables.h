#pragma once
// An `explain` table as people, machines and spreadsheets read it.

#include <string>

#include "attrib/explain.h"

namespace diffram::report {

std::string table_text(const attrib::Table& table, bool is_utf8 = true);
/// {axes, metric, unit, total, rows: [{<axis>: value…, value, share}]}
std::string table_json(const attrib::Table& table);
/// Header line, then one line a row; SI base units at full precision.
std::string table_csv(const attrib::Table& table);

}  // namespace diffram::report
