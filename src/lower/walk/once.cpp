#include "lower/walk/once.h"

#include <algorithm>

namespace diffram::lower {
namespace {

class Once final : public Walk {
 public:
  explicit Once(const OpContext& context) {
    std::int64_t most_elements = 0, bytes = 0;
    const auto take = [&](const trace::TensorUse& use) {
      const View view(use);
      boxes_.push_back(view.box());
      bytes += boxes_.back().bytes();
      most_elements = std::max(most_elements, view.elements());
    };
    for (const trace::TensorUse& use : context.op.reads) take(use);
    for (const trace::TensorUse& use : context.op.writes) take(use);
    tiles_ = std::max<std::int64_t>(
        1, (bytes + 2 * context.budget.tile() - 1) / (2 * context.budget.tile()));
    elements_ = most_elements;
    macs_ = context.op.macs;
    facts.bound_bytes = bytes;
  }

  bool next(TileWork& tile) override {
    if (at_ == tiles_) return false;
    for (std::size_t operand = 0; operand < boxes_.size(); ++operand)
      tile.add(static_cast<std::uint32_t>(operand), boxes_[operand].part(at_, tiles_));
    tile.operations = share(elements_);
    tile.macs = share(macs_);
    ++at_;
    return true;
  }

 private:
  std::int64_t share(std::int64_t total) const {
    return total / tiles_ + (at_ < total % tiles_ ? 1 : 0);
  }

  std::vector<Box> boxes_;
  std::int64_t tiles_ = 1, at_ = 0, elements_ = 0, macs_ = 0;
};

}  // namespace

std::unique_ptr<Walk> make_once(const OpContext& context) {
  return std::make_unique<Once>(context);
}

}  // namespace diffram::lower
