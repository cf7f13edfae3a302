#pragma once
// Groups shares by the axes asked for. A group's key is made axis by axis: (group so far, value of
// the next axis) → group, so that no key is ever built as text before the end.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "attrib/explain.h"
#include "attrib/labels.h"

namespace diffram::attrib {

class TableBuilder {
 public:
  TableBuilder(const ledger::RunRecord& run, const std::vector<Axis>& axes, Naming naming);

  void add(const Share& share);

  /// Largest first, ties by keys; beyond `top` rows one row "(rest)". `unit_value` turns the
  /// integers into the table's unit; 0 = the shares carry joules or kelvin.
  void finish(Table& table, std::size_t top, double unit_value) const;

 private:
  struct Level {
    Labels labels;
    std::unordered_map<std::uint64_t, std::uint32_t> groups;  ///< (group above, value) → group
    std::vector<std::pair<std::uint32_t, std::uint32_t>> members;
  };
  struct Sum {
    std::int64_t exact = 0;
    double joules = 0;
  };
  std::vector<std::string> keys_of(std::uint32_t group) const;

  std::vector<Level> levels_;
  std::vector<Sum> sums_;  ///< by group of the last level
};

}  // namespace diffram::attrib
