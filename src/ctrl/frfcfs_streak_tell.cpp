// What a streak has kept by itself is told: to the counters, the bill and the shares as long as it
// goes on, at its end to the queue and the device.

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

void Frfcfs::close_latency() {
  Streak::Share& share = streak_.share;
  if (share.same_latency == 0) return;
  counters_.read_latency(share.latency, share.same_latency);
  share.latency_cycles += share.latency * share.same_latency;
  share.same_latency = 0;
}

// The counters are told what the share's origin did in a bank.
template <bool kAttribution, bool kRead>
void Frfcfs::close_bank_share(std::uint32_t bank) {
  Streak::BankUse& use = streak_.banks[bank];
  base::BankCounters& counted = counters_.banks[bank];
  const std::uint32_t origin = streak_.share.origin;
  (kRead ? counted.rd : counted.wr) += use.columns;
  if constexpr (kAttribution) attributed_.columns_of_bank(bank, use.last, use.columns, origin);
  use.columns = 0;
  use.origin = origin;
}

// … in all.
template <bool kAttribution, bool kRead>
void Frfcfs::close_share() {
  Streak::Share& share = streak_.share;
  if (share.bursts == 0) return;
  base::OriginCounters& origin = counters_.origins[share.origin];
  if constexpr (kRead) {
    close_latency();
    origin.reads += share.bursts;
    origin.read_latency_cycles += share.latency_cycles;
  } else {
    origin.writes += share.bursts;
  }
  origin.misses += share.misses;
  origin.conflicts += share.conflicts;
  origin.hits += share.bursts - share.misses - share.conflicts;
  for (const std::uint32_t bank : streak_.share_banks) {
    Streak::BankUse& use = streak_.banks[bank];
    if (use.columns == 0) continue;  // told before its row command
    close_bank_share<kAttribution, kRead>(bank);
    if (!use.touched) streak_.touched_banks.push_back(bank);
    use.touched = true;
  }
  streak_.share_banks.clear();
  if (device_.stacks() > 1) settle_stack(streak_.cadence(kRead));
  if (device_.ranks() == 1) streak_.ranks[0] = {share.arrival, share.last};
  for (std::uint32_t rank = 0; rank < device_.ranks(); ++rank) {
    Streak::RankUse& use = streak_.ranks[rank];
    if (use.last < 0) continue;
    if constexpr (kAttribution) {
      attributed_.shares.columns_of_rank(attributed_.shares.rank(rank), use.last, use.arrival,
                                         share.origin);
    }
    use.last = -1;
  }
  if constexpr (kAttribution)
    attributed_.bill.stream(share.first, share.bursts, share.origin, kRead);
  share.bursts = 0;
  streak_.at_run = Streak::kNoRun;
}

// What the last commands, all of a stack of several, mean for the next ones.
void Frfcfs::settle_stack(const Cadence& cadence) {
  const std::uint32_t stack = streak_.at_stack;
  if (stack == kNone) return;
  streak_.at_stack = streak_.ready_stack = kNone;
  const std::int64_t cycle = streak_.share.last;
  const std::uint32_t rank = stack / device_.stacks_per_rank();
  Streak::RankUse& use = streak_.ranks[rank];
  if (use.last < 0) use.arrival = streak_.at_arrival;
  use.last = cycle;
  for (std::uint32_t each = 0; each < device_.stacks(); ++each) {
    std::int64_t wait = cadence.other_stacks;
    if (each == stack) wait = cadence.stack;
    if (each / device_.stacks_per_rank() != rank) wait = cadence.other_ranks;
    std::int64_t& next = streak_.stack_next[each];
    next = std::max(next, cycle + wait);
  }
}

// The device catches up with the commands of closed shares. Later commands of a bank raise whatever
// earlier ones did.
void Frfcfs::tell_columns(Command column) {
  const auto last = [this](std::uint32_t bank) { return streak_.banks[bank].last; };
  std::ranges::sort(streak_.touched_banks, {}, last);
  for (const std::uint32_t bank : streak_.touched_banks) {
    device_.issue_column(column, bank, last(bank), streak_.banks[bank].origin);
    streak_.banks[bank].touched = false;
  }
  streak_.touched_banks.clear();
}

// The queue and the device catch up: `issued` bursts have left, others have come.
void Frfcfs::end_streak(std::uint32_t issued) {
  BurstQueue& bursts = queue(direction_);
  next_age_ += streak_.entered;
  std::uint32_t stay = 0;
  if (streak_.rows.changed() || streak_.passed || 2 * issued > bursts.size()) {
    bursts.clear();
  } else {
    stay = bursts.size() - issued;
    while (bursts.size() > stay) bursts.take_hit(bursts[bursts.oldest()].bank());
  }
  std::uint32_t age = next_age_ - (streak_.size() - stay);
  for (std::uint32_t i = stay; i < streak_.size(); ++i) {
    const Streak::Burst& each = streak_[i];
    const std::uint32_t slot =
        bursts.append(each.of, each.acceptance, age++, rows_[each.of.fields.bank()]);
    bursts[slot].outcome = each.outcome;
  }
  tell_columns(direction_ == Direction::read ? Command::RD : Command::WR);
}

// Before the base of the device moves: it is told of nothing that lies before its base.
template <bool kAttribution, bool kRead>
void Frfcfs::tell_all() {
  close_share<kAttribution, kRead>();
  tell_columns(kRead ? Command::RD : Command::WR);
}

// The bank's columns so far are told, before its row command is asked for.
template <bool kAttribution, bool kRead>
void Frfcfs::tell_bank(std::uint32_t bank) {
  Streak::BankUse& use = streak_.banks[bank];
  if (use.columns == 0 && !use.touched) return;
  if (use.last - device_.base() > dram::Device::kFarthest) return tell_all<kAttribution, kRead>();
  if (use.columns != 0) close_bank_share<kAttribution, kRead>(bank);
  device_.issue_column(kRead ? Command::RD : Command::WR, bank, use.last, use.origin);
}

template void Frfcfs::close_share<true, true>();
template void Frfcfs::close_share<true, false>();
template void Frfcfs::close_share<false, true>();
template void Frfcfs::close_share<false, false>();
template void Frfcfs::tell_bank<true, true>(std::uint32_t);
template void Frfcfs::tell_bank<true, false>(std::uint32_t);
template void Frfcfs::tell_bank<false, true>(std::uint32_t);
template void Frfcfs::tell_bank<false, false>(std::uint32_t);
template void Frfcfs::tell_all<true, true>();
template void Frfcfs::tell_all<true, false>();
template void Frfcfs::tell_all<false, true>();
template void Frfcfs::tell_all<false, false>();

}  // namespace diffram::ctrl
