#include "check/waits.h"

#include <algorithm>

#include "check/history.h"
#include "check/refresh_debt.h"

namespace diffram::check {

namespace {

using base::Cause;
using Name = spec::Command;
using spec::Scope;

/// The table of docs/bill.md; row.miss stands for "the row cause".
Cause cause_of(Name before, Name after, Scope scope) {
  if (before == Name::REFab || before == Name::PREA || spec::refreshes_a_part(before))
    return Cause::refresh;
  if (before == Name::PDX || before == Name::SREFX) return Cause::power_exit;
  if (is_column(after) && is_column(before)) {
    if (scope == Scope::other_rank || scope == Scope::other_stack) return Cause::rank_switch;
    if (is_write(before) && is_read(after)) return Cause::turn_wr;
    if (is_read(before) && is_write(after)) return Cause::turn_rw;
    const bool near = scope == Scope::bank || scope == Scope::bank_group;
    return near ? Cause::bank_group : Cause::cas;
  }
  const bool of_row = before == Name::ACT || before == Name::PRE || closes_by_itself(before);
  if ((is_column(after) || after == Name::ACT) && of_row && scope == Scope::bank) {
    return Cause::row_miss;
  }
  if (after == Name::ACT && before == Name::ACT) return Cause::act_window;
  const bool holds = before == Name::ACT || is_column(before);
  if (after == Name::PRE && holds && scope == Scope::bank) return Cause::row_hold;
  return Cause::command_bus;
}

struct Bank {
  base::OriginId opener = base::kNoOrigin;
  std::optional<std::size_t> activate;
  Closing closed;         ///< how the bank was closed last
  Closing before_active;  ///< the same, of the row that is open now
};

class WaitDerivation {
 public:
  WaitDerivation(const spec::MemorySpec& memory, const BillInput& input, const ServedLog& served)
      : memory_(memory),
        log_(input.log),
        edges_(input.edges),
        served_(served),
        history_(memory),
        banks_(std::size_t{memory.organisation.ranks} * memory.organisation.banks()),
        open_(banks_.size(), false),
        asleep_(memory.organisation.ranks, false),
        debt_(memory) {}

  Waits run() {
    for (std::size_t i = 0; i < log_.size(); ++i) {
      const Command& command = log_[i];
      look_at_edges(command.cycle);
      out_.of_command.push_back(has_bank(command.name) ? wait_for(command) : Wait{});
      out_.past_column.push_back(is_column(command.name) ? past_of(command) : BankPast{});
      follow(i);
      history_.record(command, open_before_);
    }
    look_at_edges(INT64_MAX);
    return std::move(out_);
  }

 private:
  /// Edges up to a cycle: every command before them is known.
  void look_at_edges(std::int64_t cycle) {
    while (out_.at_edge.size() < edges_.size() && edges_[out_.at_edge.size()] <= cycle) {
      const std::size_t edge = out_.at_edge.size();
      const auto& burst = served_.waiting_at_edge[edge];
      out_.at_edge.push_back(burst ? wait_of_next(*burst, edges_[edge]) : Wait{});
    }
  }

  /// Of the next command that a burst needs.
  Wait wait_of_next(const Burst& burst, std::int64_t edge) {
    if (asleep_[burst.rank]) return {INT64_MAX, Cause::power_exit};
    if (debt_.holds(burst.rank, edge)) return {INT64_MAX, Cause::refresh};
    Command next{edge,       Name::ACT, burst.rank,  burst.bank_group,
                 burst.bank, burst.row, burst.column};
    const std::size_t place = history_.bank_index(next);
    if (open_[place]) {
      const bool read = burst.direction == base::Direction::read;
      const bool hit = log_[banks_[place].activate.value_or(0)].row == burst.row;
      next.name = !hit ? Name::PRE : read ? Name::RD : Name::WR;
    }
    return wait_for(next);
  }

  Bank& bank_of(const Command& c) { return banks_[history_.bank_index(c)]; }

  BankPast past_of(const Command& column) {
    const Bank& bank = bank_of(column);
    return {bank.activate, bank.before_active};
  }

