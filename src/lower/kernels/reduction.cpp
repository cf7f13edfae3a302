// sum, mean, norms, losses: the inputs once. A result that fits a tile is accumulated on chip and
// written at the end; a larger one is written as its parts become complete.

#include <algorithm>

#include "lower/kernels/kernel.h"
#include "lower/walk/once.h"
#include "lower/walk/stream.h"

namespace diffram::lower {
namespace {

/// A large result over the index space [outer…, reduced…]; false when the shapes do not match.
bool stream_result(const trace::TensorUse& out, const trace::TensorUse& in,
                   const std::vector<std::size_t>& order, std::size_t reduced, View& view) {
  View result(out);
  const std::size_t rank = in.sizes.size(), kept_dims = rank - reduced;
  const bool keeps_rank = out.sizes.size() == rank;
  if (!keeps_rank && out.sizes.size() != kept_dims) return false;
  view = result;
  view.clear_dimensions();
  for (std::size_t i = 0; i < rank; ++i) {
    const auto size = in.sizes[order[i]];
    if (i >= kept_dims) {
      view.append({size, 0});
      continue;
    }
    const Dimension own = result.dimension(keeps_rank ? order[i] : i);
    if (own.count != size) return false;
    view.append(own);
  }
  return true;
}

std::unique_ptr<Walk> in_index_order(const OpContext& context) {
  const auto& reads = context.op.reads;
  const trace::Attribute* dims = context.op.attribute("dims");
  if (reads.empty() || reads[0].sizes.size() > kMaxDimensions) return nullptr;
  const trace::TensorUse& in = reads[0];
  const std::size_t rank = in.sizes.size();
  std::vector<std::size_t> order, reduced;
  for (std::size_t d = 0; d < rank; ++d) {
    const bool is_reduced =
        dims != nullptr && std::find(dims->numbers.begin(), dims->numbers.end(),
                                     static_cast<double>(d)) != dims->numbers.end();
    (is_reduced ? reduced : order).push_back(d);
  }
  order.insert(order.end(), reduced.begin(), reduced.end());
  StreamShape shape;
  for (const std::size_t d : order) shape.sizes.push_back(in.sizes[d]);
  bool any_streams = false;
  for (std::size_t i = 0; i < context.op.writes.size(); ++i) {
    StreamOperand o{context.write(i), View(context.op.writes[i]), true, Moment::last_tile};
    if (o.view.box().bytes() > context.budget.tile()) {
      if (!stream_result(context.op.writes[i], in, order, reduced.size(), o.view)) return nullptr;
      o.moment = Moment::every_tile;
      any_streams = true;
    }
    shape.operands.push_back(o);
  }
  // Only a result that leaves in parts forces the walk to finish one part after the other.
  shape.kept = any_streams ? reduced.size() : 0;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    StreamOperand o{context.read(i), View(reads[i]), false, Moment::every_tile};
    if (reads[i].sizes == in.sizes) {
      View ordered = o.view;
      ordered.clear_dimensions();
      for (const std::size_t d : order) ordered.append(o.view.dimension(d));
      o.view = ordered;
    } else if (o.view.box().bytes() <= context.budget.tile()) {
      o.moment = Moment::first_tile;
    } else {
      return nullptr;
    }
    shape.operands.push_back(o);
  }
  return make_stream(std::move(shape), context.budget);
}

std::unique_ptr<Walk> walk(const OpContext& context) {
  auto result = in_index_order(context);
  if (result == nullptr) result = make_once(context);
  result->facts.family = "reduction";
  result->facts.efficiency = "reduction";
  return result;
}

bool stands_for(const OpContext& context) { return context.function.kind == "reduce"; }

}  // namespace

extern const KernelModel reduction_model;
const KernelModel reduction_model{"reduction", stands_for, walk};

}  // namespace diffram::lower
