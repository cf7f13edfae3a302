#pragma once
// The usual case of `Frfcfs::choose`, to be inlined into the loop over the cycles.

#include <bit>

#include "ctrl/frfcfs.h"
#include "dram/lane_paths.h"

namespace diffram::ctrl {

/// Few enough banks, no rank is held, no hit waits to pass, the base of the times is near.
inline bool Frfcfs::is_usual(std::int64_t t) const {
  return t <= usual_until_ && active_->has_hit().word(0) == active_->head_hits().word(0);
}

/// The bank with the oldest head. Of many banks the queue soon meets one in order of age; `Banks`
/// of 32 bits have few.
template <class Banks>
[[gnu::always_inline]] inline std::uint32_t Frfcfs::oldest_of(Banks banks) const {
  constexpr int kMany = 8;
  const BurstQueue& bursts = *active_;
  auto bank = static_cast<std::uint32_t>(std::countr_zero(banks));
  Banks others = banks & (banks - 1);
  if (others == 0) return bank;
  if constexpr (sizeof(Banks) == sizeof(std::uint64_t)) {
    if (std::popcount(others) >= kMany) {
      std::uint32_t slot = bursts.oldest();
      while ((banks >> bursts[slot].bank() & 1) == 0) slot = bursts[slot].newer;
      return bursts[slot].bank();
    }
  }
  std::uint32_t oldest = bursts.head_age(bank) - next_age_;
  do {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(others));
    const std::uint32_t other_age = bursts.head_age(other) - next_age_;
    bank = other_age < oldest ? other : bank;
    oldest = std::min(oldest, other_age);
    others &= others - 1;
  } while (others != 0);
  return bank;
}

template <class Path>
[[gnu::always_inline]] inline Frfcfs::Decision Frfcfs::choose_of_16(std::int64_t t) const {
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
  const std::uint32_t bank = oldest_of(bits);
  const Kind row = (open >> bank & 1) != 0 ? Kind::precharge : Kind::activate;
  return {t + (time - near), bank, is_column ? Kind::column : row};
}

/// Up to four pairs of blocks, two buses: of each bus the oldest of the banks that share the least
/// time.
template <class Path>
[[gnu::always_inline]] inline Frfcfs::Decisions Frfcfs::choose_both_of_64(std::int64_t t) const {
  const BurstQueue& bursts = *active_;
  const auto near = static_cast<std::int16_t>(t - device_.base());
  const std::uint64_t hits = bursts.head_hits().word(0);
  const std::uint64_t open = open_.word(0);
  const std::int16_t* const column = near_column_[static_cast<std::size_t>(direction_)];
  std::int16_t least = dram::kNoLane;
  std::uint64_t banks = 0;
  for (std::size_t at = 0; at < blocks_ * dram::kLanes; at += 2 * dram::kLanes) {
    const auto [time, bits] = Path::first(
        {column + at, near_activate_ + at, near_precharge_ + at, bursts.head_visible() + at,
         static_cast<std::uint32_t>(hits >> at), static_cast<std::uint32_t>(open >> at), near});
    if (time > least) continue;
    banks = (time < least ? 0 : banks) | std::uint64_t{bits} << at;
    least = time;
  }
  if (least == dram::kNoLane) return {};
  Decisions both;
  both.cycle = t + (least - near);
  if (const std::uint64_t columns = banks & hits; columns != 0) both.column = oldest_of(columns);
  if (const std::uint64_t rows = banks & ~hits; rows != 0) {
    both.row = oldest_of(rows);
    both.row_kind = row_kind_of(both.row);
  }
  return both;
}

}  // namespace diffram::ctrl
