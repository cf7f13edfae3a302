#pragma once
// The texts that shares are printed under, one place for all views, and small numbers for them.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "attrib/axes.h"
#include "attrib/share.h"
#include "ledger/run_record.h"

namespace diffram::attrib {

/// "aten.convolution.default" → "convolution".
std::string short_op_name(const std::string& name);
/// The first component of a module path: "unet.mid_block.0" → "unet".
std::string model_of_layer(const std::string& layer);
/// "convolution weight (parameter)".
std::string describe_origin(const ledger::RunRecord& run, std::uint32_t origin);
/// The step number in the program, and how many steps it stands for: "7", "2 (x48)".
std::string describe_step(const ledger::StepRecord& record);

/// Where the accounts are named: on the axes of operands, or on any that does not apply to a share.
enum class Naming : std::uint8_t { accounts_of_operands, accounts_everywhere };

/// The values of one axis, numbered in order of appearance; 0 is "(none)".
class Labels {
 public:
  Labels(const ledger::RunRecord& run, Axis axis, Naming naming = Naming::accounts_of_operands);

  std::uint32_t number_of(const Share& share);
  const std::string& text(std::uint32_t number) const { return texts_[number]; }

 private:
  std::uint32_t intern(const std::string& text);
  std::uint32_t at(const std::vector<std::uint32_t>& numbers, std::uint32_t index) const {
    return index < numbers.size() ? numbers[index] : 0;
  }
  std::uint32_t number_of_place(std::uint32_t index);
  std::uint32_t number_on_axis(const Share& share);

  Axis axis_;
  std::vector<std::string> texts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::uint32_t> by_index_;    ///< of the op, origin, record, cause or place
  std::vector<std::uint32_t> by_account_;  ///< empty = this axis names none
};

}  // namespace diffram::attrib
