#pragma once
// The constraint table of a standard, resolved once into what `issue` has to write: for each
// command the offsets by relation of the banks. The smallest offset of the relations inside a rank
// is written once for the rank; only what a bank group or a bank needs beyond it is written there.

#include <array>
#include <cstdint>
#include <vector>

#include "spec/memory.h"

namespace diffram::dram {

inline constexpr bool is_rank_command(spec::Command c) {
  return c == spec::Command::PREA || c == spec::Command::REFab || c >= spec::Command::PDE;
}

/// `after` waits `cycles`. The device turns the command's number into the first index of its row of
/// next-legal times (`place_rows`).
struct Offset {
  std::uint32_t after = 0;
  std::int32_t cycles = 0;
};

/// What the issue of one command writes, by the place that is raised.
struct OffsetRows {
  std::vector<Offset> bank;          ///< the same bank
  std::vector<Offset> group_mates;   ///< the other banks of the bank group
  std::vector<Offset> group;         ///< the bank group
  std::vector<Offset> other_groups;  ///< the other bank groups of the rank
  std::vector<Offset> rank;
  std::vector<Offset> other_ranks;
  bool far = false;  ///< other groups, other ranks or group mates wait too: rare
};

/// A constraint that counts more than the last command (tFAW).
struct Window {
  spec::Constraint constraint;
  std::uint32_t history = 0;  ///< index of its ring of past commands
};

class ConstraintTable {
 public:
  explicit ConstraintTable(const spec::MemorySpec& spec);

  const OffsetRows& rows(spec::Command before) const {
    return rows_[static_cast<std::size_t>(before)];
  }
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

  enum class Level : std::uint8_t { group, rank };
  /// Do both commands wait the same cycles at this level behind every command?
  bool waits_alike(spec::Command a, spec::Command b, Level level) const;
  /// Make `after` of every offset an index into the arrays of next-legal times; offsets of commands
  /// that share a row of another are dropped.
  void place_rows(std::uint32_t banks, std::uint32_t groups, std::uint32_t ranks,
                  const std::array<std::uint32_t, spec::kCommandCount>& group_row,
                  const std::array<std::uint32_t, spec::kCommandCount>& rank_row);

  /// Cycles from `before` to `after` in the same bank; 0 = no such rule.
  std::int32_t same_bank(spec::Command before, spec::Command after) const;

 private:
  void resolve(spec::Command before, spec::Command after, const spec::Organisation& shape);

  std::vector<spec::Constraint> constraints_;
  std::array<OffsetRows, spec::kCommandCount> rows_;
  std::array<std::vector<Window>, spec::kCommandCount> windows_;
  std::array<std::vector<std::uint32_t>, spec::kCommandCount> on_;
  std::vector<std::uint32_t> history_of_;
  std::size_t histories_ = 0;
};

}  // namespace diffram::dram
