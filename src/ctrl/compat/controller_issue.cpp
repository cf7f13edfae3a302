// What a command does to the banks, the counters and the log (dramsim3-behaviour.md 9 and 10).

#include "ctrl/compat/controller.h"

namespace diffram::ctrl::compat {

void Controller::issue_wake(std::uint32_t bank, Tick t) {
  const std::uint32_t rank = times_.rank_of(bank);
  settle(rank, t);
  queues_.wake_up(rank);
  times_.issue_wake(rank, t);
  log(t, Command::SREFX, rank, bank);
}

void Controller::issue_column(std::uint32_t id, Tick t) {
  decision_is_known_ = false;
  const Transaction& transaction = transactions_[id];
  const std::uint32_t bank = transaction.bank;
  const bool is_write = transaction.is_write;
  const Command command = config_.close_page ? (is_write ? Command::WRA : Command::RDA)
                                             : (is_write ? Command::WR : Command::RD);
  log(t, command, times_.rank_of(bank), bank, transaction.row, transaction.column);
  if (queues_.hits(bank) != 0) ++(is_write ? counters_.write_row_hits : counters_.read_row_hits);
  times_.issue_column(bank, is_write, config_.close_page, t);
  if (config_.close_page) {
    if (queues_.open_banks(times_.rank_of(bank)) == 1) settle(times_.rank_of(bank), t);
    queues_.close(bank);
  } else {
    queues_.count_hit(bank);
  }
  if (is_write) {
    transactions_.finish(
        id, [&](Tick arrival) { counters_.write_latency.add(t - arrival + offsets_.write_delay); });
  } else {
    finish_read(id, t);
  }
}

void Controller::finish_read(std::uint32_t id, Tick t) {
  const Tick delivered = std::max(t + offsets_.read_delay, t + 1);
  const bool is_answered = delivered < horizon_;
  transactions_.finish(id, [&](Tick arrival) {
    if (on_answer_) on_answer_({transactions_[id].address, delivered, arrival, false});
    if (!is_answered) return;
    ++counters_.reads_done;
    counters_.read_latency.add(delivered - arrival);
  });
}

void Controller::issue_activate(std::uint32_t bank, std::uint32_t row, Tick t) {
  decision_is_known_ = false;
  const std::uint32_t rank = times_.rank_of(bank);
  if (queues_.open_banks(rank) == 0) settle(rank, t);
  queues_.open(bank, row);
  times_.issue_activate(bank, t);
  log(t, Command::ACT, rank, bank, row);
}

void Controller::issue_precharge(std::uint32_t bank, Tick t) {
  decision_is_known_ = false;
  const std::uint32_t rank = times_.rank_of(bank);
  if (queues_.open_banks(rank) == 1) settle(rank, t);
  queues_.close(bank);
  times_.issue_precharge(bank, t);
  log(t, Command::PRE, rank, bank);
}

void Controller::log(Tick t, Command command, std::uint32_t rank, std::uint32_t bank,
                     std::uint32_t row, std::uint32_t column) {
  ++counters_.commands[static_cast<std::size_t>(command)];
  if (!on_command_) return;
  const std::uint32_t of_rank = bank - rank * config_.banks();
  on_command_({t, command, rank, of_rank / config_.banks_per_group,
               of_rank % config_.banks_per_group, row, column});
}

void Controller::settle(std::uint32_t rank, Tick until) {
  RankCycles& cycles = counters_.ranks[rank];
  const Tick passed = until - settled_[rank];
  settled_[rank] = until;
  if (queues_.is_asleep(rank)) {
    cycles.asleep += passed;
  } else {
    (queues_.open_banks(rank) != 0 ? cycles.active : cycles.idle) += passed;
  }
}

}  // namespace diffram::ctrl::compat
