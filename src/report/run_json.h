#pragma once
// `run --json` and `replay --json`: the stable keys of docs (product.md "Stable JSON"), one object.

#include <cstdint>
#include <string>

#include "attrib/explain.h"
#include "ledger/run_record.h"

namespace diffram::report {

/// What only the session knows. Negative = not known, printed as null or left out.
struct RunFacts {
  double wall_s = -1;
  std::int64_t requests = -1;
  std::int64_t requests_in_trace = -1, requests_completed = -1;  ///< replay only
};

std::string run_json(const ledger::RunRecord& run, const attrib::Summary& summary,
                     const RunFacts& facts);

}  // namespace diffram::report
