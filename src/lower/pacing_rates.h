#pragma once
// Machine cycles of a tile's work: multiply-accumulates on the array, elementwise operations on the
// vector lanes, each at the stated efficiency of the kernel's family. A rate or an efficiency that
// the machine does not state counts as 1 and becomes an assumption of the result.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "lower/walk/walk.h"
#include "spec/machine.h"
#include "trace/tensor_trace.h"

namespace diffram::lower {

class PacingRates {
 public:
  explicit PacingRates(const spec::MachineSpec& machine) : machine_(machine) {}

  struct Rate {
    double macs_per_cycle = 1;
    double operations_per_cycle = 1;
  };
  Rate rate(const std::string& efficiency, trace::DType dtype);

  std::vector<base::Assumption> assumptions() const;

  /// A family that the machine states an efficiency for and no kernel asks for is a misspelling.
  static base::Result<void> check_families(const spec::MachineSpec& machine);

 private:
  double stated(const std::map<std::string, double>& values, const std::string& group,
                const std::string& key);

  const spec::MachineSpec& machine_;
  std::map<std::string, base::Assumption> assumed_;
};

std::int64_t cycles_of(const TileWork& work, const PacingRates::Rate& rate);

}  // namespace diffram::lower
