#include "ctrl/bill.h"

#include <bit>
#include <cassert>

namespace diffram::ctrl {
namespace {

using base::Cause;
using spec::Command;
using spec::Scope;

bool reads(Command c) { return c == Command::RD || c == Command::RDA; }
bool writes(Command c) { return c == Command::WR || c == Command::WRA; }

// Causes that depend on how the row came to be closed are marked by row.miss.
Cause cause_of(const spec::Constraint& c) {
  if (c.before == Command::REFab || c.before == Command::PREA || spec::refreshes_a_part(c.before))
    return Cause::refresh;
  if (c.before == Command::PDX || c.before == Command::SREFX) return Cause::power_exit;
  const bool column = reads(c.after) || writes(c.after);
  if (column && (reads(c.before) || writes(c.before))) {
    if (c.scope == Scope::other_rank || c.scope == Scope::other_stack) return Cause::rank_switch;
    if (writes(c.before) && reads(c.after)) return Cause::turn_wr;
    if (reads(c.before) && writes(c.after)) return Cause::turn_rw;
    // Back to back at the rate of the bus: part of the column access (tCCD_S).
    const bool own_group = c.scope == Scope::bank_group || c.scope == Scope::bank;
    return own_group ? Cause::bank_group : Cause::cas;
  }
  if (column && c.before == Command::ACT && c.scope == Scope::bank) return Cause::row_miss;
  if (c.after == Command::ACT) {
    if (c.scope == Scope::bank) return Cause::row_miss;
    if (c.before == Command::ACT) return Cause::act_window;
  }
  if (c.after == Command::PRE && c.scope == Scope::bank) return Cause::row_hold;
  return Cause::command_bus;
}

// Column commands of other banks go on until a row command is settled: they must not be what it may
// have waited for.
bool may_settle_later(const dram::Device& device) {
  for (const spec::Constraint& c : device.table().constraints()) {
    const bool on_row = c.after == Command::ACT || c.after == Command::PRE;
    if (on_row && (reads(c.before) || writes(c.before)) && c.scope != Scope::bank) return false;
  }
  return true;
}

// In the cycle of a column command no chain to come reaches back before the activation of its row,
// but through pieces that wait.
bool columns_end_questions(const dram::Device& device, const BusTiming& timing) {
  const std::int64_t longest = std::max(timing.read, timing.write);
  const auto after_activate = [&](Command column, std::int64_t latency) {
    return device.table().same_bank(Command::ACT, column) + latency + timing.burst;
  };
  return after_activate(Command::RD, timing.read) >= longest &&
         after_activate(Command::WR, timing.write) >= longest;
}

// Of the cycles that are billed and yet to come there are so many at most. Entries lie apart, and
// one that ends later than `now` is followed by those only that end after its command.
std::size_t entries_for(const BusTiming& timing) {
  const std::int64_t ahead = std::max(timing.read, timing.write) + timing.burst;
  return std::bit_ceil(static_cast<std::size_t>(2 * ahead + 1));
}

}  // namespace

Bill::Bill(const dram::Device& device, std::vector<BankRecord>& banks, const BusTiming& timing,
           std::uint32_t unnamed, std::uint32_t dispatch, std::uint32_t issued)
    : device_(device),
      timing_(timing),
      unnamed_(unnamed),
      dispatch_(dispatch),
      longest_latency_(std::max(timing.read, timing.write)),
      entry_mask_(entries_for(timing) - 1),
      activate_reasons_(device.reasons(Command::ACT, issued)),
      precharge_reasons_(device.reasons(Command::PRE, issued)),
      read_reasons_(device.reasons(Command::RD, issued)),
      write_reasons_(device.reasons(Command::WR, issued)),
      precharge_cycles_(device.table().same_bank(Command::PRE, Command::ACT)),
      row_cycles_{device.table().same_bank(Command::ACT, Command::WR),
                  device.table().same_bank(Command::ACT, Command::RD)},
      banks_(banks),
      rows_(device),
      longest_question_(may_settle_later(device) && columns_end_questions(device, timing) &&
                                rows_.can_answer_later()
                            ? RowLog::kMostWait
                            : -1),
      idle_owner_(unnamed),
      entries_(entry_mask_ + 1) {
  for (BankRecord& bank : banks_) bank.history.culprit = unnamed;
  // What may lie between a command and the end of its data fits into the ring.
  assert(std::max(timing.read, timing.write) + timing.burst < std::int64_t{kColumnMask});
}

Bill::Wait Bill::wait_of(const RowStep& step) const {
  Wait wait;
  wait.legal = step.legal;
  wait.culprit = unnamed_;
  const auto& constraints = device_.table().constraints();
  if (step.reason.constraint >= constraints.size()) return wait;
  wait.cause = cause_of(constraints[step.reason.constraint]);
  wait.row_cause = wait.cause == Cause::row_miss;
  wait.culprit = index_of(step.reason.tag);
  return wait;
}

Bill::Wait Bill::wait_for(Command command, std::uint32_t bank) const {
  const std::int64_t legal = device_.earliest_at(command, bank);
  return wait_of({.legal = legal, .reason = device_.reason_of(reasons_of(command), bank, legal)});
}

const dram::Device::Reasons& Bill::reasons_of(Command command) const {
  if (command == Command::ACT) return activate_reasons_;
  if (command == Command::PRE) return precharge_reasons_;
  return command == Command::RD ? read_reasons_ : write_reasons_;
}

// A question is open only as long as the device knows the answer: what no chain reaches any more
// need not be known, nor what nobody has waited for.
void Bill::settle_now(RowStep& step, Command command, std::uint32_t bank, std::int64_t cycle,
                      std::int64_t waits_since) {
  const bool has_waited = waits_since < std::max(step.legal, cycle - dram::Device::kRecent);
  step.question = RowStep::kSettled;
  step.reason = {};
  // When a row could have been closed counts for its energy too.
  if (has_waited || command == Command::PRE) step.legal = device_.earliest_at(command, bank);
  if (has_waited && may_reach(cycle))
    step.reason = device_.reason_of(reasons_of(command), bank, step.legal);
}

void Bill::settle(std::uint32_t bank) {
  BankHistory& history = banks_[bank].history;
  const auto settle_step = [&](RowStep& step, const dram::Device::Reasons& reasons) {
    if (step.is_settled()) return;
    step.reason = rows_.reason_of(reasons, step.question, bank, step.legal);
    step.question = RowStep::kSettled;
  };
  settle_step(history.activate, activate_reasons_);
  settle_step(history.precharge, precharge_reasons_);
}

// What is younger will hardly ever be asked.
void Bill::settle_old() {
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) {
    const BankHistory& history = banks_[bank].history;
    if (rows_.is_old(history.activate.question) || rows_.is_old(history.precharge.question))
      settle_if_reached(bank);
  }
}

