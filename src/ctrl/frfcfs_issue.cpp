// What a command does to the state and to the counters.

#include "ctrl/frfcfs.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

template <bool kAttribution>
void Frfcfs::issue_column(std::uint32_t bank, std::int64_t t) {
  const bool read = direction_ == Direction::read;
  BurstQueue& bursts = *active_;
  const QueuedBurst& burst = bursts[bursts.hit(bank)];
  const std::uint32_t run_index = burst.run;
  const bool closes = policy_.page_policy == spec::PagePolicy::closed && bursts.last_to_row(bank);
  const Command command =
      read ? (closes ? Command::RDA : Command::RD) : (closes ? Command::WRA : Command::WR);
  const std::int64_t end = t + (read ? timing_.read : timing_.write) + timing_.burst;

  base::OriginCounters& origin = counters_.origins[burst.origin];
  base::BankCounters& counted = counters_.banks[bank];
  if (read) {
    ++origin.reads;
    ++(closes ? counted.rda : counted.rd);
    const std::int64_t latency = end - burst.acceptance;
    origin.read_latency_cycles += latency;
    counters_.read_latency(latency);
  } else {
    ++origin.writes;
    ++(closes ? counted.wra : counted.wr);
    ++drained_;
  }
  if (burst.outcome == RowOutcome::hit) {
    ++origin.hits;
  } else if (burst.outcome == RowOutcome::miss) {
    ++origin.misses;
  } else {
    ++origin.conflicts;
    ++counted.conflicts;
  }
  if (!bursts.head_hits().has(bank)) ++passes_[bank];

  if constexpr (kAttribution) {
    bill_.column(burst, t, read);
    energy_.column(bank, t, burst.arrival, burst.origin);
    if (closes) {
      bill_.auto_precharge(bank, t);
      energy_.auto_precharge(bank, t, read);
    }
  }
  if (closes) {
    device_.issue_at(command, bank, t, burst.origin);
  } else {
    device_.issue_column(command, bank, t, burst.origin);
  }
  if (on_command_) [[unlikely]] log(t, command, bank, burst.row, burst.column);
  bursts.take_hit(bank, rows_[bank]);
  if (closes) close_bank(bank);

  last_data_ = std::max(last_data_, end);
  Run& run = front_.run(run_index);
  run.end = std::max(run.end, end);
  if (--run.in_queue == 0 && run.entered) finish_run(run_index);
}

template <bool kAttribution>
void Frfcfs::issue_activate(std::uint32_t bank, std::int64_t t) {
  BurstQueue& bursts = *active_;
  QueuedBurst& burst = bursts[bursts.head(bank)];
  if (burst.outcome == RowOutcome::hit) burst.outcome = RowOutcome::miss;
  ++counters_.banks[bank].act;
  if constexpr (kAttribution) {
    bill_.activate(bank, t, burst.origin);
    energy_.activate(bank, t, burst.origin);
  }
  device_.issue_activate(bank, t, burst.origin);
  if (on_command_) [[unlikely]] log(t, Command::ACT, bank, burst.row);
  rows_[bank] = burst.row;
  open_.set(bank, true);
  passes_[bank] = 0;
  for (BurstQueue& each : queues_) each.open_row(bank, burst.row);
}

template <bool kAttribution>
void Frfcfs::issue_precharge(std::uint32_t bank, std::int64_t t) {
  BurstQueue& bursts = *active_;
  QueuedBurst& burst = bursts[bursts.head(bank)];
  burst.outcome = RowOutcome::conflict;
  ++counters_.banks[bank].pre;
  if constexpr (kAttribution) {
    const std::int64_t legal = device_.earliest_at(Command::PRE, bank);
    bill_.precharge(bank, t, legal);
    energy_.precharge(bank, t, legal);
  }
  device_.issue_precharge(bank, t, burst.origin);
  if (on_command_) [[unlikely]] log(t, Command::PRE, bank);
  close_bank(bank);
}

template <bool kAttribution>
void Frfcfs::issue_precharge_all(std::uint32_t rank, std::int64_t t) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    if (!device_.is_open(bank)) continue;
    ++counters_.banks[bank].pre;
    if constexpr (kAttribution) {
      bill_.precharge_for_refresh(bank, t, timers_[rank].held_since);
      energy_.precharge(bank, t, device_.earliest_at(Command::PRE, bank));
    }
    close_bank(bank);
  }
  device_.issue_at(Command::PREA, first, t, unnamed_);
  if (on_command_) [[unlikely]] log(t, Command::PREA, first);
}

template <bool kAttribution>
void Frfcfs::issue_refresh(std::uint32_t rank, std::int64_t t) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  RefreshTimer& timer = timers_[rank];
  ++counters_.ranks[rank].refreshes;
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    ++counters_.banks[bank].refresh;
  }
  if constexpr (kAttribution) {
    bill_.refresh(rank, timer.held_since);
    energy_.refresh(rank, t);
  }
  device_.issue_at(Command::REFab, first, t, unnamed_);
  if (on_command_) [[unlikely]] log(t, Command::REFab, first);
  timer.held_since += refresh_interval_;  // the next one owed fell due an interval later
  if (--timer.owed > 0) return;
  --held_ranks_;
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    blocked_[bank >> 6] &= ~(std::uint64_t{1} << (bank & 63));
  }
}

void Frfcfs::close_bank(std::uint32_t bank) {
  rows_[bank] = kNone;
  open_.set(bank, false);
  for (BurstQueue& each : queues_) each.close_row(bank);
}

void Frfcfs::log(std::int64_t t, Command command, std::uint32_t bank, std::uint32_t row,
                 std::uint32_t column) {
  const dram::Place place = device_.place(bank);
  on_command_({t, command, place.rank, place.bank_group, place.bank, row, column});
}

template void Frfcfs::issue_column<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_column<false>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_activate<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_activate<false>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_precharge<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_precharge<false>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_precharge_all<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_precharge_all<false>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_refresh<true>(std::uint32_t, std::int64_t);
template void Frfcfs::issue_refresh<false>(std::uint32_t, std::int64_t);

}  // namespace diffram::ctrl
