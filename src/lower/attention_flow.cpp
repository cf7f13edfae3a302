#include "lower/attention_flow.h"

#include <array>
#include <cstddef>

namespace diffram::lower {
namespace {

bool passes_on(const trace::Function& function) {
  return function.kind == "elt" || function.kind == "copy";
}

class StepFlow {
 public:
  StepFlow(const trace::TensorTrace& trace, const trace::Step& step,
           std::vector<AttentionTensor>& found)
      : trace_(trace), step_(step), found_(found), maker_(trace.storages.size(), -1) {}

  void run() {
    for (const trace::Event& event : step_.events) {
      if (event.kind == trace::EventKind::allocate) maker_[event.index] = -1;
      if (event.kind != trace::EventKind::op) continue;
      const trace::Op& op = step_.ops[event.index];
      const trace::Function& function = trace_.functions[op.function];
      if (function.kind == "softmax" && op.writes.size() == 1) softmax(op, function);
      for (const trace::TensorUse& use : op.writes) maker_[use.storage] = event.index;
    }
  }

 private:
  void softmax(const trace::Op& op, const trace::Function& function) {
    const bool backward = function.name.find("backward") != std::string::npos;
    if (op.reads.empty()) return;
    // Only a softmax over a product's result is attention.
    if (!mark_back(op.reads[0].storage,
                   backward ? AttentionTensor::probabilities_gradient : AttentionTensor::scores))
      return;
    found_[op.writes[0].storage] =
        backward ? AttentionTensor::scores_gradient : AttentionTensor::probabilities;
  }

  /// Marks the storage and what it was copied or scaled from, back to a matrix product.
  bool mark_back(std::uint32_t storage, AttentionTensor what) {
    constexpr int kLongestChain = 4;  // scale, mask, cast, dropout
    std::array<std::uint32_t, kLongestChain> chain{};
    for (std::size_t length = 0; length < kLongestChain; ++length) {
      chain[length] = storage;
      const std::int64_t maker = maker_[storage];
      if (maker < 0) return false;
      const trace::Op& op = step_.ops[static_cast<std::size_t>(maker)];
      const trace::Function& function = trace_.functions[op.function];
      if (function.kind == "mm") {
        for (std::size_t i = 0; i <= length; ++i) found_[chain[i]] = what;
        return true;
      }
      if (!passes_on(function) || op.reads.empty()) return false;
      storage = op.reads[0].storage;
    }
    return false;
  }

  const trace::TensorTrace& trace_;
  const trace::Step& step_;
  std::vector<AttentionTensor>& found_;
  std::vector<std::int64_t> maker_;
};

/// Copies of probabilities (a cast, dropout) are probabilities.
void mark_forward(const trace::TensorTrace& trace, std::vector<AttentionTensor>& found) {
  for (const trace::Step& step : trace.steps)
    for (const trace::Op& op : step.ops) {
      if (!passes_on(trace.functions[op.function]) || op.reads.empty() || op.writes.empty())
        continue;
      const AttentionTensor source = found[op.reads[0].storage];
      AttentionTensor& target = found[op.writes[0].storage];
      if (source != AttentionTensor::none && target == AttentionTensor::none &&
          op.reads[0].sizes == op.writes[0].sizes)
        target = source;
    }
}

}  // namespace

const char* name_of(AttentionTensor tensor) {
  switch (tensor) {
    case AttentionTensor::none:
      return "";
    case AttentionTensor::scores:
      return "scores";
    case AttentionTensor::probabilities:
      return "probabilities";
    case AttentionTensor::probabilities_gradient:
      return "probabilities gradient";
    case AttentionTensor::scores_gradient:
      return "scores gradient";
  }
  return "";
}

std::vector<AttentionTensor> find_attention_tensors(const trace::TensorTrace& trace) {
  std::vector<AttentionTensor> found(trace.storages.size(), AttentionTensor::none);
  for (const trace::Step& step : trace.steps) StepFlow(trace, step, found).run();
  mark_forward(trace, found);
  return found;
}

}  // namespace diffram::lower
