#include "session/record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace diffram::session {

namespace {

const char* name_of(trace::Reason reason) {
  switch (reason) {
    case trace::Reason::forward:
      return "forward";
    case trace::Reason::backward:
      return "backward";
    case trace::Reason::recompute:
      return "recompute";
    case trace::Reason::accumulate:
      return "accumulate";
    case trace::Reason::optimizer:
      return "optimizer";
  }
  return "forward";
}

std::string shape_of(const trace::Op& op) {
  const auto& uses = op.writes.empty() ? op.reads : op.writes;
  return uses.empty() ? std::string() : fmt::format("{}", fmt::join(uses.front().sizes, "x"));
}

std::string short_name(const std::string& function) {
  // "aten.convolution.default" → "convolution"
  std::string name = function;
  if (const auto dot = name.find('.'); dot != std::string::npos) name = name.substr(dot + 1);
  if (const auto dot = name.find('.'); dot != std::string::npos) name = name.substr(0, dot);
  return name;
}

/// A storage holds elements of the type in which it is first written, or else read.
void name_types(const trace::TensorTrace& trace, ledger::RunRecord& record) {
  const auto name = [&](const std::vector<trace::TensorUse>& uses) {
    for (const trace::TensorUse& use : uses)
      if (std::string& dtype = record.tensors[use.storage].dtype; dtype.empty())
        dtype = trace::name_of(use.dtype);
  };
  for (const auto uses : {&trace::Op::writes, &trace::Op::reads})
    for (const trace::Step& step : trace.steps)
      for (const trace::Op& op : step.ops) name(op.*uses);
}

}  // namespace

void name_rows(const trace::TensorTrace& trace, const lower::OriginTable& table,
               ledger::RunRecord& record) {
  record.ops.reserve(table.ops.size());
  for (const auto& lowered : table.ops) {
    const auto& op = trace.steps[lowered.step].ops[lowered.op];
    ledger::OpRow row;
    row.step = lowered.step;
    row.index = op.index;
    row.name = trace.functions[op.function].name;
    row.kernel = lowered.family;
    if (op.module >= 0) row.layer = trace.modules[static_cast<std::size_t>(op.module)].path;
    row.phase = trace.phases[lowered.phase];
    row.reason = name_of(op.reason);
    row.shape = shape_of(op);
    row.macs = op.macs;
    row.fallback = lowered.fallback;
    record.ops.push_back(std::move(row));
  }
  record.tensors.resize(trace.storages.size());
  for (std::size_t i = 0; i < trace.storages.size(); ++i) {
    const auto& storage = trace.storages[i];
    ledger::TensorRow& row = record.tensors[i];
    row.name = storage.name;
    row.tensor_class = trace::name_of(storage.tensor_class);
    row.bytes = storage.bytes;
  }
  name_types(trace, record);
  record.origins.reserve(table.origins.size());
  for (const auto& origin : table.origins) {
    record.origins.push_back({origin.op, origin.storage, origin.is_write, origin.role});
    auto& name = record.tensors[origin.storage].name;
    if (name.empty() && origin.is_write) {
      const auto& op = record.ops[origin.op];
      name = op.layer.empty()
                 ? fmt::format("{} of {}", origin.role, short_name(op.name))
                 : fmt::format("{}: {} of {}", op.layer, origin.role, short_name(op.name));
    }
  }
  for (std::size_t i = 0; i < record.tensors.size(); ++i) {
    if (record.tensors[i].name.empty()) record.tensors[i].name = fmt::format("storage {}", i);
  }
}

std::vector<sim::ProgramStep> program_steps(const trace::TensorTrace& trace,
                                            const lower::OriginTable& table) {
  std::vector<sim::ProgramStep> steps(trace.steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].first = trace.steps[i].first;
    steps[i].times = trace.steps[i].times;
  }
  std::vector<std::uint32_t> step_of_op(table.ops.size());
  for (std::uint32_t i = 0; i < table.ops.size(); ++i) {
    auto& step = steps[table.ops[i].step];
    step_of_op[i] = table.ops[i].step;
    if (step.op_count++ == 0) step.first_op = i;
  }
  for (std::uint32_t i = 0; i < table.origins.size(); ++i) {
    auto& step = steps[step_of_op[table.origins[i].op]];
    if (step.origin_count++ == 0) step.first_origin = i;
  }
  return steps;
}

}  // namespace diffram::session
