#pragma once
// Which storages are alive while the events are read, and whether a step can be repeated.

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "trace/tensor_trace.h"

namespace diffram::trace {

class Liveness {
 public:
  void add_storage(bool is_alive) { alive_.push_back(is_alive); }
  bool is_alive(std::uint32_t storage) const { return alive_[storage]; }

  void start_step() { changed_.clear(); }
  /// To the other state: allocated, or released.
  void toggle(std::uint32_t storage) {
    alive_[storage] = !alive_[storage];
    if (!changed_.insert(storage).second) changed_.erase(storage);
  }

  /// Empty when the step leaves what it found, once each `after` has become its `before`; else why
  /// it cannot run again.
  std::string why_not_repeatable(const std::vector<Carry>& carries) const;

 private:
  std::vector<bool> alive_;
  std::unordered_set<std::uint32_t> changed_;  ///< against the start of the step
};

}  // namespace diffram::trace
