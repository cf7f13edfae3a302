// What the rarer commands do to the state and to the counters; the usual ones: frfcfs_issue.h.

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using spec::Command;

// To the device and the log; what the command does here is the caller's.
void Frfcfs::issue_to_rank(Command command, std::uint32_t rank, std::int64_t t) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  device_.issue_at(command, first, t, unnamed_);
  if (on_command_) [[unlikely]]
    log(t, command, first);
  if (attribution_) end_idle_time(t + 1);
}

template <bool kAttribution>
void Frfcfs::issue_precharge_all(std::uint32_t rank, std::int64_t t) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  if constexpr (kAttribution) attributed_.bill.rank_command(Command::PREA, rank, t);
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    if (!device_.is_open(bank)) continue;
    ++counters_.banks[bank].pre;
    if constexpr (kAttribution) {
      attributed_.precharge_for_refresh(bank, t, timers_[rank].held_since);
    }
    close_bank(bank);
  }
  issue_to_rank(Command::PREA, rank, t);
}

template <bool kAttribution>
void Frfcfs::issue_refresh(std::uint32_t rank, std::int64_t t) {
  RefreshTimer& timer = timers_[rank];
  count_refresh(rank);
  if constexpr (kAttribution) attributed_.refresh(rank, t, timer.held_since);
  issue_to_rank(Command::REFab, rank, t);
  timer.held_since += refresh_interval_;  // the next one owed fell due an interval later
  if (--timer.owed > 0) return;
  --held_ranks_;
  unblock(rank);
  if (policy_.power_down_after > 0) set_sleep_at(t + 1);
}

template void Frfcfs::issue_precharge_all<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_precharge_all<false>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_refresh<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_refresh<false>(std::uint32_t, std::int64_t);

}  // namespace diffram::ctrl
