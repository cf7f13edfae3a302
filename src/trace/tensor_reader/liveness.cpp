#include "trace/tensor_reader/liveness.h"

#include <fmt/format.h>

#include <algorithm>

namespace diffram::trace {

std::string Liveness::why_not_repeatable(const std::vector<Carry>& carries) const {
  std::unordered_set<std::uint32_t> carried;
  for (const Carry& carry : carries) {
    if (!changed_.contains(carry.after) || !alive_[carry.after]) {
      return fmt::format("storage {} is carried over but the step does not leave it behind",
                         carry.after);
    }
    if (!changed_.contains(carry.before) || alive_[carry.before]) {
      return fmt::format("storage {} is carried into but the step does not use it up",
                         carry.before);
    }
    if (!carried.insert(carry.after).second || !carried.insert(carry.before).second) {
      return fmt::format("storage {} or {} is carried twice", carry.after, carry.before);
    }
  }
  if (carried.size() == changed_.size()) return {};
  std::uint32_t lowest = 0xFFFFFFFFu;
  for (const std::uint32_t storage : changed_) {
    if (!carried.contains(storage)) lowest = std::min(lowest, storage);
  }
  return fmt::format("the step {} storage {}, so it cannot run again",
                     alive_[lowest] ? "leaves behind" : "releases the older", lowest);
}

}  // namespace diffram::trace
