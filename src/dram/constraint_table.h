#pragma once
// The constraint table of a standard, by what the device asks of it: how long one command waits
// behind another, the windows, and the order in which ties between constraints are settled.

#include <array>
#include <cstdint>
#include <vector>

#include "spec/memory.h"

namespace diffram::dram {

inline constexpr bool is_rank_command(spec::Command c) { return !spec::names_a_bank(c); }

/// The longest wait of one command behind the last of another, by relation of their banks; 0 =
/// none.
struct Relations {
  std::int32_t same_bank = 0, same_group = 0, other_group = 0, other_stack = 0, other_rank = 0;
};

/// A constraint that counts more than the last command (tFAW).
struct Window {
  spec::Constraint constraint;
  std::uint32_t history = 0;  ///< index of its ring of past commands
};

class ConstraintTable {
 public:
  explicit ConstraintTable(const spec::MemorySpec& spec);

  Relations relations(spec::Command before, spec::Command after) const;
  const std::vector<Window>& windows(spec::Command before) const {
    return windows_[static_cast<std::size_t>(before)];
  }
  /// Indices of the constraints on `after`, the narrowest scope first: the order in which ties
  /// between binding constraints are settled.
  const std::vector<std::uint32_t>& on(spec::Command after) const {
    return on_[static_cast<std::size_t>(after)];
  }
  const std::vector<spec::Constraint>& constraints() const { return constraints_; }
  /// Ring index of a windowed constraint.
  std::uint32_t history_of(std::uint32_t constraint) const { return history_of_[constraint]; }
  std::size_t histories() const { return histories_; }

  /// Cycles from `before` to `after` in the same bank; 0 = no such rule.
  std::int32_t same_bank(spec::Command before, spec::Command after) const;

 private:
  std::vector<spec::Constraint> constraints_;
  std::array<std::vector<Window>, spec::kCommandCount> windows_;
  std::array<std::vector<std::uint32_t>, spec::kCommandCount> on_;
  std::vector<std::uint32_t> history_of_;
  std::size_t histories_ = 0;
};

}  // namespace diffram::dram
