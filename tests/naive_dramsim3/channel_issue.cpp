// What a command does when it is issued: answers, earliest times, states, a line of the log.

#include <algorithm>

#include "naive_dramsim3/channel.h"

namespace diffram::naive_dramsim3 {

void Channel::issue(const Command& command) {
  write_log(command);
  ++counters_.commands[command.kind];
  complete(command);
  push_back_earliest(command);
  change_states(command);
}

void Channel::complete(const Command& command) {
  const int hits = banks_[c_.bank_index(command.at)].hits;
  if (is_read(command.kind)) {
    counters_.read_row_hits += hits != 0;
    for (const auto& read : pending_reads_) {
      if (read.address == command.address)
        replies_.push_back({read, now_ + static_cast<Cycle>(c_.read_delay)});
    }
    std::erase_if(pending_reads_, at_address(command.address));
  } else if (is_write(command.kind)) {
    counters_.write_row_hits += hits != 0;
    const auto write =
        std::find_if(pending_writes_.begin(), pending_writes_.end(), at_address(command.address));
    ++counters_.write_latency[now_ - write->arrival + static_cast<Cycle>(c_.write_delay)];
    pending_writes_.erase(write);
  }
}

void Channel::change_states(const Command& command) {
  auto& bank = banks_[c_.bank_index(command.at)];
  const auto set_rank = [&](State state) {
    for (int i = 0; i < c_.banks; ++i) banks_[command.at.rank * c_.banks + i].state = state;
  };
  switch (command.kind) {
    case ACT:
      bank.state = State::open;
      bank.row = command.at.row;
      ranks_[command.at.rank].activations.push_back(now_);
      break;
    case RD:
    case WR:
      ++bank.hits;
      break;
    case RDA:
    case WRA:
    case PRE:
      bank.state = State::closed;
      bank.hits = 0;
      break;
    case SREFE:
      set_rank(State::asleep);
      break;
    case SREFX:
      set_rank(State::closed);
      break;
    default:
      break;
  }
  if (command.kind == REF || command.kind == REFB) {
    refreshes_.erase(refreshes_.begin());
    refresh_in_progress_ = false;
  }
}

void Channel::push_back_earliest(const Command& command) {
  for (int bank = 0; bank < static_cast<int>(banks_.size()); ++bank) {
    const int group = bank % c_.banks / c_.banks_per_group;
    const auto relation = bank == c_.bank_index(command.at)    ? same_bank
                          : bank / c_.banks != command.at.rank ? other_rank
                          : group == command.at.group          ? same_group
                                                               : same_rank;
    for (const auto& wait : rules_.after(command.kind, relation)) {
      auto& earliest = banks_[bank].earliest[wait.next];
      earliest = std::max(earliest, now_ + static_cast<Cycle>(wait.cycles));
    }
  }
}

void Channel::write_log(const Command& command) {
  static const char* const names[] = {"RD",  "RDA",  "WR",  "WRA",   "ACT",
                                      "PRE", "REFB", "REF", "SREFE", "SREFX"};
  const auto kind = command.kind;
  log_ += std::to_string(now_) + " " + names[kind] + " " + std::to_string(command.at.rank);
  if (kind != REF && kind != SREFE && kind != SREFX)
    log_ += " " + std::to_string(command.at.group) + " " + std::to_string(command.at.bank);
  if (kind == ACT || is_column(kind)) log_ += " " + std::to_string(command.at.row);
  if (is_column(kind)) log_ += " " + std::to_string(command.at.column);
  log_ += "\n";
}

}  // namespace diffram::naive_dramsim3
