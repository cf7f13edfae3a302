#include "ctrl/front_end.h"

#include <algorithm>

namespace diffram::ctrl {

void FrontEnd::add_place() {
  free_.push_back(static_cast<std::uint32_t>(runs_.size()));
  runs_.emplace_back();
}

bool FrontEnd::is_outstanding(std::uint64_t ticket) {
  // Asked for in order of submission nearly always: found at or near the front.
  for (std::size_t i = outstanding_.first_index(); i != outstanding_.end_index(); ++i) {
    const Ticket& entry = outstanding_.at(i);
    if (entry.ticket == ticket) return !entry.finished;
  }
  return false;
}

void FrontEnd::release(std::int64_t now, std::vector<Completion>& done) {
  while (known_first_ < known_.size() && known_[known_first_].cycle <= now) {
    done.push_back(known_[known_first_++]);
  }
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