void Bill::settle_all() {
  for (std::uint32_t bank = 0; bank < banks_.size(); ++bank) settle_if_reached(bank);
}

void Bill::settle_if_reached(std::uint32_t bank) {
  BankHistory& history = banks_[bank].history;
  if (may_reach(std::max(history.activate.issued, history.precharge.issued))) {
    settle(bank);
  } else {
    history.activate.question = history.precharge.question = RowStep::kSettled;
  }
}

void Bill::precharge_for_refresh(std::uint32_t bank, std::int64_t cycle, std::int64_t held_since) {
  BankHistory& history = banks_[bank].history;
  history.closed_by = Cause::refresh;
  history.culprit = unnamed_;
  history.precharge.issued = cycle;
  history.precharge.question = RowStep::kSettled;
  history.held_since = held_since;
}

void Bill::auto_precharge(std::uint32_t bank, std::int64_t cycle) {
  BankHistory& history = banks_[bank].history;
  history.closed_by = Cause::policy;
  history.culprit = unnamed_;
  history.precharge.issued = cycle;
  history.precharge.question = RowStep::kSettled;
}

void Bill::precharge_by_policy(std::uint32_t bank, std::int64_t cycle) {
  auto_precharge(bank, cycle);
  rows_.add(Command::PRE, bank, cycle, unnamed_);
}

void Bill::rank_command(Command command, std::uint32_t rank, std::int64_t cycle) {
  command_for_nobody(command, rank * device_.banks_per_rank(), cycle);
}

void Bill::command_for_nobody(Command command, std::uint32_t bank, std::int64_t cycle) {
  settle_all();
  rows_.add(command, bank, cycle, unnamed_);
}

void Bill::refresh(std::uint32_t rank, std::int64_t cycle, std::int64_t held_since) {
  const std::uint32_t first = rank * device_.banks_per_rank();
  for (std::uint32_t bank = first; bank < first + device_.banks_per_rank(); ++bank) {
    banks_[bank].history.refresh_held_since = held_since;
  }
  rank_command(Command::REFab, rank, cycle);
}

void Bill::precharge_for_part(std::uint32_t bank, std::int64_t cycle, std::int64_t held_since) {
  command_for_nobody(Command::PRE, bank, cycle);
  precharge_for_refresh(bank, cycle, held_since);
}

