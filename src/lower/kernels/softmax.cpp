// softmax and its backward: one read of a row that fits on chip, else one pass for maximum and sum
// and one to normalise.

#include "lower/kernels/kernel.h"
#include "lower/walk/stream.h"

namespace diffram::lower {
namespace {

/// Maximum, exponential, sum and division of each element.
constexpr std::int64_t kOperationsPerElement = 4;

std::unique_ptr<Walk> walk(const OpContext& context) {
  if (context.op.writes.size() != 1) return nullptr;
  const trace::TensorUse& out = context.op.writes[0];
  const std::size_t rank = out.sizes.size();
  const auto dim = static_cast<std::size_t>(context.number("dim", 0));
  if (rank == 0 || rank > kMaxDimensions || dim >= rank) return nullptr;
  StreamShape shape;
  shape.sizes = out.sizes;
  shape.kept = 1;
  shape.passes = 2;
  shape.one_pass_if_it_fits = true;
  shape.operations_per_element = kOperationsPerElement;
  std::swap(shape.sizes[dim], shape.sizes[rank - 1]);
  const auto take = [&](const trace::TensorUse& use, std::uint32_t operand, bool is_write) {
    if (use.sizes != out.sizes) return false;
    View view(use);
    const Dimension row = view.dimension(dim);
    view.set_dimension(dim, view.dimension(rank - 1)).set_dimension(rank - 1, row);
    shape.operands.push_back({operand, view, is_write, Moment::every_tile});
    return true;
  };
  for (std::size_t i = 0; i < context.op.reads.size(); ++i)
    if (!take(context.op.reads[i], context.read(i), false)) return nullptr;
  if (!take(out, context.write(0), true)) return nullptr;
  auto result = make_stream(std::move(shape), context.budget);
  result->facts.family = "softmax";
  result->facts.efficiency = "reduction";
  return result;
}

bool stands_for(const OpContext& context) { return context.function.kind == "softmax"; }

}  // namespace

extern const KernelModel softmax_model;
const KernelModel softmax_model{"softmax", stands_for, walk};

}  // namespace diffram::lower
