#pragma once
// The usual case of `Frfcfs::choose`, to be inlined into the loop over the cycles.

#include <bit>

#include "ctrl/frfcfs.h"
#include "dram/lane_paths.h"

namespace diffram::ctrl {

/// Two blocks of banks, no rank is held, no hit waits to pass, the base of the times is near.
inline bool Frfcfs::is_usual(std::int64_t t) const {
  return t <= usual_until_ && active_->has_hit().word(0) == active_->head_hits().word(0);
}

template <class Path>
inline Frfcfs::Decision Frfcfs::choose_of_16(std::int64_t t) const {
  const BurstQueue& bursts = *active_;
  const auto near = static_cast<std::int16_t>(t - device_.base());
  const auto hits = static_cast<std::uint32_t>(bursts.head_hits().word(0));
  const auto open = static_cast<std::uint32_t>(open_.word(0));
  auto [time, bits] =
      Path::first({near_column_[static_cast<std::size_t>(direction_)], near_activate_,
                   near_precharge_, bursts.head_visible(), hits, open, near});
  if (time == dram::kNoLane) return {};
  // A column command goes before a row command of the same cycle.
  const bool is_column = (bits & hits) != 0;
  if (is_column) bits &= hits;
  auto bank = static_cast<std::uint32_t>(std::countr_zero(bits));
  bits &= bits - 1;
  if (bits != 0) {
    std::uint32_t oldest = bursts.head_age(bank) - next_age_;
    do {
      const auto other = static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t other_age = bursts.head_age(other) - next_age_;
      bank = other_age < oldest ? other : bank;
      oldest = std::min(oldest, other_age);
      bits &= bits - 1;
    } while (bits != 0);
  }
  const Kind row = (open >> bank & 1) != 0 ? Kind::precharge : Kind::activate;
  return {t + (time - near), bank, is_column ? Kind::column : row};
}

}  // namespace diffram::ctrl
