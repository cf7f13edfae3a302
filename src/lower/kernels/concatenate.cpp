// cat: each input streams to its slice of the output, one input after the other. stack is the same
// with a new dimension of one element an input.

#include <vector>

#include "lower/kernels/kernel.h"
#include "lower/walk/sequence.h"
#include "lower/walk/stream.h"

namespace diffram::lower {
namespace {

/// The dimension that stack made: the first one without which the sizes are the input's.
std::size_t stacked_dimension(const trace::TensorUse& in, const trace::TensorUse& out) {
  for (std::size_t d = 0; d < out.sizes.size(); ++d) {
    std::vector<std::int64_t> rest = out.sizes;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(d));
    if (rest == in.sizes) return d;
  }
  return out.sizes.size();
}

std::unique_ptr<Walk> walk(const OpContext& context) {
  if (context.op.writes.size() != 1 || context.op.reads.empty()) return nullptr;
  const trace::TensorUse& out = context.op.writes[0];
  const bool stacks = context.name == "stack";
  const std::size_t dim = stacks ? stacked_dimension(context.op.reads[0], out)
                                 : static_cast<std::size_t>(context.number("dim", 0));
  if (dim >= out.sizes.size() || out.sizes.size() > kMaxDimensions) return nullptr;
  auto all = std::make_unique<Sequence>();
  std::int64_t at = 0;
  // A tensor given twice is listed once: the list is gone through until the output is full.
  for (std::size_t count = 0; at < out.sizes[dim]; ++count) {
    const std::size_t i = count % context.op.reads.size();
    if (i == 0 && count > 0 && at == 0) return nullptr;
    trace::TensorUse in = context.op.reads[i];
    if (stacks) {
      in.sizes.insert(in.sizes.begin() + static_cast<std::ptrdiff_t>(dim), 1);
      in.strides.insert(in.strides.begin() + static_cast<std::ptrdiff_t>(dim), 0);
    }
    if (in.sizes.size() != out.sizes.size()) {
      if (View(in).elements() == 0) continue;  // cat skips empty tensors of any rank
      return nullptr;
    }
    const std::int64_t end = at + in.sizes[dim];
    if (end > out.sizes[dim]) return nullptr;
    StreamShape shape;
    shape.sizes = in.sizes;
    View slice(out);
    slice.narrow(dim, {at, end});
    shape.operands = {{context.read(i), View(in), false, Moment::every_tile},
                      {context.write(0), slice, true, Moment::every_tile}};
    at = end;
    all->append(make_stream(std::move(shape), context.budget));
  }
  all->facts.family = "concatenate";
  all->facts.efficiency = "elementwise";
  return all;
}

bool stands_for(const OpContext& context) {
  return context.name == "cat" || context.name == "stack";
}

}  // namespace

extern const KernelModel concatenate_model;
const KernelModel concatenate_model{"concatenate", stands_for, walk};

}  // namespace diffram::lower
