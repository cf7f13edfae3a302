#pragma once
// Walks one after the other, as one kernel call: data gradient, then weight gradient.

#include <memory>
#include <vector>

#include "lower/walk/walk.h"

namespace diffram::lower {

class Sequence final : public Walk {
 public:
  void append(std::unique_ptr<Walk> part) {
    facts.bound_bytes += part->facts.bound_bytes;
    parts_.push_back(std::move(part));
  }
  bool empty() const { return parts_.empty(); }

  bool next(TileWork& tile) override {
    for (; at_ < parts_.size(); ++at_)
      if (parts_[at_]->next(tile)) return true;
    return false;
  }

 private:
  std::vector<std::unique_ptr<Walk>> parts_;
  std::size_t at_ = 0;
};

}  // namespace diffram::lower