void Bill::refresh_part(Command command, const std::vector<std::uint32_t>& banks,
                        std::int64_t cycle, std::int64_t held_since) {
  for (const std::uint32_t bank : banks) banks_[bank].history.refresh_held_since = held_since;
  command_for_nobody(command, banks.front(), cycle);
}

// A table that lets two bursts overlap on the bus: the second is billed what it adds.
void Bill::share_bus(std::uint32_t origin, bool read, std::int64_t cycles) {
  carried_.push_back({origin, read, -std::min(cycles, timing_.burst)});
}

void Bill::stream(std::int64_t first, std::int64_t bursts, std::uint32_t origin, bool read) {
  const std::int64_t latency = read ? timing_.read : timing_.write;
  // Those before the last kTaken are looked up no more.
  static_assert(RowLog::kTaken <= UINT16_MAX);
  const auto last = static_cast<std::uint16_t>(std::min<std::int64_t>(bursts, UINT16_MAX));
  add_columns(first + (bursts - last) * timing_.burst, last, origin, read);
  bus_end_ = first + (bursts - 1) * timing_.burst + latency + timing_.burst;
  expect_data();
  // Chains of later bursts do not reach back before these, but of what waits for the bus now.
  if (may_reach(first)) settle_all();
}

void Bill::idle_until(std::int64_t cycle) {
  if (cycle <= bus_end_) return;
  add(idle_owner_, unnamed_, idle_cause_, bus_end_, cycle);
  bus_end_ = cycle;
  expect_data();
}

void Bill::column_after_gap(const QueuedBurst& burst, std::int64_t cycle, std::int64_t data,
                            bool read) {
  if (data > bus_end_ || !pending_.empty()) close_gap(burst, cycle, data, read);
  if (data < bus_end_) share_bus(burst.of.origin, read, bus_end_ - data);
  bus_end_ = std::max(bus_end_, data + timing_.burst);
  expect_data();
  add_columns(cycle, 1, burst.of.origin, read);
  // The device is about to forget what the bank's row commands waited for.
  if (may_reach(banks_[burst.bank()].history.activate.issued)) settle(burst.bank());
}

void Bill::close_gap(const QueuedBurst& burst, std::int64_t cycle, std::int64_t data, bool read) {
  if (data > bus_end_) pending_.push_back({bus_end_, data});
  if (pending_.back().end <= burst.of.arrival) return;
  const std::int64_t shift = data - cycle;
  journal_from_ = cycle;
  chain(burst, cycle, read, std::max(burst.of.arrival, pending_.front().begin) - shift);
  while (!pending_.empty() && pending_.back().end > burst.of.arrival) {
    Piece& piece = pending_.back();
    const std::int64_t begin = std::max(piece.begin, burst.of.arrival);
    bill_piece(burst.of.origin, begin, piece.end, shift);
    piece.end = begin;
    if (piece.begin == begin) pending_.pop_back();
  }
}

// The segment [begin, what is there so far); true when the chain reaches far enough.
bool Bill::push(std::int64_t begin, Cause cause, std::uint32_t culprit, std::int64_t down_to,
                bool slot) {
  const std::int64_t end = segments_.empty() ? chain_end_ : segments_.back().begin;
  if (begin < end) segments_.push_back({begin, cause, culprit, slot});
  return std::min(begin, end) <= down_to;
}

bool Bill::push_row(const BankHistory& bank, std::int64_t begin, std::int64_t down_to) {
  return push(begin, bank.closed_by, bank.culprit, down_to);
}

bool Bill::push_wait(const BankHistory& bank, const Wait& wait, std::int64_t begin,
                     std::int64_t down_to) {
  if (wait.row_cause) return push_row(bank, begin, down_to);
  return push(begin, wait.cause, wait.culprit, down_to);
}

// docs/bill.md: the request's chain in command time, from its column command backwards.
void Bill::chain(const QueuedBurst& burst, std::int64_t cycle, bool read, std::int64_t down_to) {
  segments_.clear();
  chain_end_ = cycle;
  const BankHistory& bank = banks_[burst.bank()].history;
  const std::int64_t visible = burst.acceptance + dispatch_;
  const std::int64_t activated = bank.activate.issued;
  const std::int64_t ready =
      activated > visible ? std::min(activated + row_cycles_[read], cycle) : visible;
  const Command column = read ? Command::RD : Command::WR;
  const std::int64_t legal = std::clamp(device_.earliest_at(column, burst.bank()), ready, cycle);
  if (push(legal, Cause::policy, unnamed_, down_to, true)) return;
  if (legal > ready && push_wait(bank, wait_for(column, burst.bank()), ready, down_to)) {
    return;
  }
  if (activated > visible) {
    if (push_row(bank, activated, down_to)) return;
    settle(burst.bank());
    if (chain_of_row(bank, visible, down_to)) return;
  }
  if (push(burst.acceptance, Cause::dispatch, unnamed_, down_to)) return;
  if (push(burst.of.arrival, Cause::front, unnamed_, down_to)) return;
  push(down_to, Cause::cas, unnamed_, down_to);
}

