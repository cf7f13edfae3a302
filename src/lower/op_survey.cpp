#include "lower/op_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace diffram::lower {
namespace {

class Surveyor {
 public:
  Surveyor(const trace::TensorTrace& trace, const spec::MachineSpec& machine,
           const TileBudget& budget, std::int64_t line_bytes, std::uint64_t seed)
      : trace_(trace),
        budget_(budget),
        line_bytes_(line_bytes),
        seed_(seed),
        rates_(machine),
        attention_(find_attention_tensors(trace)) {
    for (const trace::Function& function : trace.functions)
      survey_.function_names.push_back(aten_name(function.name));
  }

  OpSurvey run() {
    for (std::uint32_t step = 0; step < trace_.steps.size(); ++step) {
      survey_.first_op.push_back(static_cast<std::uint32_t>(survey_.table.ops.size()));
      const std::vector<std::uint32_t> phases = phases_of(trace_.steps[step]);
      for (std::uint32_t op = 0; op < trace_.steps[step].ops.size(); ++op)
        add(step, op, phases[op]);
    }
    report_fallbacks();
    survey_.assumptions = rates_.assumptions();
    for (const auto& [name, operations] : operations_)
      survey_.assumptions.push_back(
          {"lowering.operations_per_element." + name, fmt::format("{}", operations), "assumed"});
    if (gathers_ > 0)
      survey_.assumptions.push_back({"lowering.gather_rows",
                                     fmt::format("{} ops, drawn from seed {}", gathers_, seed_),
                                     "assumed"});
    return std::move(survey_);
  }

 private:
  std::vector<std::uint32_t> phases_of(const trace::Step& step) {
    std::vector<std::uint32_t> result(step.ops.size(), phase_);
    for (const trace::Event& event : step.events) {
      if (event.kind == trace::EventKind::phase) phase_ = event.index;
      if (event.kind == trace::EventKind::op) result[event.index] = phase_;
    }
    return result;
  }

  void add(std::uint32_t step, std::uint32_t op_index, std::uint32_t phase) {
    const trace::Op& op = trace_.steps[step].ops[op_index];
    const trace::Function& function = trace_.functions[op.function];
    const auto number = static_cast<std::uint32_t>(survey_.table.ops.size());
    const OpContext context{op, function, survey_.function_names[op.function], budget_,
                            seed_of_op(seed_, number)};
    const auto walk = make_walk(context);
    const trace::DType dtype = op.writes.empty() ? trace::DType::f32 : op.writes[0].dtype;
    const PacingRates::Rate rate = rates_.rate(walk->facts.efficiency, dtype);

    LoweredOp lowered;
    lowered.step = step;
    lowered.op = op_index;
    lowered.phase = phase;
    lowered.family = is_attention(op) ? "attention" : walk->facts.family;
    lowered.fallback = walk->facts.fallback;
    lowered.compulsory_bytes = walk->facts.compulsory_bytes.value_or(tensor_bytes(op));
    lowered.bound_bytes = walk->facts.bound_bytes;
    TileWork work;
    while (walk->next(work)) {
      // A run touches less than a line more than its bytes at either end.
      for (const Piece& piece : work.pieces)
        lowered.bound_bytes += 2 * line_bytes_ * piece.box.runs();
      lowered.compute_cycles += cycles_of(work, rate);
      work.clear();
    }
    if (walk->facts.family == "gather") ++gathers_;
    if (walk->facts.operations_per_element != 1)
      operations_[context.name] = walk->facts.operations_per_element;
    add_origins(number, op, function, walk->facts);
    survey_.table.ops.push_back(std::move(lowered));
    survey_.rates.push_back(rate);
  }

  bool is_attention(const trace::Op& op) const {
    const auto marked = [&](const trace::TensorUse& use) {
      return attention_[use.storage] != AttentionTensor::none;
    };
    return std::any_of(op.reads.begin(), op.reads.end(), marked) ||
           std::any_of(op.writes.begin(), op.writes.end(), marked);
  }

