// Elementwise ops, fills, copies and casts: every element of the inputs once, every element of the
// outputs once, whatever their strides. A broadcast operand that fits a tile is read once and kept;
// a larger one is read as often as the index space passes over it.

#include <algorithm>

#include "lower/kernels/kernel.h"
#include "lower/walk/stream.h"

namespace diffram::lower {
namespace {

/// Sizes of the largest output: the index space.
const trace::TensorUse* guide_of(const trace::Op& op) {
  const trace::TensorUse* guide = nullptr;
  std::int64_t most = -1;
  for (const trace::TensorUse& use : op.writes) {
    const std::int64_t elements = View(use).elements();
    if (elements > most) {
      most = elements;
      guide = &use;
    }
  }
  return guide;
}

std::unique_ptr<Walk> walk(const OpContext& context) {
  const trace::TensorUse* guide = guide_of(context.op);
  if (guide == nullptr || guide->sizes.size() > kMaxDimensions) return nullptr;
  StreamShape shape;
  shape.sizes = guide->sizes;
  const std::int64_t elements = View(*guide).elements();
  const auto take = [&](const trace::TensorUse& use, std::uint32_t operand, bool is_write) {
    StreamOperand o{operand, View(use), is_write, Moment::every_tile};
    const bool same_size = o.view.elements() == elements;
    const bool small = o.view.box().bytes() <= context.budget.tile();
    View aligned;
    const bool fits = align_view(use, shape.sizes, aligned);
    if (same_size ? fits : (fits && !small && !is_write)) {
      o.view = aligned;
    } else if (!small) {
      return false;
    } else {
      o.moment = is_write ? Moment::last_tile : Moment::first_tile;
    }
    shape.operands.push_back(o);
    return true;
  };
  for (std::size_t i = 0; i < context.op.reads.size(); ++i)
    if (!take(context.op.reads[i], context.read(i), false)) return nullptr;
  for (std::size_t i = 0; i < context.op.writes.size(); ++i)
    if (!take(context.op.writes[i], context.write(i), true)) return nullptr;
  auto result = make_stream(std::move(shape), context.budget);
  result->facts.family = context.function.kind == "copy" ? "copy" : "elementwise";
  result->facts.efficiency = "elementwise";
  return result;
}

bool stands_for(const OpContext& context) {
  return context.function.kind == "elt" || context.function.kind == "copy";
}

}  // namespace

extern const KernelModel elementwise_model;
const KernelModel elementwise_model{"elementwise", stands_for, walk};

}  // namespace diffram::lower
