// The op line: what ran, why, and what it touched.

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "trace/tensor_reader/tensor_use_reader.h"
#include "trace/tensor_reader/trace_builder.h"

namespace diffram::trace {

namespace {

constexpr std::string_view kReasons = "fbrgo";

void add_numbers(BatchSlopes& slopes, std::vector<TensorUse>& uses) {
  for (auto& use : uses) {
    slopes.add(use.offset);
    for (auto& size : use.sizes) slopes.add(size);
    for (auto& stride : use.strides) slopes.add(stride);
  }
}

}  // namespace

void TraceBuilder::op(JsonLine& line) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  Op op;
  line.integer("i", stored_ops_, stored_ops_);
  op.function = static_cast<std::uint32_t>(
      line.integer("f", 0, static_cast<std::int64_t>(trace_.functions.size()) - 1));
  op.module = static_cast<std::int32_t>(
      line.integer_or("m", -1, -1, static_cast<std::int64_t>(trace_.modules.size()) - 1));
  const std::string reason = line.text("x");
  if (reason.size() != 1 || kReasons.find(reason[0]) == std::string_view::npos) {
    line.complain("out_of_range", fmt::format("\"{}\" is no reason for an op", reason), "x",
                  "f, b, r, g or o");
  } else {
    op.reason = static_cast<Reason>(reason[0]);
  }
  const Json* forward = line.find("fw");
  if (forward && !forward->is_null()) {
    const std::int64_t number = line.integer("fw", 0, stored_ops_ - 1);
    // An op of an earlier step is not of this list.
    op.forward_op = static_cast<std::int32_t>(
        number >= first_op_of_step_ ? number - first_op_of_step_ : std::int64_t{-1});
  }
  op.reads = read_uses(line, "r", trace_.storages.size());
  op.writes = read_uses(line, "w", trace_.storages.size());
  op.macs = line.integer_or("mac", 0, 0, kLargest);
  std::vector<AttributeNumber> whole_numbers;
  op.attributes = read_attributes(line, whole_numbers);
  if (!line.is_sound() || !expect_open_step(line)) return;

  slopes_.start_line();
  add_numbers(slopes_, op.reads);
  add_numbers(slopes_, op.writes);
  slopes_.add(op.macs);
  for (const auto& at : whole_numbers) {
    slopes_.add(op.attributes[at.attribute].numbers[at.position]);
  }
  slopes_.apply(line);
  if (op.macs < 0) line.complain("out_of_range", "is negative at this batch", "mac");
  check_uses(line, op.reads, "r");
  check_uses(line, op.writes, "w");
  if (!line.is_sound()) return;

  for (const auto& use : op.reads) step_totals_.read += use.tensor_bytes();
  for (const auto& use : op.writes) step_totals_.write += use.tensor_bytes();
  step_totals_.macs += op.macs;
  step_totals_.ops += 1;
  Step& step = trace_.steps.back();
  op.index = static_cast<std::uint32_t>(step.ops.size());
  step.events.push_back({EventKind::op, op.index});
  step.ops.push_back(std::move(op));
  ++stored_ops_;
}

void TraceBuilder::check_uses(JsonLine& line, const std::vector<TensorUse>& uses,
                              const char* field) {
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const std::uint32_t storage = uses[i].storage;
    check_use(line, uses[i], trace_.storages[storage], field, i);
    if (liveness_.is_alive(storage)) continue;
    line.complain("storage_not_live", fmt::format("storage {} is not alive", storage),
                  fmt::format("{}[{}]", field, i), "a storage that was allocated and not released");
  }
}

}  // namespace diffram::trace