// From the activation back to the cycle in which the burst became visible.
bool Bill::chain_of_row(const BankHistory& bank, std::int64_t visible, std::int64_t down_to) {
  const Wait activate = wait_of(bank.activate);
  const bool closed_in_view = bank.precharge.issued > visible;
  const bool conflict = closed_in_view && bank.closed_by == Cause::row_conflict;
  const bool by_policy = closed_in_view && bank.closed_by == Cause::policy;
  std::int64_t start = visible;
  if (conflict) start = std::min(bank.precharge.issued + precharge_cycles_, bank.activate.issued);
  if (by_policy) start = bank.precharge.issued;
  std::int64_t legal = std::clamp(activate.legal, start, bank.activate.issued);
  if (push(legal, Cause::policy, unnamed_, down_to, true)) return true;
  const bool waits_for_refresh = !activate.row_cause && activate.cause == Cause::refresh;
  if (waits_for_refresh || (activate.row_cause && bank.closed_by == Cause::refresh)) {
    const std::int64_t held = waits_for_refresh ? bank.refresh_held_since : bank.held_since;
    if (push(std::clamp(held, start, legal), Cause::refresh, unnamed_, down_to)) return true;
    if (push(start, Cause::policy, unnamed_, down_to)) return true;
  } else if (push_wait(bank, activate, start, down_to)) {
    return true;
  }
  if (by_policy) return push(visible, Cause::policy, unnamed_, down_to);
  if (!conflict) return false;
  if (push(bank.precharge.issued, Cause::row_conflict, bank.culprit, down_to)) return true;
  legal = std::clamp(bank.precharge.legal, visible, bank.precharge.issued);
  if (push(legal, Cause::policy, unnamed_, down_to, true)) return true;
  return push_wait(bank, wait_of(bank.precharge), visible, down_to);
}

// Bus cycles [begin, end) of the chain at hand, which lies `shift` cycles before them.
void Bill::bill_piece(std::uint32_t victim, std::int64_t begin, std::int64_t end,
                      std::int64_t shift) {
  std::int64_t top = chain_end_;
  for (const Segment& segment : segments_) {
    const std::int64_t low = std::max(segment.begin + shift, begin);
    const std::int64_t high = std::min(top + shift, end);
    if (low < high) {
      if (segment.slot) {
        bill_slots(victim, low, high, shift);
      } else {
        add(victim, segment.culprit, segment.cause, low, high);
      }
    }
    top = segment.begin;
    if (top + shift <= begin) return;
  }
}

// The command was legal: it lost each cycle to another command, or to the policy.
void Bill::bill_slots(std::uint32_t victim, std::int64_t begin, std::int64_t end,
                      std::int64_t shift) {
  std::int64_t top = end;
  std::size_t column = last_columns_;
  std::int64_t passed = 0;  // of its commands
  std::int64_t row = rows_.end() - 1;
  for (std::uint32_t k = 1; k < RowLog::kTaken; ++k) {  // the first is the burst's own
    const Columns& columns = columns_[column & kColumnMask];
    const std::int64_t of_column = columns.first + (columns.count - 1 - passed) * timing_.burst;
    const std::int64_t of_row = rows_.at(row).cycle;
    const std::int64_t other = std::max(of_column, of_row) + shift;
    if (of_column <= of_row) {
      --row;
    } else if (++passed == columns.count) {
      --column;
      passed = 0;
    }
    if (other < begin) break;
    if (other >= top) continue;
    if (other + 1 < top) bill_unused(victim, other + 1, top, shift);
    add(victim, unnamed_, Cause::command_bus, other, other + 1);
    top = other;
  }
  if (begin < top) bill_unused(victim, begin, top, shift);
}

// Nobody had the slots: they were closed, or the policy wanted none of them.
void Bill::bill_unused(std::uint32_t victim, std::int64_t begin, std::int64_t end,
                       std::int64_t shift) {
  if (!throttle_.is_on()) return add(victim, unnamed_, Cause::policy, begin, end);
  while (begin < end) {
    const std::int64_t next = std::min(end, throttle_.end_of_stretch(begin - shift) + shift);
    const bool is_open = throttle_.is_open(begin - shift);
    add(victim, unnamed_, is_open ? Cause::policy : Cause::idle_throttle, begin, next);
    begin = next;
  }
}

}  // namespace diffram::ctrl
