#include "ctrl/front_end.h"

#include <algorithm>

namespace diffram::ctrl {

void FrontEnd::add_run() {
  vacant_ = static_cast<std::uint32_t>(runs_.size());
  runs_.emplace_back();
}

FrontEnd::Entered FrontEnd::entered_of_several(const AddressWalk& walk, base::Direction direction,
                                               std::int64_t end) {
  NextBurst& next = list(direction).front().next;
  Run& run = runs_[next.run];
  if (end == kInQueue) {
    ++run.in_queue;
  } else {
    run.end = std::max(run.end, end);
  }
  if (walk.next(run.cursor)) {
    next.fields = run.cursor.fields;
    return {};
  }
  run.entered = true;
  const std::uint32_t index = next.run;
  list(direction).pop();
  if (run.in_queue != 0) return {};
  vacate(index);
  return {true, run.end};
}

bool FrontEnd::lists(std::uint64_t ticket) const {
  // Asked for in order of submission nearly always: found at or near the front.
  for (const List& list : lists_) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i].next.ticket == ticket) return true;
    }
  }
  return false;
}

void FrontEnd::release(std::int64_t now, std::vector<Completion>& done) {
  if (known_first_ == 0 && done.empty() && !known_.empty() && known_.back().cycle <= now) {
    done.swap(known_);
    return;
  }
  // Nearly all have come: the others are the data on the way.
  std::size_t end = known_.size();
  while (end > known_first_ && known_[end - 1].cycle > now) --end;
  const auto at = [this](std::size_t i) { return known_.begin() + static_cast<std::ptrdiff_t>(i); };
  done.insert(done.end(), at(known_first_), at(end));
  known_first_ = end;
  if (known_first_ == known_.size()) {
    known_.clear();
    known_first_ = 0;
  } else if (known_first_ > 1024) {  // keep what is handed over from piling up
    known_.erase(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(known_first_));
    known_first_ = 0;
  }
}

std::int64_t FrontEnd::known_completion(std::uint64_t ticket) const {
  for (std::size_t i = known_first_; i < known_.size(); ++i) {
    if (known_[i].ticket == ticket) return known_[i].cycle;
  }
  return -1;
}

}  // namespace diffram::ctrl
