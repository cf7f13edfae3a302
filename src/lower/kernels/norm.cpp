// GroupNorm: per (image, group) a moments pass, then an apply pass; the second is served on chip
// when the slab stays. Where channels are the fastest dimension a group is a few bytes of every
// pixel, so all groups of an image are worked on together. LayerNorm: one read when the row fits.
// Backward: the same with the gradient as a second input. Weights and statistics are small: read
// with the first tile, written with the last.

#include <algorithm>

#include "lower/kernels/kernel.h"
#include "lower/walk/stream.h"

namespace diffram::lower {
namespace {

std::unique_ptr<Walk> walk(const OpContext& context) {
  // The normalised tensor: the largest read; the index space is its shape.
  const trace::TensorUse* guide = nullptr;
  for (const trace::TensorUse& use : context.op.reads)
    if (guide == nullptr || View(use).elements() > View(*guide).elements()) guide = &use;
  if (guide == nullptr) return nullptr;
  const std::size_t rank = guide->sizes.size();
  const bool in_groups = context.name.starts_with("native_group_norm");
  const std::int64_t groups = context.number("groups", 1);
  const auto axes = static_cast<std::size_t>(context.number("axes", 1));
  if (rank < 2 || rank + 1 > kMaxDimensions || axes > rank ||
      (in_groups && guide->sizes[1] % groups != 0))
    return nullptr;
  StreamShape shape;
  shape.sizes = guide->sizes;
  shape.passes = 2;
  shape.operations_per_element = 2;
  if (in_groups) {
    shape.sizes.insert(shape.sizes.begin() + 1, groups);
    shape.sizes[2] = guide->sizes[1] / groups;
    const auto& strides = guide->strides;
    const bool channels_are_fastest =
        rank > 2 && guide->sizes[1] > 1 && strides[1] < strides[rank - 1];
    shape.kept = channels_are_fastest ? rank : rank - 1;
  } else {
    shape.one_pass_if_it_fits = true;
    shape.operations_per_element = 4;
    shape.kept = axes;
  }
  const auto take = [&](const trace::TensorUse& use, std::uint32_t operand, bool is_write) {
    View view(use);
    if (use.sizes == guide->sizes) {
      if (in_groups) view.split(1, groups);
      shape.operands.push_back({operand, view, is_write, Moment::every_tile});
      return true;
    }
    shape.operands.push_back(
        {operand, view, is_write, is_write ? Moment::last_tile : Moment::first_tile});
    return view.box().bytes() <= context.budget.tile();
  };
  for (std::size_t i = 0; i < context.op.reads.size(); ++i)
    if (!take(context.op.reads[i], context.read(i), false)) return nullptr;
  for (std::size_t i = 0; i < context.op.writes.size(); ++i)
    if (!take(context.op.writes[i], context.write(i), true)) return nullptr;
  auto result = make_stream(std::move(shape), context.budget);
  result->facts.family = "norm";
  result->facts.efficiency = "norm";
  return result;
}

bool stands_for(const OpContext& context) {
  return context.name.starts_with("native_group_norm") ||
         context.name.starts_with("native_layer_norm") ||
         context.name.starts_with("_fused_rms_norm");
}

}  // namespace

extern const KernelModel norm_model;
const KernelModel norm_model{"norm", stands_for, walk};

}  // namespace diffram::lower
