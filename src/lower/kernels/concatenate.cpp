// cat: each input streams to its slice of the output, one input after the other. stack is the same
// with a new dimension of one element an input.

#include "lower/kernels/kernel.h"
#include "lower/walk/sequence.h"
#include "lower/walk/stream.h"

namespace diffram::lower {
namespace {

std::unique_ptr<Walk> walk(const OpContext& context) {
  if (context.op.writes.size() != 1 || context.op.reads.empty()) return nullptr;
  const trace::TensorUse& out = context.op.writes[0];
  const bool stacks = context.name == "stack";
  const auto dim = static_cast<std::size_t>(context.number("dim", stacks ? -1 : 0));
  if (dim >= out.sizes.size() || out.sizes.size() > kMaxDimensions) return nullptr;
  auto all = std::make_unique<Sequence>();
  std::int64_t at = 0;
  for (std::size_t i = 0; i < context.op.reads.size(); ++i) {
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
  // A tensor given twice is listed once: the rest of the output is not accounted for.
  if (at != out.sizes[dim]) return nullptr;
  all->facts.family = "concatenate";
  all->facts.efficiency = "elt";
  return all;
}

bool stands_for(const OpContext& context) {
  return context.name == "cat" || context.name == "stack";
}

}  // namespace

extern const KernelModel concatenate_model;
const KernelModel concatenate_model{"concatenate", stands_for, walk};

}  // namespace diffram::lower