  /// As `after` RDA has the rows of RD, WRA those of WR.
  static Name plain(Name name) {
    if (name == Name::RDA) return Name::RD;
    return name == Name::WRA ? Name::WR : name;
  }

  Wait wait_for(const Command& command) {
    Wait wait;
    const spec::Constraint* binding = nullptr;
    const Command* before = nullptr;
    for (const auto& row : memory_.constraints) {
      if (row.after != plain(command.name)) continue;
      const Command* past = history_.look_back(row.before, row.scope, command, row.window);
      if (past == nullptr) continue;
      const std::int64_t end = past->cycle + row.cycles;
      const bool narrower = binding != nullptr && row.scope < binding->scope;
      if (end < wait.legal || (end == wait.legal && !narrower)) continue;
      wait.legal = end;
      binding = &row;
      before = past;
    }
    if (binding == nullptr) return wait;
    const Name name = before->name;
    wait.cause = cause_of(name, plain(command.name), binding->scope);
    if (wait.cause == Cause::row_miss) {
      const Bank& bank = bank_of(command);
      const Closing& row = command.name == Name::ACT ? bank.closed : bank.before_active;
      wait.cause = row.cause;
      wait.culprit = row.culprit;
      if (command.name == Name::ACT) wait.held_since = row.held_since;
    } else if (const auto& burst = served_.bursts[index_in_log(*before)]) {
      wait.culprit = burst->origin;
    }
    if (command.name == Name::ACT && (name == Name::REFab || name == Name::PREA)) {
      wait.held_since = held_since_[index_in_log(*before)];
    }
    return wait;
  }

  std::size_t index_in_log(const Command& command) const {
    const auto found = std::find(log_.rbegin(), log_.rend(), command);
    return static_cast<std::size_t>(log_.rend() - found) - 1;
  }

  void follow(std::size_t i) {
    open_before_ = open_;
    const Command& command = log_[i];
    held_since_.push_back(debt_.held_since(command));
    debt_.follow(command);
    const bool falls_asleep = command.name == Name::PDE || command.name == Name::SREFE;
    const bool wakes = command.name == Name::PDX || command.name == Name::SREFX;
    if (falls_asleep || wakes) asleep_[command.rank] = falls_asleep;
    if (command.name == Name::PREA) {
      const std::size_t banks = memory_.organisation.banks();
      for (std::size_t b = command.rank * banks; b < (command.rank + 1) * banks; ++b) {
        if (open_[b])
          close(b, {Closing::By::refresh, i, Cause::refresh, base::kNoOrigin, held_since_[i]});
      }
      return;
    }
    if (!has_bank(command.name)) return;
    const std::size_t place = history_.bank_index(command);
    Bank& bank = banks_[place];
    const auto by_policy = [i] {
      return Closing{Closing::By::policy, i, Cause::policy, base::kNoOrigin, INT64_MIN};
    };
    if (command.name == Name::ACT) {
      open_[place] = true;
      bank.opener = served_.bursts[i]->origin;
      bank.activate = i;
      bank.before_active = bank.closed;
    } else if (closes_by_itself(command.name)) {
      close(place, by_policy());
    } else if (command.name == Name::PRE && open_[place]) {
      // Without a burst it was the page policy's.
      close(place, served_.bursts[i] ? Closing{Closing::By::scheduler, i, Cause::row_conflict,
                                               bank.opener, INT64_MIN}
                                     : by_policy());
    }
  }

  void close(std::size_t place, const Closing& how) {
    open_[place] = false;
    banks_[place].closed = how;
  }

  const spec::MemorySpec& memory_;
  const std::vector<Command>& log_;
  const std::vector<std::int64_t>& edges_;
  const ServedLog& served_;
  History history_;
  Waits out_;
  std::vector<Bank> banks_;
  std::vector<bool> open_, open_before_;
  std::vector<bool> asleep_;  ///< by rank
  RefreshDebt debt_;
  std::vector<std::int64_t> held_since_;  ///< by command, of the refresh that it serves
};

}  // namespace

Waits waits_of(const spec::MemorySpec& memory, const BillInput& input, const ServedLog& served) {
  return WaitDerivation(memory, input, served).run();
}

}  // namespace diffram::check