  static std::int64_t tensor_bytes(const trace::Op& op) {
    std::int64_t bytes = 0;
    for (const trace::TensorUse& use : op.reads) bytes += use.tensor_bytes();
    for (const trace::TensorUse& use : op.writes) bytes += use.tensor_bytes();
    return bytes;
  }

  void add_origins(std::uint32_t number, const trace::Op& op, const trace::Function& function,
                   const WalkFacts& facts) {
    survey_.first_origin.push_back(static_cast<std::uint32_t>(survey_.table.origins.size()));
    const auto add = [&](const trace::TensorUse& use, bool is_write, std::size_t position,
                         std::size_t operand) {
      Origin origin;
      origin.op = number;
      origin.storage = use.storage;
      origin.is_write = is_write;
      origin.operand = static_cast<std::uint32_t>(position);
      const AttentionTensor tensor = attention_[use.storage];
      if (tensor != AttentionTensor::none) {
        origin.role = name_of(tensor);
      } else if (operand < facts.roles.size() && !facts.roles[operand].empty()) {
        origin.role = facts.roles[operand];
      } else {
        origin.role = schema_name(is_write ? function.writes : function.reads, position);
      }
      survey_.table.origins.push_back(std::move(origin));
    };
    for (std::size_t i = 0; i < op.reads.size(); ++i) add(op.reads[i], false, i, i);
    for (std::size_t i = 0; i < op.writes.size(); ++i)
      add(op.writes[i], true, i, op.reads.size() + i);
  }

  static std::string schema_name(const std::vector<trace::Role>& roles, std::size_t position) {
    std::size_t at = 0;
    for (const trace::Role& role : roles) {
      at += role.count;
      if (position < at) return role.name;
    }
    return "";
  }

  void report_fallbacks() {
    std::map<std::string, std::int64_t> bytes_by_function;
    std::int64_t all = 0, fallback = 0, count = 0;
    for (const LoweredOp& lowered : survey_.table.ops) {
      const trace::Step& step = trace_.steps[lowered.step];
      const std::int64_t bytes = lowered.compulsory_bytes * step.times;
      all += bytes;
      if (!lowered.fallback) continue;
      fallback += bytes;
      count += step.times;
      bytes_by_function[trace_.functions[step.ops[lowered.op].function].name] += bytes;
    }
    if (count == 0) return;
    std::string evidence;
    for (const auto& [name, bytes] : bytes_by_function)
      evidence += fmt::format("{}{} {} B", evidence.empty() ? "" : ", ", name, bytes);
    const double share = all == 0 ? 0 : static_cast<double>(fallback) / static_cast<double>(all);
    survey_.diagnostics.push_back(
        {"fallback_ops", base::Severity::note,
         fmt::format("{} ops have no kernel model: inputs read once, outputs written once; {:.3f} "
                     "% of the bytes.",
                     count, 100 * share),
         evidence});
  }

  const trace::TensorTrace& trace_;
  const TileBudget& budget_;
  std::int64_t line_bytes_;
  std::uint64_t seed_;
  PacingRates rates_;
  std::vector<AttentionTensor> attention_;
  OpSurvey survey_;
  std::uint32_t phase_ = 0;
  std::map<std::string, std::int64_t> operations_;  ///< by op, where it is not 1
  std::int64_t gathers_ = 0;
};

}  // namespace

std::string aten_name(const std::string& function) {
  const std::size_t first = function.find('.');
  const std::size_t begin = first == std::string::npos ? 0 : first + 1;
  return function.substr(begin, function.find('.', begin) - begin);
}

std::uint64_t seed_of_op(std::uint64_t seed, std::uint32_t lowered_op) {
  // The golden-ratio increment of SplitMix64 keeps the streams of neighbouring ops apart.
  return seed + 0x9E3779B97F4A7C15ULL * (std::uint64_t{lowered_op} + 1);
}

OpSurvey survey_ops(const trace::TensorTrace& trace, const spec::MachineSpec& machine,
                    const TileBudget& budget, std::int64_t line_bytes, std::uint64_t seed) {
  return Surveyor(trace, machine, budget, line_bytes, seed).run();
}

}  // namespace diffram::lower
