#include "attrib/labels.h"

#include <fmt/format.h>

namespace diffram::attrib {
namespace {

constexpr const char* kNoLabel = "(none)";

std::string or_none(const std::string& text) { return text.empty() ? kNoLabel : text; }

std::string op_text(const ledger::OpRow& op, Axis axis) {
  switch (axis) {
    case Axis::layer:
      return or_none(op.layer);
    case Axis::op:
      return or_none(op.name);
    case Axis::kernel:
      return or_none(op.kernel);
    case Axis::phase:
      return or_none(op.phase);
    default:
      return or_none(model_of_layer(op.layer));
  }
}

const ledger::TensorRow* tensor_of(const ledger::RunRecord& run, std::uint32_t origin) {
  const std::uint32_t tensor = run.origins[origin].tensor;
  return tensor < run.tensors.size() ? &run.tensors[tensor] : nullptr;
}

std::string origin_text(const ledger::RunRecord& run, std::uint32_t origin, Axis axis) {
  if (axis == Axis::culprit) return describe_origin(run, origin);
  const ledger::TensorRow* tensor = tensor_of(run, origin);
  if (tensor == nullptr) return kNoLabel;
  return or_none(axis == Axis::tensor ? tensor->name : tensor->tensor_class);
}

}  // namespace

std::string short_op_name(const std::string& name) {
  const auto space = name.find('.');
  if (space == std::string::npos) return name;
  const auto overload = name.find('.', space + 1);
  return name.substr(space + 1, overload == std::string::npos ? overload : overload - space - 1);
}

std::string model_of_layer(const std::string& layer) { return layer.substr(0, layer.find('.')); }

std::string describe_origin(const ledger::RunRecord& run, std::uint32_t origin) {
  const ledger::OriginRow& row = run.origins[origin];
  const ledger::TensorRow* tensor = tensor_of(run, origin);
  return fmt::format("{} {} ({})",
                     row.op < run.ops.size() ? short_op_name(run.ops[row.op].name) : "?", row.role,
                     tensor == nullptr ? "?" : tensor->tensor_class);
}

std::string describe_step(const ledger::StepRecord& record) {
  if (record.weight == 1) return fmt::format("{}", record.occurrence);
  return fmt::format("{} (x{})", record.occurrence, record.weight);
}

Labels::Labels(const ledger::RunRecord& run, Axis axis, Naming naming) : axis_(axis) {
  intern(kNoLabel);
  if (naming == Naming::accounts_everywhere || axis == Axis::tensor_class || axis == Axis::tensor)
    for (const char* account : kAccountNames) by_account_.push_back(intern(account));
  switch (axis) {
    case Axis::layer:
    case Axis::op:
    case Axis::kernel:
    case Axis::phase:
    case Axis::model:
      for (const ledger::OpRow& op : run.ops) by_index_.push_back(intern(op_text(op, axis)));
      break;
    case Axis::tensor_class:
    case Axis::tensor:
    case Axis::culprit:
      for (std::uint32_t i = 0; i < run.origins.size(); ++i)
        by_index_.push_back(intern(origin_text(run, i, axis)));
      break;
    case Axis::step:
      for (const ledger::StepRecord& r : run.records) by_index_.push_back(intern(describe_step(r)));
      break;
    case Axis::cause:
      for (const char* cause : kCauseLabels) by_index_.push_back(intern(cause));
      break;
    case Axis::channel:
    case Axis::rank:
    case Axis::bank:
      break;  // numbered as they come
  }
}

// An account is nobody's operand, though an op may have caused it.
std::uint32_t Labels::number_of(const Share& share) {
  const bool is_of_operands = axis_ == Axis::tensor_class || axis_ == Axis::tensor;
  if (is_of_operands && share.account != Account::none)
    return by_account_[static_cast<std::size_t>(share.account)];
  const std::uint32_t number = number_on_axis(share);
  if (number != 0 || by_account_.empty()) return number;
  return by_account_[static_cast<std::size_t>(share.account)];
}

std::uint32_t Labels::number_on_axis(const Share& share) {
  switch (axis_) {
    case Axis::tensor_class:
    case Axis::tensor:
      return at(by_index_, share.origin);
    case Axis::culprit:
      return at(by_index_, share.culprit);
    case Axis::step:
      return at(by_index_, share.record);
    case Axis::cause:
      return at(by_index_, share.cause);
    case Axis::channel:
      return number_of_place(share.channel);
    case Axis::rank:
      return number_of_place(share.rank);
    case Axis::bank:
      return number_of_place(share.bank);
    default:
      return at(by_index_, share.op);
  }
}

std::uint32_t Labels::number_of_place(std::uint32_t index) {
  if (index == kNone) return 0;
  while (by_index_.size() <= index)
    by_index_.push_back(intern(fmt::format("{}", by_index_.size())));
  return by_index_[index];
}

std::uint32_t Labels::intern(const std::string& text) {
  const auto [found, is_new] =
      numbers_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(text);
  return found->second;
}

}  // namespace diffram::attrib
