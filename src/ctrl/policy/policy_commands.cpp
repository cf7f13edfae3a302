// Steps 5 and 6: which burst gets its command, and what the command does.

#include <bit>

#include "ctrl/policy/policy_channel.h"

namespace diffram::ctrl {

using base::Direction;
using spec::Command;

// `wanted`: which bus is free; with one bus a column command goes first.
bool PolicyChannel::serve(Wanted wanted) {
  const BurstQueue& bursts = waiting_.present();
  if (bursts.size() == 0) return false;
  Choice column, row;
  if (scheduling_->in_order()) {
    // With a bus each the oldest of all may have gone in this cycle, and the next be of the other
    // direction.
    const BurstQueue& others = waiting_.other();
    if (others.size() != 0 &&
        others[others.oldest()].age - next_age_ < bursts[bursts.oldest()].age - next_age_)
      return false;
    consider(bursts[bursts.oldest()].bank(), column, row);
  } else {
    for (std::uint32_t first = 0; first < device_.banks(); first += 64) {
      for (std::uint64_t bits = bursts.nonempty().word(first / 64); bits != 0; bits &= bits - 1) {
        consider(first + static_cast<std::uint32_t>(std::countr_zero(bits)), column, row);
      }
    }
  }
  if (column.bank != kNone && wanted != Wanted::row) {
    if (!start_clock(column.bank)) issue_column(column.bank);
  } else if (row.bank == kNone || wanted == Wanted::column) {
    return false;
  } else if (banks_[row.bank].row == kNone) {
    issue_activate(row.bank);
  } else {
    issue_precharge(row.bank);
  }
  return true;
}

// What a bank with a queued burst of the direction has to offer.
void PolicyChannel::consider(std::uint32_t bank, Choice& column, Choice& row) {
  if (!serves(bank)) return;
  const BurstQueue& bursts = waiting_.present();
  const std::uint32_t head = bursts.head(bank);
  const QueuedBurst& oldest = bursts[head];
  if (!moment_.reached(bursts.visible(head))) return;
  if (banks_[bank].row == kNone) {
    if (legal(Command::ACT, bank)) offer(row, bank, oldest.age);
    return;
  }
  const std::uint32_t hit = bursts.hit(bank);
  if (hit == head || (hit != kNone && moment_.reached(bursts.visible(hit)) &&
                      scheduling_->may_pass(waiting_, oldest, moment_))) {
    if (column_may_go(bank, waiting_.reading() ? Command::RD : Command::WR))
      offer(column, bank, bursts[hit].age);
    return;
  }
  if (legal(Command::PRE, bank)) offer(row, bank, oldest.age);
}

// Where its rank's data clock does not run, the CAS that starts it may go.
bool PolicyChannel::column_may_go(std::uint32_t bank, Command column) {
  if (!moment_.reached(throttle_.open_from(moment_.now()))) return false;
  if (!has_data_clock_) return legal(column, bank);
  const Rank& rank = ranks_[rank_of(bank)];
  if (clock_runs(rank))
    return (rank.clock_for == kNone || rank.clock_for == bank) && legal(column, bank);
  return moment_.reached(device_.earliest_at(column, bank) - protocol_.clock_lead) &&
         legal(column == Command::RD ? Command::CAS_RD : Command::CAS_WR, bank);
}

// False if it runs. CAS takes the slot of the column command, which follows it.
bool PolicyChannel::start_clock(std::uint32_t bank) {
  Rank& rank = ranks_[rank_of(bank)];
  if (clock_runs(rank)) return false;
  const bool read = waiting_.reading();
  const Command command = read ? Command::CAS_RD : Command::CAS_WR;
  const std::int64_t t = moment_.now();
  rank.clock_until = t + (read ? protocol_.clock_after_read : protocol_.clock_after_write);
  rank.clock_for = bank;
  if (attribution_) attributed_.bill.rank_command(command, rank_of(bank), t);
  issue(command, first_bank(rank_of(bank)), unnamed_);
  return true;
}

void PolicyChannel::offer(Choice& choice, std::uint32_t bank, std::uint32_t age) const {
  // Ages are numbers modulo 2^32; against the next one they are in order.
  if (choice.bank == kNone || age - next_age_ < choice.age - next_age_) choice = {bank, age};
}

void PolicyChannel::issue_column(std::uint32_t bank) {
  const bool read = waiting_.reading();
  const std::int64_t t = moment_.now();
  BurstQueue& bursts = waiting_.present();
  const QueuedBurst burst = bursts[bursts.hit(bank)];
  const bool passes = bursts.hit(bank) != bursts.head(bank);
  if (passes) scheduling_->passed(waiting_, bursts[bursts.head(bank)]);
  page_->used(bank, burst.row(), t);
  const bool closes = bursts.last_to_row(bank) && page_->ends(bank, burst.row());
  const std::int64_t end = t + (read ? timing_.read : timing_.write) + timing_.burst;
  count_column(burst, read, closes, end);
  ++waiting_.served;
  BankState& state = banks_[bank];
  Rank& rank = ranks_[rank_of(bank)];
  if (attribution_) {
    attributed_.column(burst, t, end, read);
    if (closes) attributed_.auto_precharge(bank, t, read);
  }
  const Command command =
      read ? (closes ? Command::RDA : Command::RD) : (closes ? Command::WRA : Command::WR);
  issue(command, bank, burst.of.origin, burst.row(), burst.of.fields.column());
  bursts.take_hit(bank);
  --state.queued[static_cast<std::size_t>(waiting_.direction)];
  --rank.queued;
  rank.last_column = t;
  rank.clock_for = kNone;
  rank.clock_until = std::max(
      rank.clock_until, t + (read ? protocol_.clock_after_read : protocol_.clock_after_write));
  if (closes) {
    const std::int64_t closed = std::max(state.activated + rest_.least_open,
                                         t + (read ? rest_.after_read : rest_.after_write));
    rest_until(rank_of(bank), closed + rest_.precharge);
    forget_row(bank);
  }
  last_data_ = std::max(last_data_, end);
  if (burst.of.run == kNone) return finish(burst.of.ticket, end);
  Run& run = front_.run(burst.of.run);
  run.end = std::max(run.end, end);
  if (--run.in_queue == 0 && run.entered) finish_run(burst.of);
}

void PolicyChannel::issue_activate(std::uint32_t bank) {
  const std::int64_t t = moment_.now();
  BurstQueue& bursts = waiting_.present();
  QueuedBurst& burst = bursts[bursts.head(bank)];
  if (burst.outcome == RowOutcome::hit) burst.outcome = RowOutcome::miss;
  ++counters_.banks[bank].act;
  if (attribution_) {
    attributed_.activate(bank, t, burst.of.origin, [&] { return waits_since(bank, burst); });
  }
  issue(Command::ACT, bank, burst.of.origin, burst.row());
  banks_[bank].row = burst.row();
  banks_[bank].activated = t;
  rest_until(rank_of(bank), t + rest_.activate);
  scheduling_->opened(bank);
  page_->used(bank, burst.row(), t);
  bursts.open_row_of_head(bank);
  waiting_.other().open_row_of(burst);
}

// For the oldest burst of the bank, which wants another row.
void PolicyChannel::issue_precharge(std::uint32_t bank) {
  const std::int64_t t = moment_.now();
  BurstQueue& bursts = waiting_.present();
  QueuedBurst& burst = bursts[bursts.head(bank)];
  burst.outcome = RowOutcome::conflict;
  if (attribution_) {
    attributed_.precharge(bank, t, burst.of.origin, [&] { return waits_since(bank, burst); });
  }
  close_bank(bank, burst.of.origin);
}

void PolicyChannel::close_bank(std::uint32_t bank, std::uint32_t tag) {
  ++counters_.banks[bank].pre;
  issue(Command::PRE, bank, tag);
  rest_until(rank_of(bank), moment_.now() + rest_.precharge);
  forget_row(bank);
}

// For no burst: the row was idle, or its rank goes to sleep.
void PolicyChannel::close_by_policy(std::uint32_t bank) {
  if (attribution_) attributed_.precharge_by_policy(bank, moment_.now());
  close_bank(bank, unnamed_);
}

void PolicyChannel::forget_row(std::uint32_t bank) {
  banks_[bank].row = kNone;
  for (BurstQueue& each : queues_) each.close_row(bank);
}

void PolicyChannel::issue(Command command, std::uint32_t bank, std::uint32_t tag, std::uint32_t row,
                          std::uint32_t column) {
  device_.issue_at(command, bank, moment_.now(), tag);
  if (on_command_) log(moment_.now(), command, bank, row, column);
}

}  // namespace diffram::ctrl
