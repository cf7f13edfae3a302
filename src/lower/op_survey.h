#pragma once
// Every op of the trace walked once without requests, before anything is simulated: its family,
// bounds, compute cycles, and the origin of each operand.

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "lower/attention_flow.h"
#include "lower/kernels/kernel.h"
#include "lower/lowering.h"
#include "lower/pacing_rates.h"

namespace diffram::lower {

/// ATen name without namespace and overload: "aten.convolution.default" → "convolution".
std::string aten_name(const std::string& function);

struct OpSurvey {
  OriginTable table;
  std::vector<std::uint32_t> first_op;      ///< by step: index of its first op in table.ops
  std::vector<std::uint32_t> first_origin;  ///< by op of table.ops
  std::vector<PacingRates::Rate> rates;     ///< by op of table.ops
  std::vector<std::string> function_names;  ///< aten_name by function
  std::vector<base::Diagnostic> diagnostics;
  std::vector<base::Assumption> assumptions;
};

OpSurvey survey_ops(const trace::TensorTrace& trace, const spec::MachineSpec& machine,
                    const TileBudget& budget, std::int64_t line_bytes, std::uint64_t seed);

/// Seed of the gathers of one op, from the run's seed.
std::uint64_t seed_of_op(std::uint64_t seed, std::uint32_t lowered_op);

}  // namespace diffram::lower
