#pragma once
// Affine traces: the numbers of a line grow with the batch by the slopes in its field "d"
// (docs/tensor-trace.md, "Affine").

#include <cstdint>
#include <vector>

#include "trace/tensor_reader/json_line.h"

namespace diffram::trace {

/// Collects the batch-dependent numbers of one line in reading order, then moves them.
class BatchSlopes {
 public:
  /// `distance` = batch asked for − first batch of the trace.
  explicit BatchSlopes(std::int64_t distance) : distance_(distance) {}

  void start_line() {
    integers_.clear();
    attribute_numbers_.clear();
  }
  void add(std::int64_t& number) { integers_.push_back(&number); }
  /// Attributes hold doubles; they follow the integers of a line.
  void add(double& number) { attribute_numbers_.push_back(&number); }

  /// Applies the line's "d", if any. A complaint when it has another length than the line has
  /// numbers, or when a number leaves 64 bits.
  void apply(JsonLine& line) const;

 private:
  std::int64_t distance_;
  std::vector<std::int64_t*> integers_;
  std::vector<double*> attribute_numbers_;
};

}  // namespace diffram::trace
