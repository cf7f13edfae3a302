#pragma once
// The cycle at hand, asked what has come by then. Every condition on time goes through `reached`,
// which notes when an answer "not yet" will change. If a cycle moves nothing, the conditions on the
// state stay as they are, so nothing can move before the earliest of the cycles noted: that one is
// visited next. A policy is thus written as docs/controller.md tells it, cycle by cycle, and skips
// over dead time by itself.

#include <algorithm>
#include <cstdint>

#include "ctrl/burst_queue.h"

namespace diffram::ctrl {

class Moment {
 public:
  void start(std::int64_t cycle) {
    now_ = cycle;
    next_ = kNever;
  }
  std::int64_t now() const { return now_; }
  bool reached(std::int64_t cycle) {
    if (cycle <= now_) return true;
    next_ = std::min(next_, cycle);
    return false;
  }
  /// The first cycle in which a condition asked since `start` has another answer.
  std::int64_t next() const { return next_; }

 private:
  std::int64_t now_ = 0, next_ = kNever;
};

}  // namespace diffram::ctrl
