// Optimizer steps over lists of tensors. Fused: one pass over parameter, gradient and moments
// (AdamW fp32: 16 bytes read and 12 written a parameter). foreach: the lists of one elementary
// operation. Tensors of position i in all lists are walked together; small ones share a tile.

#include <algorithm>

#include "lower/kernels/kernel.h"
#include "lower/walk/stream.h"

namespace diffram::lower {
namespace {

/// Update arithmetic of one parameter: AdamW's two moments, bias correction, decay and step.
constexpr std::int64_t kFusedOperations = 12;

class OptimizerWalk final : public Walk {
 public:
  OptimizerWalk(const OpContext& context, std::size_t tensors, std::int64_t operations)
      : op_(context.op),
        tensors_(tensors),
        read_lists_(op_.reads.size() / tensors),
        write_lists_(op_.writes.size() / tensors),
        tile_bytes_(2 * context.budget.tile()),
        operations_(operations) {
    for (const trace::TensorUse& use : op_.reads) facts.bound_bytes += View(use).box().bytes();
    for (const trace::TensorUse& use : op_.writes) facts.bound_bytes += View(use).box().bytes();
  }

  bool next(TileWork& tile) override {
    if (tensor_ == tensors_) return false;
    if (is_first_) {
      // Learning rate, gradient scale: what belongs to no list.
      for (std::size_t i = read_lists_ * tensors_; i < op_.reads.size(); ++i)
        tile.add(static_cast<std::uint32_t>(i), View(op_.reads[i]).box());
      is_first_ = false;
    }
    std::int64_t room = tile_bytes_;
    while (tensor_ < tensors_ && room > 0) room -= add_part(tile, room);
    return true;
  }

 private:
  /// The next part of the current tensor; the room that it takes.
  std::int64_t add_part(TileWork& tile, std::int64_t room) {
    std::int64_t longest = 1, bytes = 0;
    for_each_use([&](const trace::TensorUse& use, std::uint32_t) {
      longest = std::max(longest, View(use).box().bytes());
      bytes += View(use).box().bytes();
    });
    if (part_ == 0) {
      if (bytes > room && room < tile_bytes_) return room;  // begins with a tile of its own
      parts_ = (bytes + tile_bytes_ - 1) / tile_bytes_;
      parts_ = std::max<std::int64_t>(parts_, 1);
    }
    std::int64_t elements = 0;
    for_each_use([&](const trace::TensorUse& use, std::uint32_t operand) {
      const Box whole = View(use).box();
      const bool is_scalar = whole.bytes() < longest / 8;
      const Box box = is_scalar ? (part_ == 0 ? whole : Box()) : whole.part(part_, parts_);
      elements = std::max(elements, box.bytes() / trace::size_of(use.dtype));
      tile.add(operand, box);
    });
    tile.operations += elements * operations_;
    if (++part_ == parts_) {
      part_ = 0;
      ++tensor_;
    }
    return parts_ > 1 ? room : std::max<std::int64_t>(1, bytes);  // a part is a tile
  }

  template <class Visit>
  void for_each_use(const Visit& visit) const {
    for (std::size_t list = 0; list < read_lists_; ++list) {
      const std::size_t i = list * tensors_ + tensor_;
      visit(op_.reads[i], static_cast<std::uint32_t>(i));
    }
    for (std::size_t list = 0; list < write_lists_; ++list) {
      const std::size_t i = list * tensors_ + tensor_;
      visit(op_.writes[i], static_cast<std::uint32_t>(op_.reads.size() + i));
    }
  }

  const trace::Op& op_;
  std::size_t tensors_, read_lists_, write_lists_;
  std::int64_t tile_bytes_, operations_;
  std::size_t tensor_ = 0;
  std::int64_t part_ = 0, parts_ = 1;
  bool is_first_ = true;
};

/// Tensors in each list, 0 when the lists cannot be told apart.
std::size_t tensors_in_lists(const OpContext& context) {
  const auto& roles = context.function.writes;
  if (!roles.empty()) {
    for (const trace::Role& role : roles)
      if (role.count != roles[0].count) return 0;
    return roles[0].count;
  }
  std::size_t lists = 1;
  if (context.name.starts_with("_fused_adam"))
    lists = 3 + static_cast<std::size_t>(context.number("amsgrad", 0) != 0) +
            static_cast<std::size_t>(context.number("grad_scale", 0) != 0);
  return context.op.writes.size() % lists == 0 ? context.op.writes.size() / lists : 0;
}

std::unique_ptr<Walk> walk(const OpContext& context) {
  const std::size_t tensors = tensors_in_lists(context);
  if (tensors == 0 || context.op.writes.size() % tensors != 0) return nullptr;
  const bool is_fused = context.name.starts_with("_fused");
  auto result = std::make_unique<OptimizerWalk>(context, tensors, is_fused ? kFusedOperations : 1);
  result->facts.family = "optimizer";
  result->facts.efficiency = "optimizer";
  result->facts.operations_per_element = is_fused ? kFusedOperations : 1;
  for (const auto* roles : {&context.function.reads, &context.function.writes})
    for (const trace::Role& role : *roles)
      result->facts.roles.insert(result->facts.roles.end(), role.count, role.name);
  return result;
}

bool stands_for(const OpContext& context) {
  return context.function.kind == "opt" || context.name.starts_with("_foreach_") ||
         context.name.starts_with("_amp_foreach_");
}

}  // namespace

extern const KernelModel optimizer_model;
const KernelModel optimizer_model{"optimizer", stands_for, walk};

}  // namespace diffram::lower
