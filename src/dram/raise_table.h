#pragma once
// How far each command moves the next-legal times of ACT, PRE, RD and WR of all banks of a channel:
// what the constraint table says of the last command of its kind, as rows that `Device` adds eight
// banks at a time. It depends on the memory only, and is the largest thing a device reads: the
// channels of a memory share one.

#include <array>
#include <cstdint>

#include "dram/constraint_table.h"
#include "dram/lane_paths.h"

namespace diffram::dram {

/// The commands whose next-legal times are kept by bank, in the order in which the commands that
/// raise them are contiguous.
inline constexpr std::array kHotCommands = {spec::Command::ACT, spec::Command::PRE,
                                            spec::Command::RD, spec::Command::WR};

class RaiseTable {
 public:
  /// The offsets that one command adds: whole blocks from `first` on, a row for each bank.
  struct Raise {
    std::uint32_t first = 0;  ///< hot command × lanes of the channel + bank
    std::uint32_t lanes = 0;  ///< of a row; 0 = it raises nothing
    LaneArray rows{0};
  };

  explicit RaiseTable(const spec::MemorySpec& spec) : RaiseTable(spec, ConstraintTable(spec)) {}
  RaiseTable(const spec::MemorySpec& spec, const ConstraintTable& table);

  const Raise& of(spec::Command before) const { return raises_[static_cast<std::size_t>(before)]; }

 private:
  std::array<Raise, spec::kCommandCount> raises_;
};

}  // namespace diffram::dram
