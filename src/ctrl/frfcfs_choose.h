#pragma once
// The usual case of `Frfcfs::choose`, to be inlined into the loop over the cycles.

#include <bit>

#include "ctrl/frfcfs.h"
#include "dram/lanes.h"

namespace diffram::ctrl {

using dram::kLanes;
using dram::Lanes;

/// `a` in the lanes of `mask`, `b` in the others.
inline Lanes select(Lanes mask, Lanes a, Lanes b) { return (a & mask) | without(b, mask); }

/// Two blocks of banks, no rank is held, no hit waits to pass, the base of the times is near.
inline bool Frfcfs::is_usual(std::int64_t t) const {
  return t <= usual_until_ && active_->has_hit().word(0) == active_->head_hits().word(0);
}

inline Frfcfs::Decision Frfcfs::choose_of_16(std::int64_t t) const {
  const BurstQueue& bursts = *active_;
  const auto near = static_cast<std::int16_t>(t - device_.base());
  const std::int16_t* const column = near_column_[static_cast<std::size_t>(direction_)];
  const std::int16_t* const visible = bursts.head_visible();
  const auto hits = static_cast<std::uint32_t>(bursts.head_hits().word(0));
  const auto open = static_cast<std::uint32_t>(open_.word(0));
  const auto times_of = [&](Lanes of_hits, Lanes of_open, std::size_t at) {
    const Lanes row =
        select(of_open, Lanes::load(near_precharge_ + at), Lanes::load(near_activate_ + at));
    const Lanes next = select(of_hits, Lanes::load(column + at), row);
    return max(max(next, Lanes::load(visible + at)), Lanes::all(near));
  };
  const Lanes low = times_of(Lanes::of_bits(hits), Lanes::of_bits(open), 0);
  const Lanes high = times_of(Lanes::of_bits<true>(hits), Lanes::of_bits<true>(open), kLanes);
  const std::int16_t time = least(min(low, high));
  if (time == dram::kNoLane) return {};
  std::uint32_t bits = equal_bits(low, high, Lanes::all(time));
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
